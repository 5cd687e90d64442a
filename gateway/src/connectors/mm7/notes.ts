/** The rest of docs/connectors/mm7.md: what to agree with the carrier, and the tables of codes. */
import { spamCodes } from './code-table.ts'
import { dialectNames } from './dialect.ts'
import { reportCodes } from './report-codes.ts'
import { submitCodes } from './submit-codes.ts'

const table = (codes: Readonly<Record<string, string>>): string =>
  [...Object.entries(codes).filter(([code]) => !Object.hasOwn(spamCodes, code)), ...spamRange(codes)]
    .map(([code, meaning]) => `${code} ${meaning}`)
    .join(' · ')

const spamRange = (codes: Readonly<Record<string, string>>): (readonly [string, string])[] =>
  Object.hasOwn(codes, '4400') ? [['4400–4499', codes['4400']!]] : []

export const notes = [
  'A message without files is an LMS, with one to three JPEG files an MMS. Long texts are not divided.',
  '',
  '## Agree with the carrier',
  '',
  '- The address for submissions and the ids: `vaspId`, `vasId`, at SKT and KT also `partnerId`, at SKT `skt.relayId`.',
  '- The address for reports: `https://<api>/inbound/<route>/<webhookToken>`, or `/inbound/<route>/` with HTTP basic',
  '  authentication. MM7 has no signature: without a token or a password anyone could report.',
  '- The charset. `euc-kr` is KS X 1001: a plain text with another character (똠, 뷁) is refused as `unsupported`, and in titles and',
  '  HTML texts it is written as a numeric reference. Choose `cp949` only if the carrier agrees to it.',
  '- The end of the tries of KT and LGU+: their published samples have no ExpiryDate. Set `expiryDate` if the carrier reads it.',
  '- The meaning of codes that are missing below: `submitCodes` and `reportCodes`.',
  '- At KT: that 2163 is for a TransactionID of an accepted submission only. A throttled submission is repeated with its id.',
  '',
  '## The origin code',
  '',
  '`originCID`, or else `originCode`, is X-SKT-ORIG-BPID at SKT, ResellerCode at KT and KisaOrigCode at LGU+. SubmitReq of 3GPP TS 23.140 has no',
  'element for it: in the dialect `3gpp` it is not sent.',
  '',
  '## Ported numbers',
  '',
  'KT answers or reports 4302 for a number that was ported to SKT and 4303 for LGU+; LGU+ says 6102 and names no carrier. Such a message',
  'goes to a route that lists the carrier in `--carriers`, twice at most and before its deadline; without such a route it fails as',
  '`no-subscriber`. After 6102 it goes to KT, which names SKT where the number is not its own. `portedCodes` changes this.',
  '',
  '## Replies',
  '',
  'An incoming message (DeliverReq) whose text is a word such as STOP [opts out](../advertising.md#opt-outs-that-carriers-report) of the',
  'advertisements of the accounts that the number is registered for. All are counted as `reply`, and their texts are [replies](../replies.md), which the account reads.',
  '',
  '## Uncertain outcomes',
  '',
  'A submission without an answer, with a 5xx status or with an answer that has no StatusCode is unknown. KT refuses a TransactionID',
  'that it knows with 2163: there such a submission is repeated with the same id, and 2163 means that the first one was accepted. The',
  'other carriers get nothing twice. The report of such a message has a MessageID that no answer named: it is matched by the number of',
  'the recipient, if no other message to it waits for its report.',
  '',
  '## Codes of answers',
  '',
  'A cause means that the message is refused. Others: 1xxx accepted, 3xxx and 4xxx unreachable (tried again), the rest refused as `failed`.',
  '',
  '| Dialect | Codes |',
  '| --- | --- |',
  ...dialectNames.map((name) => `| ${name} | ${table(submitCodes[name])} |`),
  '',
  '## Codes of reports',
  '',
  'MMStatus `Retrieved` is delivered, `Deferred` and `Forwarded` change nothing, `Expired` is `timeout`, `Rejected` `refused`,',
  '`Indeterminate` `outcome-unknown`, `Unrecognised` `unsupported`, `Unreachable` `phone-off`. Others: 1xxx delivered, the rest `failed`. At KT',
  '4302 and 4303 name the carrier of the number, which the report of a message that fails has, too.',
  '',
  '| Dialect | Codes |',
  '| --- | --- |',
  ...dialectNames.map((name) => `| ${name} | ${table(reportCodes[name])} |`),
].join('\n')
