/**
 * What the codes of the service mean here: report codes, the reverse of `channels/report-codes.ts` with the other codes of
 * the contract, and result codes that refuse a message. Pure.
 */
import type { Cause } from '../../channels/cause.ts'
import { causeByCode } from '../../channels/report-codes.ts'
import { causeOf, meaningOf } from '../rcs-codes.ts'

const byReportCode: ReadonlyMap<string, Cause> = new Map<string, Cause>([
  ['22007', 'temporary-failure'],
  ...causeByCode,
])

/** The cause of a failure that has no meaning here is `failed`; the code itself is kept in the receipt. */
export function causeOfReport(code: string, exceptions: Readonly<Record<string, Cause>>): Cause {
  if (Object.hasOwn(exceptions, code)) return exceptions[code]!
  const known = byReportCode.get(code)
  if (known !== undefined) return known
  // 32xxx and 33xxx mean for RCS what 22xxx and 23xxx mean for text.
  const asText = /^3[23]0/.test(code) ? byReportCode.get(`2${code.slice(1)}`) : undefined
  if (asText !== undefined) return asText
  // The codes of the RCS platform and of the carriers are reported as they are.
  const ofCarrier = meaningOf(code, {})
  if (ofCarrier !== undefined) return causeOf(ofCarrier)
  return /^[23]2\d{3}$/.test(code) ? 'temporary-failure' : 'failed'
}

export interface Refusal {
  readonly cause: Cause
  /** See `channels/report-details.ts`. */
  readonly reportCode?: string
}

/** Codes of refused requests with a meaning of their own. A23x and above are not about files. */
const byResultCode: readonly (Refusal & { readonly codes: RegExp; readonly what: string })[] = [
  { codes: /^A2[0-2]\d$/, what: '`A20x`–`A22x`', cause: 'attachment' },
  { codes: /^A513$/, what: '`A513`', cause: 'attachment' },
  { codes: /^A306$/, what: '`A306`', cause: 'bad-number' },
  { codes: /^A32[234]$/, what: '`A322`–`A324`', cause: 'spam' },
  { codes: /^A(?:327|502)$/, what: '`A327`, `A502`', cause: 'unregistered-sender' },
  { codes: /^A(?:419|420)$/, what: '`A419`, `A420`', cause: 'unregistered-sender', reportCode: '33200' },
  { codes: /^A328$/, what: '`A328`', cause: 'refused', reportCode: '63014' },
  { codes: /^A404$/, what: '`A404`', cause: 'refused', reportCode: '33121' },
  {
    codes: /^A(?:406|42[5-9]|43[0-4])$/,
    what: '`A406`, `A425`–`A434`',
    cause: 'refused',
    reportCode: '33111',
  },
  { codes: /^A505$/, what: '`A505`', cause: 'refused', reportCode: '63015' },
]

export function refusalOf(code: string): Refusal {
  const found = byResultCode.find(({ codes }) => codes.test(code))
  if (found === undefined) return { cause: 'refused' }
  const { cause, reportCode } = found
  return reportCode === undefined ? { cause } : { cause, reportCode }
}

/** Rows of the table of answers in the notes of the kind. */
export const refusalRows: readonly string[] = byResultCode.map(
  ({ what, cause, reportCode }) =>
    `| ${what} | Refused: \`${cause}\`${reportCode === undefined ? '' : `, reported as ${reportCode} in its family of channels`}. |`,
)
