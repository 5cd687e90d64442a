/** The rest of docs/connectors/maap.md and maap-kt.md: what to agree with the carriers, and the table of codes. */
import { codeRows } from '../rcs-codes.ts'

const codeTable = (isListed: (code: number) => boolean): string[] => [
  '| Codes | Meaning | | Report code |',
  '| --- | --- | --- | --- |',
  ...codeRows
    .filter(([first]) => isListed(first))
    .map(([first, last, meaning, what, report]) => {
      const codes = first === last ? String(first) : `${first}–${last}`
      return `| ${codes} | \`${meaning}\` | ${what} | ${report ?? ''} |`
    }),
]

const meanings = [
  'A cause means that the message is refused, or has failed when a status says so. In an answer `throttled` slows the route down;',
  '`unreachable`, `account` and `agency-key` (unless the client gave the key) mean that it was not accepted and may be submitted again;',
  '`uncertain`, `system-error` and an answer that cannot be read leave the outcome unknown; `duplicate` is accepted with `repeatable`;',
  'after `token` a new token is requested and the message submitted once more. In a status `uncertain` and `duplicate` follow the option',
  '`uncertain`, and the others of these are `temporary-failure`. A code that is not listed is refused, with HTTP 5xx unknown.',
  'Without a report code the client sees that of the cause.',
]

const common = [
  '## Common to both',
  '',
  '- `from` is the chatbot, `formatId` the messagebase, the reference of the gateway the message id. A reference of more than 40',
  '  characters (a step or a try above 99) is sent as a digest.',
  '- `header`, `footer` (with `header` 1 only, as the carriers refuse it otherwise), `groupId`, `copyAllowed`, `body` and `buttons` are the',
  '  client’s. `agencyId`, `agencyKey` and `brandKey` are the client’s, or those of the route. `brandId` has no field in these APIs, which',
  '  know the brand by its key, and is not sent.',
  '- A step whose time limit is shorter than its expiry option gets the longest option that ends with it. The carriers have none below',
  '  30 s: with less time left the message may arrive after the step has ended. A message that waited here for longer than',
  '  `expiryToleranceMs` gets a shorter option, too.',
  '- Images that were uploaded here are uploaded to each host once, by content, and used until they expire there. Other `maapfile://` ids',
  '  are passed on: they are files of the carrier.',
  '- Replies of recipients and their first visits of the chat room are counted as `reply` and `new-user`. A text is a [reply](../replies.md), which the account reads; a word such as STOP',
  '  [opts out](../advertising.md#opt-outs-that-carriers-report) as well. Chat formats, which',
  '  need the id of a reply, are not supported.',
  '- The published statuses do not say whether a message was read.',
]

const choice = [
  'The carriers and the relay of KT are two kinds, `maap` and `maap-kt`, with the same code behind them: a route to the carriers has up to',
  'three hosts and logins and looks for the carrier of a number; the relay has one login, knows the carriers of numbers, has other',
  'expiry options and gives results by polling, too. One kind with a variant would have most options valid in one variant only.',
]

export const maapNotes = [
  ...choice,
  '',
  '## Agree with the carriers',
  '',
  '- The addresses and logins of SKT, KT and LGU+. A login has a priority and a rate: use one route for each priority.',
  '- The addresses that the gateway calls from: tokens may be bound to them.',
  '- The addresses for statuses and replies: `https://<api>/inbound/<route>/<webhookToken>`. The carriers append `/SKT`, `/KT` or `/LGU` to',
  '  that of replies.',
  '- That the shape of a status is that of the relay (`clientMsgId`, `status` `success` or `fail`, `error.code`, `mnoInfo`): it is not',
  '  published. Any other `status` is counted as `other-status` and changes nothing.',
  '- That a message id is used up by an accepted submission only (`repeatable`), and how another carrier’s number is refused',
  '  (`portability`).',
  '',
  '## Portability',
  '',
  'A message goes to the first host of `order`. The answer 54001 says that the number belongs to another carrier: the next host gets the',
  'message, with the same id, and `not-subscriber` is counted. The carrier of up to 100,000 such numbers is remembered by each process for',
  'seven days. This happens within one submission, unlike the ported numbers of MM7, which go to another route: the answer does not name the',
  'carrier, and the three hosts share one route with its rate and its window, whose subscribers no other route knows better.',
  'When no carrier knows the number, the step ends as `no-subscriber`. A host that cannot be reached or has no token is tried last, so',
  'that subscribers of the others still get their messages. A submission without an answer is repeated at the same host first.',
  '',
  ...common,
  '',
  '## Codes',
  '',
  ...meanings,
  '',
  ...codeTable((code) => code < 60_000),
].join('\n')

export const relayNotes = [
  ...choice,
  '',
  '## Agree with KT',
  '',
  '- The RCS id, its secret, and the addresses that the gateway calls from.',
  '- The address for statuses and replies, `https://<api>/inbound/<route>/<webhookToken>`; or `results: polling`. Only one reader may poll',
  '  an RCS id; of several owners of a route the first one does.',
  '- How long `expiryOption` 1 and 2 last. An older text of KT says up to three days for 1: then set `expiryOptions.1` to 2 for messages with a',
  '  fallback, or the message may arrive after it.',
  '',
  'The relay is never asked to fall back to SMS, LMS or MMS (`legacy`): fallbacks are steps of this gateway. It answers when the envelope',
  'of a message is valid; faults of the content arrive as a status.',
  '',
  'With polling, query ids are `<rcsId>-<day>-<number>`. A batch whose answer was lost is asked for again under the same id (`retryYn`), by',
  'the next process, too; one that cannot be stored is kept until it can be. Both are counted as `poll-failed`. A batch that the relay',
  'does not give again (79001, 79007), or whose answer cannot be read ten times while other ids are answered, is logged, counted as',
  '`batch-lost`, and passed over.',
  '',
  ...common,
  '',
  '## Codes',
  '',
  ...meanings,
  '',
  ...codeTable(() => true),
].join('\n')
