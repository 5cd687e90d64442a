/** The pace of a batch: when it creates messages, how many at once, and how many of them may wait. */
import type { BatchWork } from '../../records/batches/work.ts'
import { findOpening } from '../../trust/quiet-hours/window.ts'
import { timeInZone } from '../../trust/quiet-hours/zone.ts'

const backlogSeconds = 5
const minBacklog = 2_000

/** Returns how many messages of the batch may wait for their submission. A pause or a cancellation must stop all of them. */
export function getMaxBacklog(speed: number | null): number {
  return Math.max(minBacklog, backlogSeconds * (speed ?? 0))
}

/** A batch makes up for at most this much of a delay: two busy workers reach each of 200 batches about every 13 seconds. */
const maxCatchUpMs = 30_000

/**
 * Returns how late the batch is. `dueAt` is in the future after the clock was put back.
 */
function findLateness(dueAt: number, now: number): number {
  return Math.min(Math.max(0, now - dueAt), maxCatchUpMs)
}

/**
 * Returns the maximum number of messages that are created together, as far as they fit: those of the next second, and
 * those that are late. Otherwise the speed would depend on how often a worker reaches the batch.
 */
export function limitSlice(speed: number | null, maxItems: number, dueAt: number, now: number): number {
  if (speed === null) return maxItems
  return Math.min(maxItems, Math.floor(speed * (1 + findLateness(dueAt, now) / 1_000)))
}

/** Returns when the next messages are due, if those that were due at `dueAt` are created now. */
export function findNextDue(speed: number | null, messages: number, dueAt: number, now: number): number {
  if (speed === null) return now
  return now - findLateness(dueAt, now) + (messages / speed) * 1_000
}

/** Returns when messages of the batch can be created: the later of `now` and its start, or the next start of its hours. */
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
