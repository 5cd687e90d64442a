/**
 * Two limits of submissions, both in bounded memory: the rate, and the number of tries that a behaviour
 * refuses first.
 */

/**
 * A token bucket that holds one second of the rate, so that jitter does not throttle a client that keeps the
 * rate.
 */
export interface Bucket {
  readonly perSecond: number
  tokens: number
  filledAt: number
}

export function newBucket(perSecond: number, now: number): Bucket {
  return { perSecond, tokens: perSecond, filledAt: now }
}

/** Returns false if the rate is exceeded. A bucket with rate 0 has no limit. */
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
 * Counts a try and returns whether it is among the first `refused` ones. The entry is removed with the first
 * try that passes, so a later submission of the same content is refused again.
 */
export function shouldRefuseTry(tries: Map<string, number>, key: string, refused: number): boolean {
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
