/** When a failed push is tried again: by the schedule with jitter, and no sooner than Retry-After asks. */
import { withJitter, type Random } from '../platform/backoff.ts'
import { clock, type Clock } from '../platform/clock.ts'
import { pushLifetimeMs } from './webhook.ts'

/** Adds up to a fifth, so that pushes that failed together are not retried together. */
const jitterShare = 0.2
/** A longer Retry-After is cut to this. */
export const maxRetryAfterMs = 86_400_000

export interface FailedTry {
  /** Failed tries so far, including this one. */
  readonly tries: number
  readonly createdAt: Date
  readonly retryAfterMs: number | null
}

/** Null: given up. */
export function nextTry(
  failed: FailedTry,
  scheduleMs: readonly number[],
  time: Pick<Clock, 'now' | 'cutoff'> = clock,
  random: Random = Math.random,
): Date | null {
  const planned = scheduleMs[failed.tries - 1]
  if (planned === undefined) return null
  const waitMs = Math.max(withJitter(planned, jitterShare, random), failed.retryAfterMs ?? 0)
  const willExpire = failed.createdAt.getTime() < time.cutoff(pushLifetimeMs - waitMs).getTime()
  return willExpire ? null : new Date(time.now() + waitMs)
}
