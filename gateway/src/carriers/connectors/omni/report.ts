/** Converts a report of the service, from polling, the stream or webhooks, to a receipt. */
import type { Cause } from '../../../channels/cause.ts'
import { isMobileCarrier, unknownCarrier } from '../../../channels/mobile-carriers.ts'
import type { Receipt } from '../connector.ts'
import { toReportCause } from './causes.ts'

const delivered = '10000'
const maxFieldLength = 256

/** Returns null if the report has no msgKey or no result. */
export function toOmniReceipt(report: unknown, exceptions: Readonly<Record<string, Cause>>): Receipt | null {
  if (typeof report !== 'object' || report === null) return null
  const read = (name: string): string => {
    const value = (report as Readonly<Record<string, unknown>>)[name]
    return typeof value === 'string' && value.length <= maxFieldLength ? value : ''
  }
  const msgKey = read('msgKey')
  const code = read('reportCode')
  const ref = read('ref')
  const carrier = read('carrier')
  const userType = read('userType')
  if (msgKey === '' || code === '') return null
  const isDelivered = code === delivered
  return {
    carrierId: msgKey,
    // Ignored if it is not ours: other programs can use the account.
    ...(ref === '' ? {} : { reference: ref }),
    result: isDelivered ? 'delivered' : 'failed',
    cause: isDelivered ? 'delivered' : failureCause(code, exceptions),
    reportCode: code,
    code,
    recipient: '',
    sender: '',
    at: readTime(read('reportTime')),
    ...(isMobileCarrier(carrier) && carrier !== unknownCarrier ? { carrier } : {}),
    ...(userType === 'F' || userType === 'N' ? { userType } : {}),
  }
}

function failureCause(code: string, exceptions: Readonly<Record<string, Cause>>): Cause {
  const cause = toReportCause(code, exceptions)
  return cause === 'delivered' ? 'failed' : cause
}

/** Accepts milliseconds, as in webhooks. A time without an offset is Korean. */
function readTime(text: string): Date | null {
  const match = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,3})?)(Z|[+-]\d\d:\d\d)?$/.exec(text)
  if (match === null) return null
  const time = new Date(`${match[1]}${match[2] ?? '+09:00'}`)
  return Number.isNaN(time.getTime()) ? null : time
}
