/**
 * The two limits of submissions: the rate, and the tries that a behaviour refuses first. Both use bounded memory at
 * any traffic.
 */

/** A token bucket of one second: a client that keeps the rate is never throttled because of jitter. */
export interface Bucket {
  readonly perSecond: number
  tokens: number
  filledAt: number
}

export function newBucket(perSecond: number, now: number): Bucket {
  return { perSecond, tokens: perSecond, filledAt: now }
}

/** False when the rate is used up. A bucket of rate 0 has no limit. */
export function takeToken(bucket: Bucket, now: number): boolean {
  if (bucket.perSecond === 0) return true
  const passedMs = Math.max(0, now - bucket.filledAt)
  bucket.tokens = Math.min(bucket.perSecond, bucket.tokens + (passedMs * bucket.perSecond) / 1000)
  bucket.filledAt = now
  if (bucket.tokens < 1) return false
  bucket.tokens--
  return true
}

const MAX_REMEMBERED = 100_000

/**
 * Counts a try and returns whether it is among the first `refused` ones. The entry is removed with the try that
 * passes, so the same text gets the same behaviour when it is sent again later.
 */
export function refusesTry(tries: Map<string, number>, key: string, refused: number): boolean {
  if (refused === Infinity) return true
  const before = tries.get(key) ?? 0
  if (before >= refused) {
    tries.delete(key)
    return false
  }
  tries.set(key, before + 1)
  if (tries.size > MAX_REMEMBERED) {
    const [oldest] = tries.keys()
    if (oldest !== undefined) tries.delete(oldest)
  }
  return true
}
