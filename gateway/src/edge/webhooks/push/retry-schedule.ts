import { withJitter, type Random } from '../../../platform/time/backoff.ts'
import { clock, type Clock } from '../../../platform/time/clock.ts'
import { pushLifetimeMs } from '../webhook.ts'

/** Adds up to a fifth, so pushes that failed together are not retried together. */
const jitterShare = 0.2
/** Upper limit for Retry-After. */
export const maxPushRetryAfterMs = 86_400_000

export interface FailedAttempt {
  /** Number of failed attempts so far, including this one. */
  readonly tries: number
  readonly createdAt: Date
  readonly retryAfterMs: number | null
}

/**
 * Returns when a failed push is retried, by the schedule with jitter and no sooner than Retry-After; null if
 * it is abandoned.
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
