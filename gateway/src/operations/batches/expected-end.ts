import { findOpening, type SendingWindow } from '../../trust/quiet-hours/window.ts'
import { timeInZone } from '../../trust/quiet-hours/zone.ts'

export interface RemainingWork {
  readonly now: Date
  readonly lines: number
  readonly perSecond: number
  /** Hours in which the batch may send; null if it may always send. */
  readonly hours: SendingWindow | null
  readonly startAt: Date | null
  readonly timeZone: string
}

const maxDays = 60

/**
 * Estimates when the last message is created, if the batch keeps its pace within its hours. Returns null if that is too
 * far away to be estimated.
 */
export function estimateEnd({ now, lines, perSecond, hours, startAt, timeZone }: RemainingWork): Date | null {
  let at = Math.max(now.getTime(), startAt?.getTime() ?? 0)
  let restMs = (lines / perSecond) * 1_000
  if (hours === null) return restMs > maxDays * 86_400_000 ? null : new Date(at + restMs)
  for (let day = 0; day <= maxDays; day++) {
    at = findOpening(at, timeInZone(at, timeZone), hours)
    const openMs = (hours.closesAt - timeInZone(at, timeZone).minutes) * 60_000 - (at % 60_000)
    if (restMs <= openMs) return new Date(at + restMs)
    restMs -= openMs
    at += openMs
  }
  return null
}
