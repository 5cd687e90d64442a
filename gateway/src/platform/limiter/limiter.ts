/**
 * Rate limits that all processes share through Redis. Requests that arrive while a reply is outstanding share
 * the next call, so a busy process makes one call for hundreds of requests; they are granted in order. While
 * Redis is unavailable or slow, each process enforces the same rates locally, continuing from the last reply
 * of Redis.
 */
import type { Redis } from 'ioredis'
import { LRUCache } from 'lru-cache'
import { Batcher } from '../database/batcher.ts'
import type { Log } from '../logging/log.ts'
import { withRedisTimeout } from '../redis.ts'
import { takeLocally, type Bucket, type TakeOutcome, type RateLimit, type BucketTake } from './bucket.ts'
import { takeShared } from './script.ts'

export interface Decision {
  readonly granted: boolean
  /** Tokens left in the bucket. */
  readonly remaining: number
  /** Seconds until the bucket is full again. */
  readonly resetSeconds: number
  /** Seconds until this request would be granted; 0 if it is. */
  readonly retryAfterSeconds: number
}

/** A key begins with its kind and a colon. */
export interface Limiter {
  consume(key: string, limit: RateLimit, cost: number): Promise<Decision>
  /** Takes from all buckets or from none. */
  consumeAll(takes: readonly BucketTake[]): Promise<TakeOutcome>
  /** Gives back tokens that were granted but not used. */
  giveBack(key: string, limit: RateLimit, cost: number): Promise<void>
}

export interface LimiterOptions {
  readonly redis: Redis | undefined
  readonly keyPrefix: string
  /** Maximum time a request waits for Redis. */
  readonly waitMs: number
  readonly metrics: { readonly limitsShared: { set(value: number): void } } | undefined
  readonly log: Log
}

/**
 * Redis is not called for this time after a timeout or an error, so that requests do not wait for it one after
 * the other.
 */
const pauseMs = 1_000
/** Limits the time for which one call occupies Redis. */
const maxRequests = 500
/**
 * Buckets per kind that a process remembers for an outage of Redis. A bucket that is full again is dropped.
 */
const maxBuckets = 50_000

export function createLimiter(options: LimiterOptions): Limiter {
  const { redis, keyPrefix, waitMs, metrics, log } = options
  const buckets = new LocalBuckets()
  const batcher = new Batcher({ maxItems: maxRequests, concurrency: 1 }, decide)
  let shared = redis !== undefined
  let pausedUntilMs = 0
  metrics?.limitsShared.set(shared ? 1 : 0)

  function setShared(isShared: boolean, reason?: Error): void {
    if (isShared === shared) return
    shared = isShared
    metrics?.limitsShared.set(isShared ? 1 : 0)
    if (isShared) log.info({}, 'rate limits are shared through Redis again')
    else
      log.warn(
        { err: reason },
        'Redis is unavailable or slow; until it recovers, each process enforces rate limits locally',
      )
  }

  // Detects an outage without traffic. The event 'close' is not used, because a regular shutdown also emits
  // it.
  redis?.on('reconnecting', () => setShared(false))
  redis?.on('ready', () => setShared(true))

  async function decide(requests: readonly (readonly BucketTake[])[]): Promise<TakeOutcome[]> {
    if (redis?.status === 'ready' && performance.now() >= pausedUntilMs) {
      try {
        const outcomes = await withRedisTimeout(waitMs, takeShared(redis, `${keyPrefix}limit:`, requests))
        setShared(true)
        requests.forEach((takes, index) => remember(takes, outcomes[index]!.debts))
        return outcomes
      } catch (error) {
        pausedUntilMs = performance.now() + pauseMs
        setShared(false, error as Error)
      }
    } else if (redis !== undefined) setShared(false)
    const outcomes = takeLocally(buckets, requests, performance.now())
    requests.forEach((takes, index) => remember(takes, outcomes[index]!.debts))
    return outcomes
  }

  function remember(takes: readonly BucketTake[], debts: readonly number[]): void {
    const atMs = performance.now()
    takes.forEach(({ key, limit }, index) => {
      const debt = debts[index]!
      buckets.set(key, { debt, atMs }, Math.ceil((1000 * debt) / limit.perSecond) + 1)
    })
  }

  return {
    async consume(key, limit, cost) {
      const { refusedBy, debts } = await batcher.add([{ key, limit, cost }])
      return toDecision(refusedBy === null, debts[0]!, limit, cost)
    },
    consumeAll: (takes) => batcher.add(takes),
    async giveBack(key, limit, cost) {
      await batcher.add([{ key, limit, cost: -cost }])
    },
  }
}

/**
 * Separates the kinds of keys: rotating keys of one kind, such as client ids, must not evict those of
 * another.
 */
class LocalBuckets {
  readonly #byKind = new Map<string, LRUCache<string, Bucket>>()

  get(key: string): Bucket | undefined {
    return this.#sameKind(key).get(key)
  }

  set(key: string, bucket: Bucket, ttlMs = 0): void {
    this.#sameKind(key).set(key, bucket, { ttl: ttlMs })
  }

  #sameKind(key: string): LRUCache<string, Bucket> {
    const kind = key.slice(0, key.indexOf(':'))
    let buckets = this.#byKind.get(kind)
    if (buckets === undefined) this.#byKind.set(kind, (buckets = new LRUCache({ max: maxBuckets })))
    return buckets
  }
}

function toDecision(granted: boolean, debt: number, { perSecond, burst }: RateLimit, cost: number): Decision {
  return {
    granted,
    remaining: Math.max(0, Math.floor(burst - debt)),
    resetSeconds: Math.ceil(debt / perSecond),
    retryAfterSeconds: granted ? 0 : Math.max(1, Math.ceil((debt + cost - burst) / perSecond)),
  }
}
