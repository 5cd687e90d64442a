/** Notes of docs/reference/connectors/mm7.md. */
import { spamCodes } from './code-table.ts'
import { dialectNames } from './dialect.ts'
import { mm7ReportCodes } from './report-codes.ts'
import { submitCodes } from './submit-codes.ts'

const table = (codes: Readonly<Record<string, string>>): string =>
  [...Object.entries(codes).filter(([code]) => !Object.hasOwn(spamCodes, code)), ...spamRange(codes)]
    .map(([code, meaning]) => `${code} ${meaning}`)
    .join(' · ')

const spamRange = (codes: Readonly<Record<string, string>>): (readonly [string, string])[] =>
  Object.hasOwn(codes, '4400') ? [['4400–4499', codes['4400']!]] : []

export const mm7Notes = [
  'A message without files is an LMS; with one to three JPEG files it is an MMS.',
  '',
  '## Agree with the carrier',
  '',
  '- The URL for submissions and the ids: `vaspId`, `vasId`, at SKT and KT also `partnerId`, at SKT `skt.relayId`.',
  '- The URL for reports: `https://<api>/inbound/<route>/<webhookToken>`, or `/inbound/<route>/` with `reportUser` and `reportPassword`. MM7 has no signature.',
  '- The charset. `euc-kr` is KS X 1001: a plain text with another character (똠, 뷁) is refused as `unsupported`. Use `cp949` only if the carrier agrees to it.',
  '- When KT and LGU+ stop delivery attempts: the sample messages in their specifications have no ExpiryDate. Set `expiryDate` if the carrier reads it; otherwise a message can arrive after its fallback.',
  '- The meaning of codes that are missing in the tables: `submitCodes` and `reportCodes`.',
  '- At KT: that code 2163 (duplicate TransactionID) is returned only for a submission that was accepted. Otherwise set `repeatable` to false.',
  '',
  '## The origin code',
  '',
  '`originCID` of the message, or `originCode` of the route, is X-SKT-ORIG-BPID at SKT, ResellerCode at KT and KisaOrigCode at LGU+. `3gpp` has no element for it.',
  '',
  '## Ported numbers',
  '',
  'KT returns 4302 for a number that was ported to SKT and 4303 for LGU+; LGU+ returns 6102 without naming the carrier. The message moves to a route that lists the new carrier in `--carriers`, at most twice and before its deadline.',
  'After 6102 it moves to a route that lists KT. Without such a route it fails as `no-subscriber`. `portedCodes` changes this.',
  '',
  '## Replies',
  '',
  'Incoming messages (DeliverReq) are [replies](../../guides/replies.md). A word such as STOP [opts out](../../guides/advertising.md#opt-outs-that-carriers-report) of advertisements.',
  '',
  '## Uncertain outcomes',
  '',
  'The outcome is unknown after no response, a 5xx status, or a response without StatusCode.',
  '',
  '- With `repeatable` (the default at KT): the submission is repeated with the same id, and 2163 means that the first one was accepted.',
  '- Without: it is not repeated. Its report has an unknown MessageID and is matched by the recipient minutes later, if no other message to it waits for a report.',
].join('\n')

export const details = [
  '## Codes of responses',
  '',
  'A cause means that the message is refused. Other codes: 1xxx accepted, 3xxx and 4xxx unreachable (retried), the rest refused as `failed`.',
  '',
  '| Dialect | Codes |',
  '| --- | --- |',
  ...dialectNames.map((name) => `| ${name} | ${table(submitCodes[name])} |`),
  '',
  '## Codes of reports',
  '',
  'MMStatus `Retrieved` is delivered, `Deferred` and `Forwarded` have no effect, `Expired` is `timeout`, `Rejected` `refused`,',
  '`Indeterminate` `outcome-unknown`, `Unrecognised` `unsupported`, `Unreachable` `phone-off`. Other codes: 1xxx delivered, the rest `failed`.',
  '',
  '| Dialect | Codes |',
  '| --- | --- |',
  ...dialectNames.map((name) => `| ${name} | ${table(mm7ReportCodes[name])} |`),
].join('\n')
