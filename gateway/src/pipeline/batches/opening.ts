import type { BatchWork } from '../../records/batches/work.ts'
import { findOpening } from '../../trust/quiet-hours/window.ts'
import { timeInZone } from '../../trust/quiet-hours/zone.ts'

/** Returns when messages of the batch can be created: `now`, or the next start of its hours. */
export function findBatchOpening(
  { startAt, hoursFrom, hoursTo }: Pick<BatchWork, 'startAt' | 'hoursFrom' | 'hoursTo'>,
  now: number,
  timeZone: string,
): number {
  const from = Math.max(now, startAt?.getTime() ?? 0)
  if (hoursFrom === null || hoursTo === null) return from
  const hours = { opensAt: toMinutes(hoursFrom), closesAt: toMinutes(hoursTo) }
  return findOpening(from, timeInZone(from, timeZone), hours)
}

function toMinutes(time: string): number {
  const [hours, minutes] = time.split(':')
  return Number(hours) * 60 + Number(minutes)
}
