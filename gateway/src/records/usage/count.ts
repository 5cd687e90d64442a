/** Counts the steps of closed messages, one entry per combination of dimensions. */
import type { Cause } from '../../channels/cause.ts'
import type { UsageOutcome, UsageEntry } from './queries.ts'

export interface ClosedStep {
  readonly msgKey: string
  readonly accountId: number
  readonly channel: string
  readonly carrier: string
  readonly cause: Cause
  readonly parts: number
  readonly paymentCode: string | null
  /** Whether it is the last step of its message. */
  readonly last: boolean
}

const outcomes: Partial<Record<Cause, UsageOutcome>> = {
  delivered: 'delivered',
  timeout: 'expired',
  'outcome-unknown': 'unknown',
  cancelled: 'cancelled',
}

export function countUsage(steps: Iterable<ClosedStep>): UsageEntry[] {
  const entries = new Map<string, { -readonly [K in keyof UsageEntry]: UsageEntry[K] }>()
  for (const { msgKey, accountId, channel, carrier, cause, parts, paymentCode, last } of steps) {
    const outcome = outcomes[cause] ?? 'failed'
    const quarter = toQuarter(msgKey)
    const key = `${quarter} ${accountId} ${channel} ${carrier} ${outcome} ${paymentCode ?? ''}`
    let entry = entries.get(key)
    if (entry === undefined) {
      entry = {
        quarter: toTime(quarter),
        accountId,
        channel,
        carrier,
        outcome,
        paymentCode: paymentCode ?? '',
        messages: 0,
        steps: 0,
        parts: 0,
      }
      entries.set(key, entry)
    }
    if (last) entry.messages++
    entry.steps++
    entry.parts += parts
  }
  return [...entries.values()]
}

/** Rounds the time of a msgKey down to a quarter of an hour: `yyyyMMddHHmm`. */
function toQuarter(msgKey: string): string {
  const minute = Math.floor(Number(msgKey.slice(10, 12)) / 15) * 15
  return msgKey.slice(0, 10) + String(minute).padStart(2, '0')
}

function toTime(quarter: string): Date {
  const [, year, month, day, hour, minute] = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)$/.exec(quarter) ?? []
  return new Date(`${year}-${month}-${day}T${hour}:${minute}:00Z`)
}
