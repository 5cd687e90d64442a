/**
 * Token buckets: over any time t a bucket grants at most `perSecond` × t + `burst`, and everything up to
 * that. Its state is the number of tokens taken and not yet refilled, so a changed limit takes effect
 * immediately. `script.ts` runs the same algorithm inside Redis.
 */
export interface RateLimit {
  readonly perSecond: number
  readonly burst: number
}

export interface BucketTake {
  readonly key: string
  readonly pace: RateLimit
  /** A negative cost returns tokens and is always granted; 0 only reads the bucket. */
  readonly cost: number
}

export interface Bucket {
  /** Tokens taken and not yet refilled, at `atMs`. */
  readonly debt: number
  readonly atMs: number
}

export interface TakeOutcome {
  /** Index of the first bucket without enough tokens; -1 if all takes are granted. */
  readonly lacking: number
  /** Debt of the bucket of each take. */
  readonly debts: readonly number[]
}

/** A request can cost 10, and must fit into the bucket of the smallest limit. */
export const minBurst = 10

export function toRateLimit(perSecond: number): RateLimit {
  return { perSecond, burst: Math.max(perSecond, minBurst) }
}

/** Takes from all buckets of a request or from none, request by request, and stores the new buckets. */
export function takeLocally(
  buckets: { get(key: string): Bucket | undefined; set(key: string, bucket: Bucket): unknown },
  requests: readonly (readonly BucketTake[])[],
  nowMs: number,
): TakeOutcome[] {
  const debtOf = ({ key, pace }: BucketTake): number => {
    const bucket = buckets.get(key)
    if (bucket === undefined) return 0
    return Math.max(0, bucket.debt - (Math.max(0, nowMs - bucket.atMs) * pace.perSecond) / 1000)
  }
  return requests.map((takes) => {
    const lacking = takes.findIndex((one) => one.cost > 0 && debtOf(one) + one.cost > one.pace.burst)
    if (lacking < 0)
      for (const one of takes)
        if (one.cost !== 0) buckets.set(one.key, { debt: Math.max(0, debtOf(one) + one.cost), atMs: nowMs })
    return { lacking, debts: takes.map(debtOf) }
  })
}
