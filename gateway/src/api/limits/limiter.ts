/**
 * Asks for a place under a limit that all processes share. Asks of one key that come while an answer is under way
 * travel together, so that a busy process makes one call where it has a hundred requests; they are granted in order.
 * While Redis is away or slow this process limits for itself, at the same rate, going on from what Redis said last.
 */
import type { Redis } from 'ioredis'
import { Batcher } from '../../platform/batcher.ts'
import type { Log } from '../../platform/log.ts'
import type { Metrics } from '../../platform/metrics.ts'
import { withRedisTimeout } from '../../platform/redis.ts'
import { take, type Bucket, type Pace, type Run, type Taken } from './bucket.ts'
import { takeShared } from './script.ts'

export interface Verdict {
  readonly granted: boolean
  /** Left in the bucket now. */
  readonly remaining: number
  /** Until the bucket is full again. */
  readonly resetSeconds: number
  /** Until this ask would be granted; 0 when it is. */
  readonly retryAfterSeconds: number
}

export interface Limiter {
  ask(key: string, pace: Pace, cost: number): Promise<Verdict>
}

export interface LimiterOptions {
  readonly redis: Redis | undefined
  readonly keyPrefix: string
  /** How long an ask waits for Redis. */
  readonly waitMs: number
  readonly metrics: Pick<Metrics, 'limitsShared'>
  readonly log: Log
}

interface Ask {
  readonly pace: Pace
  readonly cost: number
}

/** After Redis was slow: nobody waits for it during this time. */
const restMs = 1_000
const maxAsks = 1_000

export function createLimiter(options: LimiterOptions): Limiter {
  const { redis, keyPrefix, waitMs, metrics, log } = options
  const batchers = new Map<string, Batcher<Ask, Verdict>>()
  const buckets = new Map<string, Bucket>()
  let shared = redis !== undefined
  let restUntilMs = 0
  metrics.limitsShared.set(shared ? 1 : 0)

  function nowShared(now: boolean, reason?: Error): void {
    if (now === shared) return
    shared = now
    metrics.limitsShared.set(now ? 1 : 0)
    if (now) log.info({}, 'limits are shared again')
    else log.warn({ err: reason }, 'redis is away or slow; this process limits for itself')
  }

  // Known without traffic too; not by 'close', which is also how we ourselves leave.
  redis?.on('reconnecting', () => nowShared(false))
  redis?.on('ready', () => nowShared(true))

  async function takeAnywhere(key: string, pace: Pace, runs: readonly Run[]): Promise<Taken> {
    if (redis?.status === 'ready' && performance.now() >= restUntilMs) {
      try {
        const taken = await withRedisTimeout(
          waitMs,
          takeShared(redis, `${keyPrefix}limit:${key}`, pace, runs),
        )
        nowShared(true)
        return taken
      } catch (error) {
        restUntilMs = performance.now() + restMs
        nowShared(false, error as Error)
      }
    } else if (redis !== undefined) nowShared(false)
    return take(buckets.get(key), pace, runs, performance.now())
  }

  async function decide(key: string, asks: readonly Ask[]): Promise<Verdict[]> {
    const { pace } = asks[0]!
    const runs = toRuns(asks)
    const { grants, debt } = await takeAnywhere(key, pace, runs)
    buckets.set(key, { debt, atMs: performance.now() })
    return runs.flatMap((run, index) => verdicts(run, grants[index] ?? 0, debt, pace))
  }

  return {
    ask(key, pace, cost) {
      let batcher = batchers.get(key)
      if (batcher === undefined) {
        batcher = new Batcher({ maxItems: maxAsks, concurrency: 1 }, (asks) => decide(key, asks))
        batchers.set(key, batcher)
      }
      return batcher.add({ pace, cost })
    },
  }
}

function toRuns(asks: readonly Ask[]): Run[] {
  const runs: { cost: number; count: number }[] = []
  for (const { cost } of asks) {
    const last = runs.at(-1)
    if (last?.cost === cost) last.count++
    else runs.push({ cost, count: 1 })
  }
  return runs
}

function verdicts({ cost, count }: Run, grants: number, debt: number, { perSecond, burst }: Pace): Verdict[] {
  const level = {
    remaining: Math.max(0, Math.floor(burst - debt)),
    resetSeconds: Math.ceil(debt / perSecond),
  }
  const yes: Verdict = { ...level, granted: true, retryAfterSeconds: 0 }
  const wait = Math.max(1, Math.ceil((debt + cost - burst) / perSecond))
  const no: Verdict = { ...level, granted: false, retryAfterSeconds: wait }
  return Array.from({ length: count }, (_, index) => (index < grants ? yes : no))
}
