/** The rest of docs/connectors/rbm.md: what to set up at Google, how formats are shown, and the table of statuses. */
import { formats } from '../../channels/rcs/formats.ts'
import { layoutOf } from './layouts.ts'
import { statusTable } from './outcome.ts'

function shownAs(formatId: string): string {
  const layout = layoutOf(formatId)!
  if (layout.kind === 'text') return 'text with suggestions'
  if (layout.kind === 'carousel') return `carousel ${layout.width}, media ${layout.height}`
  return formatId === 'SL000000' ? 'standalone card without media' : `standalone card, media ${layout.height}`
}

const rows = new Map<string, string[]>()
for (const { id } of formats) rows.set(shownAs(id), [...(rows.get(shownAs(id)) ?? []), id])

export const notes = [
  'One message is one AgentMessage. Its id is a UUID that follows from our reference: Google ignores an id that it knows, so',
  'that a submission without an answer is repeated without a second delivery.',
  '',
  '## Set up at Google',
  '',
  '- A service account of the partner with its key file: `serviceAccount: "file:/etc/postern/routes/rbm.json"`. `token_uri` of the file is',
  '  used. When the file changes, the next link uses the new key.',
  '- The agent, launched on the networks of the recipients, and its id: `agentId`, or `agents` by brand key.',
  '- The webhook `https://<api>/inbound/<route>/` of the partner or of the agent, with `clientToken`. The route must exist first: Google',
  '  verifies the webhook when it is configured. Events of all agents of a service account may arrive at one route.',
  '',
  '## How formats are shown',
  '',
  '| RBM | Formats |',
  '| --- | --- |',
  ...[...rows].map(([shown, ids]) => `| ${shown} | ${ids.join(', ')} |`),
  '',
  '- Images (JPEG, PNG, GIF; a BMP is refused as `attachment`) are uploaded to Google once, and cropped by the phone. An upload has the',
  '  form of the guide "Send messages" of Google: `POST /upload/v1/files?agentId=…`, the type in the header, the file as the body.',
  '- `mediaUrl` becomes a button. A video of the expert style is its thumbnail, with a button that opens the address.',
  '- Sub-infos with images become further cards of a carousel, others lines of the text.',
  '- Buttons: URL, DIAL, MAP_LOC, MAP_QRY, MAP_SEND, CALENDAR, and replies of the expert style. Numbers are written in the form of E.164.',
  '- Advertisements: `advertisementPrefix` before the first text, `optOutPrefix` with the footer after the last.',
  '- `expireTime` is `revocationMarginMs` before the deadline of the step: Google revokes what is not delivered by then, and its event',
  '  ends the step. A fallback starts at the deadline itself only when the revocation failed or its event is late.',
  '- A message is not revoked with `DELETE`: Google answers 200 whether or not it revoked the message, so the answer proves nothing.',
  '- Not used: `from`, `copyAllowed`, `groupId`, `agencyId`, `agencyKey`, `brandId`.',
  '',
  'Refused as `unsupported`, so that the fallback starts: issued templates, whose text lies with the Korean carriers; the buttons COPY,',
  'COM_T and COM_V; short numbers such as 112 in a button; fields of an expert body that are not listed above.',
  '',
  '## Receipts',
  '',
  '`DELIVERED` and `READ` are delivered, `TTL_EXPIRATION_REVOKED` is `timeout`, `TTL_EXPIRATION_REVOKE_FAILED` changes nothing. Counted as',
  'events: `reply`, `suggestion`, `opt-out`, `opt-in`, `typing`, `webhook-verified`, `malformed-receipt`, `other`. Google reports no other failure:',
  'a message to a phone that stays off ends when it is revoked. UNSUBSCRIBE, SUBSCRIBE and words such as STOP in replies change the',
  '[lists of recipients](../advertising.md#opt-outs-that-carriers-report), for the accounts that the brand of the agent is registered for.',
  '',
  '## Errors',
  '',
  'A cause means that the message is refused. Unknown ones are repeated with the same id. `NOT_FOUND` is the same for a phone without RCS, a',
  'network without the agent, and a phone that is no tester of an agent under test. Others: 5xx unknown, 4xx refused as `failed`.',
  '',
  '| Status | HTTP | Meaning | Source |',
  '| --- | --- | --- | --- |',
  ...Object.entries(statusTable).map(
    ([status, { http, meaning, source }]) => `| ${status} | ${http} | ${meaning} | ${source} |`,
  ),
].join('\n')
