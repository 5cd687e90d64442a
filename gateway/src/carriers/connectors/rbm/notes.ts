/** Notes of docs/reference/connectors/rbm.md. */
import { formats } from '../../../channels/rcs/formats.ts'
import { findLayout } from './layouts.ts'
import { statusTable } from './outcome.ts'

function describeLayout(formatId: string): string {
  const layout = findLayout(formatId)!
  if (layout.kind === 'text') return 'text with suggestions'
  if (layout.kind === 'carousel') return `carousel ${layout.width}, media ${layout.height}`
  return formatId === 'SL000000' ? 'standalone card without media' : `standalone card, media ${layout.height}`
}

const rows = new Map<string, string[]>()
for (const { id } of formats) rows.set(describeLayout(id), [...(rows.get(describeLayout(id)) ?? []), id])

export const rbmNotes = [
  'One message is one AgentMessage. Its id is a UUID derived from our reference. Google ignores a known id, so a submission without a response is repeated without a second delivery.',
  '',
  '## Set up at Google',
  '',
  '- A service account of the partner with its key file: `serviceAccount`. If the file changes, the next link uses the new key.',
  '- The agent, launched on the networks of the recipients: `agentId`, or `agents` by brand key.',
  '- The webhook `https://<api>/inbound/<route>/` of the partner or of the agent, with `clientToken`. Create the route first: Google verifies the webhook when it is configured.',
  '',
  '## Messages',
  '',
  '- Images (JPEG, PNG, GIF) are uploaded once, and cropped by the phone. A BMP is refused as `attachment`.',
  '- `mediaUrl` becomes a button. A video is its thumbnail with a button that opens the URL.',
  '- Sub-infos with images become further cards of a carousel, others become lines of the text.',
  '- Buttons: URL, DIAL, MAP_LOC, MAP_QRY, MAP_SEND, CALENDAR, and replies of the expert style.',
  '- Advertisements get `advertisementPrefix` before the first text, and `optOutPrefix` with the footer after the last.',
  '- Not used: `from`, `copyAllowed`, `groupId`, `agencyId`, `agencyKey`, `brandId`.',
  '',
  'Refused as `unsupported`, so that the fallback starts: issued templates, whose text is stored at the Korean carriers; the buttons COPY, COM_T and COM_V; short numbers such as 112 in a button; other fields of an expert body.',
  '',
  '## Results',
  '',
  '- `DELIVERED` and `READ` are delivered.',
  '- Google revokes an undelivered message `revocationMarginMs` before the deadline of its step. `TTL_EXPIRATION_REVOKED` ends the step as `timeout`. If the revocation fails or its event is late, the fallback starts at the deadline.',
  '- Google reports no other failure: a message to a phone that stays off ends when it is revoked.',
  '- `NOT_FOUND` can be a phone without RCS, a network without the agent, or a phone that is not a tester of an agent under test.',
  '- UNSUBSCRIBE, SUBSCRIBE and words such as STOP change the [suppression lists](../../guides/advertising.md#opt-outs-that-carriers-report).',
].join('\n')

export const details = [
  '## Formats',
  '',
  '| RBM | Formats |',
  '| --- | --- |',
  ...[...rows].map(([shown, ids]) => `| ${shown} | ${ids.join(', ')} |`),
  '',
  '## Errors',
  '',
  'A cause means that the message is refused. Unknown outcomes are repeated with the same id. Other statuses: 5xx unknown, 4xx refused as `failed`.',
  '',
  '| Status | HTTP | Meaning | Source |',
  '| --- | --- | --- | --- |',
  ...Object.entries(statusTable).map(
    ([status, { http, meaning, source }]) => `| ${status} | ${http} | ${meaning} | ${source} |`,
  ),
].join('\n')
