/** Notes of docs/reference/connectors/maap.md and maap-kt.md. */
import { codeRows } from '../rcs-codes.ts'

const codeTable = (isListed: (code: number) => boolean): string[] => [
  '| Codes | Meaning | | Report code |',
  '| --- | --- | --- | --- |',
  ...codeRows
    .filter(([first]) => isListed(first))
    .map(([first, last, meaning, text, reportCode]) => {
      const codes = first === last ? String(first) : `${first}–${last}`
      return `| ${codes} | \`${meaning}\` | ${text} | ${reportCode ?? ''} |`
    }),
]

const meanings = [
  'A cause means that the message is refused, or failed if the code is in a status. In a response, `throttled` slows the route down.',
  '`unreachable`, `account` and `agency-key` (unless the client provided the key) mean that the message was not accepted and can be submitted again.',
  '`uncertain`, `system-error` and an unreadable response leave the outcome unknown. `duplicate` is accepted with `repeatable`.',
  'After `token`, a new token is requested and the message is submitted once more. In a status, `uncertain` and `duplicate` follow the option',
  '`uncertain`, and the other special meanings are `temporary-failure`. An unlisted code is refused; with HTTP 5xx it is unknown.',
  'Without a report code, the client sees that of the cause.',
]

export const maapNotes = [
  'For the relay of KT, which reaches all three carriers with one login, see [maap-kt](maap-kt.md).',
  '',
  '## Agree with the carriers',
  '',
  '- The URLs and logins of SKT, KT and LGU+. A login has a priority and a rate: use one route for each priority.',
  '- The IP addresses from which the gateway calls; tokens can be bound to them.',
  '- The URLs for statuses and replies: `https://<api>/inbound/<route>/<webhookToken>`. The carriers append `/SKT`, `/KT` or `/LGU` to the URL for replies.',
  '- The shape of a status. `clientMsgId`, `status` `success` or `fail`, `error.code` and `mnoInfo` are expected, as at the relay; it is not published. Another `status` is counted as `other-status` and has no effect.',
  '- That only an accepted submission uses up a message id (`repeatable`), and how a number of another carrier is refused (`portability`).',
  '',
  '## Portability',
  '',
  'A message goes to the first host of `order`. After 54001, the next host gets it with the same id, and `not-subscriber` is counted. Each process remembers 100,000 such numbers for seven days.',
  'If no carrier has the number, the step ends as `no-subscriber`. A host that is unreachable is tried last. A submission without a response is first repeated at the same host.',
  '',
  '## Messages',
  '',
  '- `from` is the chatbot, `formatId` the messagebase, and our reference the message id. A reference of more than 40 characters is sent as a digest.',
  '- `agencyId`, `agencyKey` and `brandKey` are the client’s, or those of the route. `brandId` is not sent.',
  '- `footer` is sent only with `header` 1; the carriers refuse it otherwise.',
  '- A step with less time left than its expiry option gets the longest option that ends with it. The carriers have none below 30 s: with less time left, a message can arrive after its step has ended.',
  '- Images of this gateway are uploaded once to each host. Other `maapfile://` ids are passed on.',
  '- Texts of recipients are [replies](../../guides/replies.md); a word such as STOP [opts out](../../guides/advertising.md#opt-outs-that-carriers-report). Chat formats, which require the id of a reply, are not supported.',
  '- A status does not state whether a message was read.',
].join('\n')

export const maapDetails = ['## Codes', '', ...meanings, '', ...codeTable((code) => code < 60_000)].join('\n')

export const relayNotes = [
  'One login reaches the subscribers of all three carriers: the relay determines the carrier of a number. [Messages](maap.md#messages) are those of `maap`.',
  '',
  '## Agree with KT',
  '',
  '- The RCS id, its secret, and the IP addresses from which the gateway calls.',
  '- The URL for statuses and replies, `https://<api>/inbound/<route>/<webhookToken>`, or `results: polling`. Only one reader can poll an RCS id: the first owner of the route.',
  '- How long `expiryOption` 1 and 2 last. An older document states up to three days for 1: then set `expiryOptions.1` to 2 for messages with a fallback, or the message can arrive after it.',
  '',
  '## Results',
  '',
  '- The relay responds when the envelope of a message is valid. Errors in the content arrive as a status.',
  '- Fallbacks are steps of this gateway; the relay is never asked for one (`legacy`).',
  '- With polling, a batch that was lost or cannot be stored is requested again under the same id and counted as `poll-failed`.',
  '- A batch that the relay does not return again (79001, 79007), or that stays unreadable, is skipped and counted as `batch-lost`. Its messages wait until their deadline.',
].join('\n')

export const relayDetails = ['## Codes', '', ...meanings, '', ...codeTable(() => true)].join('\n')
