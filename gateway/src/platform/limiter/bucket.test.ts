import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { Redis } from 'ioredis'
import { addCleanup } from '../../../test/support/cleanup.ts'
import { serviceUrl } from '../../../test/support/engines/services.ts'
import {
  toRateLimit,
  takeLocally,
  type Bucket,
  type TakeOutcome,
  type RateLimit,
  type BucketTake,
} from './bucket.ts'
import { takeShared } from './script.ts'

const keyPrefix = `test-${randomBytes(6).toString('hex')}-`
const connections = Array.from({ length: 4 }, () => {
  const redis = new Redis(serviceUrl('POSTERN_REDIS_URL'))
  addCleanup(() => redis.disconnect())
  return redis
})
const redis = connections[0]!
addCleanup(async () => {
  const keys = await redis.keys(`${keyPrefix}*`)
  if (keys.length > 0) await redis.del(keys)
})
let used = 0
const freshKey = (): string => `${keyPrefix}${++used}`

/** Returns the time of Redis in microseconds. */
async function redisClock(): Promise<number> {
  const [seconds, microseconds] = await redis.time()
  return Number(seconds) * 1_000_000 + Number(microseconds)
}

const anyCosts = fc.array(fc.integer({ min: 1, max: 10 }), { minLength: 1, maxLength: 50 })
const toRequests = (key: string, limit: RateLimit, costs: readonly number[]): BucketTake[][] =>
  costs.map((cost) => [{ key, limit, cost }])
const sumGranted = (outcomes: readonly TakeOutcome[], costs: readonly number[]): number =>
  outcomes.reduce((sum, { refusedBy }, index) => sum + (refusedBy === null ? costs[index]! : 0), 0)

test('a bucket never grants more than rate × time + burst', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 5_000 }),
      fc.array(fc.tuple(fc.double({ min: 0, max: 3_000, noNaN: true }), anyCosts), { maxLength: 60 }),
      (perSecond, batches) => {
        const limit = toRateLimit(perSecond)
        const buckets = new Map<string, Bucket>()
        let total = 0
        let nowMs = 0
        for (const [pauseMs, costs] of batches) {
          nowMs += pauseMs
          total += sumGranted(takeLocally(buckets, toRequests('a', limit, costs), nowMs), costs)
          const max = (perSecond * nowMs) / 1000 + limit.burst
          assert.ok(total <= max + 1e-6, `${total} of ${max}`)
        }
      },
    ),
  )
})

test('a bucket grants every request with enough tokens', () => {
  fc.assert(
    fc.property(anyCosts, fc.nat(600), (costs, initialDebt) => {
      const buckets = new Map<string, Bucket>([['a', { debt: initialDebt, atMs: 0 }]])
      let debt = initialDebt
      takeLocally(buckets, toRequests('a', toRateLimit(500), costs), 0).forEach(({ refusedBy }, index) => {
        assert.equal(refusedBy === null, debt + costs[index]! <= 500)
        if (refusedBy === null) debt += costs[index]!
      })
    }),
  )
})

test('a clock that goes backwards refills nothing', () => {
  const buckets = new Map<string, Bucket>([['a', { debt: 100, atMs: 5_000 }]])
  const outcomes = takeLocally(buckets, toRequests('a', toRateLimit(100), [1]), 1_000)
  assert.deepEqual(outcomes, [{ refusedBy: 0, debts: [100] }])
})

test('Redis and a process grant the same requests over several buckets', async () => {
  // Refills too slowly for a token to return while the test runs.
  const limit: RateLimit = { perSecond: 0.001, burst: 30 }
  const take = fc.record({ bucket: fc.nat(2), cost: fc.integer({ min: -5, max: 10 }) })
  const requests = fc.array(
    fc.uniqueArray(take, { minLength: 1, maxLength: 3, selector: ({ bucket }) => bucket }),
    { minLength: 1, maxLength: 20 },
  )
  await fc.assert(
    fc.asyncProperty(fc.array(requests, { maxLength: 8 }), async (batches) => {
      const prefix = freshKey()
      const buckets = new Map<string, Bucket>()
      for (const batch of batches) {
        const takeGroups = batch.map((takes) =>
          takes.map(({ bucket, cost }): BucketTake => ({ key: `-${bucket}`, limit, cost })),
        )
        const inRedis = await takeShared(redis, prefix, takeGroups)
        const inProcess = takeLocally(buckets, takeGroups, 0)
        assert.deepEqual(
          inRedis.map(({ refusedBy }) => refusedBy),
          inProcess.map(({ refusedBy }) => refusedBy),
        )
      }
    }),
    { numRuns: 50 },
  )
})

test('Redis never grants more than rate × time + burst to concurrent connections', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 20_000 }),
      fc.array(fc.tuple(fc.nat(3), anyCosts), { minLength: 1, maxLength: 200 }),
      async (perSecond, batches) => {
        const [key, limit] = [freshKey(), toRateLimit(perSecond)]
        const begin = await redisClock()
        const granted = await Promise.all(
          batches.map(async ([connection, costs]) =>
            sumGranted(await takeShared(connections[connection]!, '', toRequests(key, limit, costs)), costs),
          ),
        )
        const seconds = ((await redisClock()) - begin) / 1e6
        const total = granted.reduce((sum, count) => sum + count, 0)
        assert.ok(total <= perSecond * seconds + limit.burst + 1e-6, `${total} in ${seconds} s`)
      },
    ),
    { numRuns: 60 },
  )
})

test('a bucket in Redis expires when it is full again', async () => {
  const key = freshKey()
  await takeShared(redis, '', [[{ key, limit: toRateLimit(100), cost: 50 }]])
  // 50 tokens are refilled within 500 ms; the script rounds up.
  const leftMs = await redis.pttl(key)
  assert.ok(leftMs > 0 && leftMs <= 502, `${leftMs} ms`)
})

test('a lowered limit takes effect immediately', async () => {
  const key = freshKey()
  await takeShared(redis, '', [[{ key, limit: toRateLimit(1_000), cost: 400 }]])
  const [outcome] = await takeShared(redis, '', [[{ key, limit: toRateLimit(10), cost: 5 }]])
  assert.equal(outcome!.refusedBy, 0)
})
