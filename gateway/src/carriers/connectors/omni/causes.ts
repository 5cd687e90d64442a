/**
 * Meanings of the service's codes: report codes, the reverse of `channels/report-codes.ts` with the other codes of the API, and
 * result codes that refuse a message.
 */
import type { Cause } from '../../../channels/cause.ts'
import { causeByCode } from '../../../channels/report-codes.ts'
import { toFailureCause, findRcsMeaning } from '../rcs-codes.ts'

const byReportCode: ReadonlyMap<string, Cause> = new Map<string, Cause>([
  ['22007', 'temporary-failure'],
  ...causeByCode,
])

/** Returns `failed` for an unknown code; the receipt keeps the code itself. */
export function toReportCause(code: string, exceptions: Readonly<Record<string, Cause>>): Cause {
  if (Object.hasOwn(exceptions, code)) return exceptions[code]!
  const known = byReportCode.get(code)
  if (known !== undefined) return known
  // 320xx and 330xx have the same meaning for RCS as 220xx and 230xx for text.
  const textCause = /^3[23]0/.test(code) ? byReportCode.get(`2${code.slice(1)}`) : undefined
  if (textCause !== undefined) return textCause
  // The codes of the RCS platform and of the carriers are reported unchanged.
  const carrierMeaning = findRcsMeaning(code, {})
  if (carrierMeaning !== undefined) return toFailureCause(carrierMeaning)
  // 22xxx and 32xxx are failures that were temporary at the carrier.
  return /^[23]2\d{3}$/.test(code) ? 'temporary-failure' : 'failed'
}

export interface OmniRefusal {
  readonly cause: Cause
  /** See `channels/report-details.ts`. */
  readonly reportCode?: string
}

/** Codes of refused requests with a specific cause. Other A2xx codes do not concern files. */
const byResultCode: readonly (OmniRefusal & { readonly codes: RegExp; readonly label: string })[] = [
  { codes: /^A2[0-2]\d$/, label: '`A20x`–`A22x`', cause: 'attachment' },
  { codes: /^A513$/, label: '`A513`', cause: 'attachment' },
  { codes: /^A306$/, label: '`A306`', cause: 'bad-number' },
  { codes: /^A32[234]$/, label: '`A322`–`A324`', cause: 'spam' },
  { codes: /^A(?:327|502)$/, label: '`A327`, `A502`', cause: 'unregistered-sender' },
  { codes: /^A(?:419|420)$/, label: '`A419`, `A420`', cause: 'unregistered-sender', reportCode: '33200' },
  { codes: /^A328$/, label: '`A328`', cause: 'refused', reportCode: '63014' },
  { codes: /^A404$/, label: '`A404`', cause: 'refused', reportCode: '33121' },
  {
    codes: /^A(?:406|42[5-9]|43[0-4])$/,
    label: '`A406`, `A425`–`A434`',
    cause: 'refused',
    reportCode: '33111',
  },
  { codes: /^A505$/, label: '`A505`', cause: 'refused', reportCode: '63015' },
]

export function getOmniRefusal(code: string): OmniRefusal {
  const found = byResultCode.find(({ codes }) => codes.test(code))
  if (found === undefined) return { cause: 'refused' }
  const { cause, reportCode } = found
  return reportCode === undefined ? { cause } : { cause, reportCode }
}

/** Rows of the table of response codes in the notes. */
export const refusalRows: readonly string[] = byResultCode.map(
  ({ label, cause, reportCode }) =>
    `| ${label} | Refused: \`${cause}\`${reportCode === undefined ? '' : `, reported as ${reportCode} in its family of channels`}. |`,
)
