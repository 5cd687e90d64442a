/** Counts the steps of closed messages, one entry per combination of dimensions. Pure. */
import type { Cause } from '../../channels/cause.ts'
import type { Outcome, UsageEntry } from './queries.ts'

export interface ClosedStep {
  readonly msgKey: string
  readonly accountId: number
  readonly channel: string
  readonly carrier: string
  readonly cause: Cause
  readonly parts: number
  readonly paymentCode: string | null
  /** The last step of its message, whose outcome is the message's outcome. */
  readonly last: boolean
}

const own: Partial<Record<Cause, Outcome>> = {
  delivered: 'delivered',
  timeout: 'expired',
  'outcome-unknown': 'unknown',
  cancelled: 'cancelled',
}

export function countUsage(steps: Iterable<ClosedStep>): UsageEntry[] {
  const entries = new Map<string, { -readonly [K in keyof UsageEntry]: UsageEntry[K] }>()
  for (const { msgKey, accountId, channel, carrier, cause, parts, paymentCode, last } of steps) {
    const outcome = own[cause] ?? 'failed'
    const quarter = quarterOf(msgKey)
    const key = `${quarter} ${accountId} ${channel} ${carrier} ${outcome} ${paymentCode ?? ''}`
    const entry = entries.get(key)
    if (entry === undefined) {
      entries.set(key, {
        ...{ quarter: toTime(quarter), accountId, channel, carrier, outcome, paymentCode: paymentCode ?? '' },
        ...{ messages: last ? 1 : 0, steps: 1, parts },
      })
      continue
    }
    if (last) entry.messages++
    entry.steps++
    entry.parts += parts
  }
  return [...entries.values()]
}

/** A msgKey begins with its time in UTC, `yyyyMMddHHmm…`; this is `yyyyMMddHH` and the first minute of the quarter. */
function quarterOf(msgKey: string): string {
  const minute = Math.floor(Number(msgKey.slice(10, 12)) / 15) * 15
  return msgKey.slice(0, 10) + String(minute).padStart(2, '0')
}

function toTime(quarter: string): Date {
  const [, year, month, day, hour, minute] = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)$/.exec(quarter) ?? []
  return new Date(`${year}-${month}-${day}T${hour}:${minute}:00Z`)
}
