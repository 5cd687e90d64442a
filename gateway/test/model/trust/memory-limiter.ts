import { takeLocally, type Bucket } from '../../../src/platform/limiter/bucket.ts'
import type { VelocityOptions } from '../../../src/trust/abuse/velocity.ts'

/** Creates a limiter in memory with the clock of the model. */
export function createMemoryLimiter(now: () => number): VelocityOptions['limiter'] {
  const buckets = new Map<string, Bucket>()
  return {
    consumeAll: (takes) => Promise.resolve(takeLocally(buckets, [takes], now())[0]!),
    giveBack(key, limit, cost) {
      takeLocally(buckets, [[{ key, limit, cost: -cost }]], now())
      return Promise.resolve()
    },
  }
}

/**
 * Reports whether a message at `now` no longer fits into a bucket of `max` messages that refills in `refillMs`,
 * after messages at these times.
 */
export function isBucketEmpty(times: readonly number[], max: number, refillMs: number, now: number): boolean {
  let used = 0
  let last = 0
  for (const at of [...times, now]) {
    used = Math.max(0, used - ((at - last) * max) / refillMs) + 1
    last = at
  }
  // Times are whole seconds, so real differences are far larger than 1e-9; smaller ones are rounding errors.
  return used > max + 1e-9
}
