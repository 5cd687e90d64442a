/** Parts, reported share and hours of a batch. */
import type { Data } from '../../api/call.ts'
import type { Item } from '../../api/queries.ts'

export type Batch = Item<'listBatches'>
export type BatchDetails = Data<'showBatch'>

/** Every line is in exactly one part. The bar shows them in this order: reported, open and waiting, then those never sent. */
export const parts = ['delivered', 'failed', 'open', 'waiting', 'refused', 'duplicate', 'cancelled'] as const
export type Part = (typeof parts)[number]

/** Returns the reported fraction of created and waiting messages, from 0 to 1; null if there are none to send. */
export function reportedShare({ waiting, messages, open }: Batch): number | null {
  const total = waiting + messages
  return total === 0 ? null : (messages - open) / total
}

/** Rounds down, so that only a complete batch has 100 %. */
export function formatShare(share: number): string {
  const percent = share * 100
  if (percent > 0 && percent < 1) return '< 1 %'
  return `${Math.floor(percent)} %`
}

/** Minutes after midnight. */
export interface Hours {
  readonly from: number
  readonly to: number
}

export function readHours({ from, to }: NonNullable<Batch['hours']>): Hours {
  return { from: toMinutes(from), to: toMinutes(to) }
}

function toMinutes(time: string): number {
  const [hours, minutes] = time.split(':')
  return Number(hours) * 60 + Number(minutes)
}

export function isWithin({ from, to }: Hours, minutes: number): boolean {
  return minutes >= from && minutes < to
}

/** Returns the minutes after midnight in a time zone. */
export function minutesInZone(now: Date, timeZone: string): number {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  })
  return toMinutes(format.format(now))
}
