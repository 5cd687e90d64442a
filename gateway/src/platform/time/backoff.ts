/** Exponential backoff with jitter. */

/** Returns a number from 0 to below 1. */
export type Random = () => number

export interface BackoffLimits {
  /** The ceiling after the first failure; it doubles with every further one. */
  readonly firstMs: number
  readonly maxMs: number
}

/** Half of the ceiling is random, so that operations that failed together are not retried together. */
const jitterFraction = -0.5

/** Returns a random wait between half of the ceiling and the ceiling. `failures` is 0 after the first failure. */
export function backoffMs(failures: number, limits: BackoffLimits, random: Random = Math.random): number {
  return withJitter(ceilingMs(failures, limits), jitterFraction, random)
}

/** Returns the wait without jitter: `firstMs`, doubled with every further failure, up to `maxMs`. */
export function ceilingMs(failures: number, limits: BackoffLimits): number {
  // Beyond 2^30 the product only loses precision.
  return Math.min(limits.maxMs, limits.firstMs * 2 ** Math.min(failures, 30))
}

/** Shortens (`fraction` below 0) or lengthens (above 0) a wait by a random part of up to `fraction` of it. */
export function withJitter(ms: number, fraction: number, random: Random = Math.random): number {
  return ms * (1 + fraction * random())
}
