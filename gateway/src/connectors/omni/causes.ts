/**
 * What the codes of the service mean here: report codes, the reverse of `channels/report-codes.ts` with the other codes of
 * the contract, and result codes that refuse a message. Pure.
 */
import type { Cause } from '../../channels/cause.ts'
import { causeByCode } from '../../channels/report-codes.ts'

const byReportCode: ReadonlyMap<string, Cause> = new Map<string, Cause>([
  ['22007', 'temporary-failure'],
  ['23034', 'attachment'],
  ['33102', 'refused'],
  ['33200', 'unregistered-sender'],
  ['50201', 'temporary-failure'],
  ['63015', 'refused'],
  ['63016', 'refused'],
  ['63027', 'refused'],
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
  return /^[23]2\d{3}$/.test(code) ? 'temporary-failure' : 'failed'
}

const byResultCode: Readonly<Record<string, Cause>> = {
  A306: 'bad-number',
  A322: 'spam',
  A323: 'spam',
  A324: 'spam',
  A327: 'unregistered-sender',
  A502: 'unregistered-sender',
}

export function causeOfResult(code: string): Cause {
  // A2xx concern uploaded files.
  if (/^A2[01]\d$/.test(code)) return 'attachment'
  return Object.hasOwn(byResultCode, code) ? byResultCode[code]! : 'refused'
}
