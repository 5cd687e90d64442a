/**
 * Rate limits that all processes share through Redis. Requests of one key that arrive while a reply is outstanding share
 * the next call, so that a busy process makes one call for a hundred requests; they are granted in order. While Redis is
 * unavailable or slow, each process limits on its own at the same rate, continuing from the last reply of Redis.
 */
import type { Redis } from 'ioredis'
import { LRUCache } from 'lru-cache'
import { Batcher } from '../../platform/batcher.ts'
import type { Log } from '../../platform/log.ts'
import { withRedisTimeout } from '../../platform/redis.ts'
import { take, type Bucket, type Pace, type Run, type Taken } from './bucket.ts'
import { takeShared } from './script.ts'

export interface Decision {
  readonly granted: boolean
  /** Left in the bucket now. */
  readonly remaining: number
  /** Until the bucket is full again. */
  readonly resetSeconds: number
  /** Until this request would be granted; 0 when it is. */
  readonly retryAfterSeconds: number
}

export interface Limiter {
  consume(key: string, pace: Pace, cost: number): Promise<Decision>
  /** Returns tokens that `consume` granted. */
  giveBack(key: string, pace: Pace, cost: number): Promise<void>
}

export interface LimiterOptions {
  readonly redis: Redis | undefined
  readonly keyPrefix: string
  /** How long a request waits for Redis. */
  readonly waitMs: number
  readonly metrics: { readonly limitsShared: { set(value: number): void } }
  readonly log: Log
}

interface LimitRequest {
  readonly pace: Pace
  readonly cost: number
}

/** After a timeout, Redis is not called for this time, so that requests do not wait for it one after the other. */
const pauseMs = 1_000
const maxRequests = 1_000
/** Keys with tokens taken that one process remembers. A bucket that is full again is forgotten. */
const maxBuckets = 50_000

export function createLimiter(options: LimiterOptions): Limiter {
  const { redis, keyPrefix, waitMs, metrics, log } = options
  const batchers = new Map<string, Batcher<LimitRequest, Decision>>()
  const buckets = new LRUCache<string, Bucket>({ max: maxBuckets })
  let shared = redis !== undefined
  let pausedUntilMs = 0
  metrics.limitsShared.set(shared ? 1 : 0)

  function setShared(now: boolean, reason?: Error): void {
    if (now === shared) return
    shared = now
    metrics.limitsShared.set(now ? 1 : 0)
    if (now) log.info({}, 'rate limits are shared through Redis again')
    else
      log.warn(
        { err: reason },
        'Redis is unavailable or slow; until it recovers, each process limits on its own',
      )
  }

  // Notices an outage without traffic too. Not by 'close', which a regular shutdown emits as well.
  redis?.on('reconnecting', () => setShared(false))
  redis?.on('ready', () => setShared(true))

  async function takeAnywhere(key: string, pace: Pace, runs: readonly Run[]): Promise<Taken> {
    if (redis?.status === 'ready' && performance.now() >= pausedUntilMs) {
      try {
        const taken = await withRedisTimeout(
          waitMs,
          takeShared(redis, `${keyPrefix}limit:${key}`, pace, runs),
        )
        setShared(true)
        return taken
      } catch (error) {
        pausedUntilMs = performance.now() + pauseMs
        setShared(false, error as Error)
      }
    } else if (redis !== undefined) setShared(false)
    return take(buckets.get(key), pace, runs, performance.now())
  }

  async function decide(key: string, requests: readonly LimitRequest[]): Promise<Decision[]> {
    const { pace } = requests[0]!
    const runs = toRuns(requests)
    const { grants, debt } = await takeAnywhere(key, pace, runs)
    const fullInMs = Math.ceil((1000 * debt) / pace.perSecond) + 1
    buckets.set(key, { debt, atMs: performance.now() }, { ttl: fullInMs })
    return runs.flatMap((run, index) => decisions(run, grants[index] ?? 0, debt, pace))
  }

  async function consume(key: string, pace: Pace, cost: number): Promise<Decision> {
    let batcher = batchers.get(key)
    if (batcher === undefined) {
      batcher = new Batcher({ maxItems: maxRequests, concurrency: 1 }, (requests) => decide(key, requests))
      batchers.set(key, batcher)
    }
    try {
      return await batcher.add({ pace, cost })
    } finally {
      // Keys come from clients: what is idle is removed.
      if (batcher.isIdle && batchers.get(key) === batcher) batchers.delete(key)
    }
  }

  return {
    consume,
    async giveBack(key, pace, cost) {
      await consume(key, pace, -cost)
    },
  }
}

function toRuns(requests: readonly LimitRequest[]): Run[] {
  const runs: { cost: number; count: number }[] = []
  for (const { cost } of requests) {
    const last = runs.at(-1)
    if (last?.cost === cost) last.count++
    else runs.push({ cost, count: 1 })
  }
  return runs
}

function decisions(
  { cost, count }: Run,
  grants: number,
  debt: number,
  { perSecond, burst }: Pace,
): Decision[] {
  const level = {
    remaining: Math.max(0, Math.floor(burst - debt)),
    resetSeconds: Math.ceil(debt / perSecond),
  }
  const yes: Decision = { ...level, granted: true, retryAfterSeconds: 0 }
  const wait = Math.max(1, Math.ceil((debt + cost - burst) / perSecond))
  const no: Decision = { ...level, granted: false, retryAfterSeconds: wait }
  return Array.from({ length: count }, (_, index) => (index < grants ? yes : no))
}
