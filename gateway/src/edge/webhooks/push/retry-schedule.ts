import { withJitter, type Random } from '../../../platform/time/backoff.ts'
import { clock, type Clock } from '../../../platform/time/clock.ts'
import { pushLifetimeMs } from '../webhook.ts'

/** Lengthens each wait by up to a fifth, so that pushes that failed together are not retried together. */
const jitterShare = 0.2
/** Upper limit for Retry-After, applied by `push.ts`. */
export const maxPushRetryAfterMs = 86_400_000

export interface FailedAttempt {
  /** Number of failed attempts so far, including this one. */
  readonly tries: number
  /** When the push was created; it expires `pushLifetimeMs` later. */
  readonly createdAt: Date
  readonly retryAfterMs: number | null
}

/**
 * Returns when a failed push is retried: after the wait of the schedule with jitter, and no sooner than Retry-After.
 * `scheduleMs` has the wait after each failure. Returns null if the schedule is exhausted or the push would expire
 * before the retry.
 */
export function computeRetryTime(
  failed: FailedAttempt,
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
