/** The token bucket, in a process and in Redis: never more than rate × time + burst, and never less. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { Redis } from 'ioredis'
import { atEnd } from '../../../test/support/cleanup.ts'
import { serviceUrl } from '../../../test/support/services.ts'
import { paceOf, take, type Bucket, type Pace } from './bucket.ts'
import { takeShared } from './script.ts'

const keyPrefix = `test-${randomBytes(6).toString('hex')}-`
const connections = Array.from({ length: 4 }, () => {
  const redis = new Redis(serviceUrl('POSTERN_REDIS_URL'))
  atEnd(() => redis.disconnect())
  return redis
})
const redis = connections[0]!
atEnd(async () => {
  const keys = await redis.keys(`${keyPrefix}*`)
  if (keys.length > 0) await redis.del(keys)
})
let used = 0
const freshKey = (): string => `${keyPrefix}${++used}`

/** Microseconds. */
async function redisClock(): Promise<number> {
  const [seconds, microseconds] = await redis.time()
  return Number(seconds) * 1_000_000 + Number(microseconds)
}

const runs = fc.array(fc.record({ cost: fc.integer({ min: 1, max: 10 }), count: fc.nat(50) }), {
  minLength: 1,
  maxLength: 5,
})
const runsWithReturns = fc.array(
  fc.record({
    cost: fc.oneof(fc.integer({ min: 1, max: 10 }), fc.integer({ min: -10, max: -1 })),
    count: fc.nat(50),
  }),
  { minLength: 1, maxLength: 5 },
)
const spent = (grants: readonly number[], requested: readonly { cost: number }[]): number =>
  grants.reduce((sum, granted, index) => sum + granted * requested[index]!.cost, 0)

test('never grants more than rate × time + burst, for any sequence of requests', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 5_000 }),
      fc.array(fc.tuple(fc.double({ min: 0, max: 3_000, noNaN: true }), runs), { maxLength: 60 }),
      (perSecond, batches) => {
        const pace = paceOf(perSecond)
        let bucket: Bucket | undefined
        let total = 0
        let nowMs = 0
        for (const [pauseMs, requested] of batches) {
          nowMs += pauseMs
          const taken = take(bucket, pace, requested, nowMs)
          bucket = { debt: taken.debt, atMs: nowMs }
          total += spent(taken.grants, requested)
          const max = (perSecond * nowMs) / 1000 + pace.burst
          assert.ok(total <= max + 1e-6, `${total} of ${max}`)
        }
      },
    ),
  )
})

test('grants every request for which enough tokens are left at its time', () => {
  fc.assert(
    fc.property(runs, fc.nat(1_000), (requested, owed) => {
      const pace = paceOf(500)
      const { grants } = take({ debt: owed, atMs: 0 }, pace, requested, 0)
      let debt = owed
      requested.forEach(({ cost, count }, index) => {
        debt += grants[index]! * cost
        if (grants[index]! < count) assert.ok(debt + cost > pace.burst)
      })
    }),
  )
})

test('a clock that goes backwards refills nothing', () => {
  const pace = paceOf(100)
  const { debt, grants } = take({ debt: 100, atMs: 5_000 }, pace, [{ cost: 1, count: 5 }], 1_000)
  assert.deepEqual([debt, grants], [100, [0]])
})

test('Redis grants the same as a process, request by request', async () => {
  // So slow that nothing is refilled while the test runs.
  const pace: Pace = { perSecond: 0.001, burst: 100 }
  await fc.assert(
    fc.asyncProperty(fc.array(runsWithReturns, { maxLength: 8 }), async (batches) => {
      const key = freshKey()
      let bucket: Bucket | undefined
      for (const requested of batches) {
        const shared = await takeShared(redis, key, pace, requested)
        const own = take(bucket, pace, requested, 0)
        assert.deepEqual(shared.grants, own.grants)
        assert.ok(Math.abs(shared.debt - own.debt) < 0.01)
        bucket = { debt: own.debt, atMs: 0 }
      }
    }),
    { numRuns: 50 },
  )
})

test('Redis never grants more than rate × time + burst to concurrent connections', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 20_000 }),
      fc.array(fc.tuple(fc.nat(3), runs), { minLength: 1, maxLength: 200 }),
      async (perSecond, batches) => {
        const [key, pace] = [freshKey(), paceOf(perSecond)]
        const begin = await redisClock()
        const granted = await Promise.all(
          batches.map(async ([who, requested]) =>
            spent((await takeShared(connections[who]!, key, pace, requested)).grants, requested),
          ),
        )
        const seconds = ((await redisClock()) - begin) / 1e6
        const total = granted.reduce((sum, count) => sum + count, 0)
        assert.ok(total <= perSecond * seconds + pace.burst + 1e-6, `${total} in ${seconds} s`)
      },
    ),
    { numRuns: 60 },
  )
})

test('a bucket in Redis expires when it is full again', async () => {
  const key = freshKey()
  await takeShared(redis, key, paceOf(100), [{ cost: 1, count: 50 }])
  const leftMs = await redis.pttl(key)
  assert.ok(leftMs > 0 && leftMs <= 502, `${leftMs} ms`)
})

test('a lowered limit takes effect immediately', async () => {
  const key = freshKey()
  await takeShared(redis, key, paceOf(1_000), [{ cost: 1, count: 400 }])
  const { grants } = await takeShared(redis, key, paceOf(10), [{ cost: 1, count: 5 }])
  assert.deepEqual(grants, [0])
})
