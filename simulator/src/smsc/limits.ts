/**
 * The two limits a submission can meet: the agreed rate, and the tries a behaviour refuses first.
 * Plain data and functions over it; both stay small whatever the traffic.
 */

/** A token bucket one second deep: a client that keeps the rate is never throttled for its jitter. */
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
 * Counts a try and tells whether it is among the first `refused` ones. The try that passes is forgotten, so the
 * same text sent anew later meets the same behaviour again.
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
