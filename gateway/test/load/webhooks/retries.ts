/** Checks attempts against the schedule: none early, and none later than its jitter and a tolerance. */
import { percentile } from '../../support/measure/statistics.ts'

/** The jitter of the schedule: up to a fifth more. */
const jitterFraction = 0.2
/** Times are stored in whole milliseconds, rounded down. */
const clockMs = 2

export interface RetryFigures {
  readonly count: number
  readonly onSchedule: number
  /** Number of attempts before the planned time. */
  readonly early: number
  readonly maxEarlyMs: number
  /** Milliseconds after the planned time and the full jitter; 0 within it. */
  readonly lateP99Ms: number
  readonly maxLateMs: number
  /** Number of reports with more attempts than the schedule has. */
  readonly tooOften: number
}

export function checkRetries(
  tries: Iterable<readonly number[]>,
  scheduleMs: readonly number[],
  toleranceMs: number,
): RetryFigures {
  const lates: number[] = []
  let [onSchedule, early, maxEarlyMs, tooOften] = [0, 0, 0, 0]
  for (const times of tries) {
    if (times.length > scheduleMs.length + 1) tooOften++
    for (const [index, plannedMs] of scheduleMs.slice(0, times.length - 1).entries()) {
      const gapMs = times[index + 1]! - times[index]!
      const earlyMs = Math.max(0, plannedMs - gapMs - clockMs)
      const lateMs = Math.max(0, gapMs - plannedMs * (1 + jitterFraction))
      lates.push(lateMs)
      maxEarlyMs = Math.max(maxEarlyMs, earlyMs)
      if (earlyMs > 0) early++
      else if (lateMs <= toleranceMs) onSchedule++
    }
  }
  const sorted = lates.toSorted((one, other) => one - other)
  return {
    count: lates.length,
    onSchedule,
    early,
    maxEarlyMs,
    tooOften,
    lateP99Ms: percentile(sorted, 0.99) || 0,
    maxLateMs: sorted.at(-1) ?? 0,
  }
}
