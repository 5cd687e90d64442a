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
  readonly limit: RateLimit
  /** A negative cost gives tokens back and is always granted; 0 only reads the bucket. */
  readonly cost: number
}

export interface Bucket {
  /** Tokens taken and not yet refilled, at `atMs`. */
  readonly debt: number
  readonly atMs: number
}

export interface TakeOutcome {
  /** Index of the first take whose bucket has too few tokens; null if all takes are granted. */
  readonly refusedBy: number | null
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
  const debtOf = ({ key, limit }: BucketTake): number => {
    const bucket = buckets.get(key)
    if (bucket === undefined) return 0
    return Math.max(0, bucket.debt - (Math.max(0, nowMs - bucket.atMs) * limit.perSecond) / 1000)
  }
  return requests.map((takes) => {
    const refused = takes.findIndex((take) => take.cost > 0 && debtOf(take) + take.cost > take.limit.burst)
    if (refused < 0)
      for (const take of takes)
        if (take.cost !== 0)
          buckets.set(take.key, { debt: Math.max(0, debtOf(take) + take.cost), atMs: nowMs })
    return { refusedBy: refused < 0 ? null : refused, debts: takes.map(debtOf) }
  })
}
