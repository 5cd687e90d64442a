import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Redis } from 'ioredis'
import { createProxy } from '../../../test/support/engines/proxy.ts'
import { silentLog, testMetrics } from '../../../test/support/silent-log.ts'
import { createTestRedis, openRedis } from '../../../test/support/engines/redis.ts'
import { assertWithin, waitFor } from '../../../test/support/wait.ts'
import type { Log } from '../logging/log.ts'
import type { Metrics } from '../metrics.ts'
import { toRateLimit, type RateLimit, type BucketTake } from './bucket.ts'
import { createLimiter, type Limiter } from './limiter.ts'

const { redis: sharedRedis, url, keyPrefix } = await createTestRedis()
/** Refills too slowly for a token to return while a test runs. */
const frozen: RateLimit = { perSecond: 0.001, burst: 20 }

interface Fixture {
  readonly limiter: Limiter
  readonly metrics: Metrics
  readonly lines: string[]
}

function createFixture(redis: Redis | undefined, waitMs = 500): Fixture {
  const metrics = testMetrics()
  const lines: string[] = []
  const note = (_fields: object, text: string): void => void lines.push(text)
  const log: Log = Object.assign(Object.create(silentLog) as Log, { info: note, warn: note })
  return { limiter: createLimiter({ redis, keyPrefix, waitMs, metrics, log }), metrics, lines }
}

async function countGranted(
  limiter: Limiter,
  key: string,
  count: number,
  limit = frozen,
  cost = 1,
): Promise<number> {
  const decisions = await Promise.all(Array.from({ length: count }, () => limiter.consume(key, limit, cost)))
  return decisions.filter((decision) => decision.granted).length
}
const isShared = async ({ metrics }: Fixture): Promise<boolean> =>
  (await metrics.limitsShared.get()).values[0]!.value === 1

test('several processes together grant as much as one alone', async () => {
  const fixtures = Array.from({ length: 4 }, () => createFixture(sharedRedis))
  const counts = await Promise.all(fixtures.map(({ limiter }) => countGranted(limiter, 'together', 15)))
  assert.equal(
    counts.reduce((sum, count) => sum + count, 0),
    20,
  )
})

test('concurrent requests share one call and are granted in order', async () => {
  const calls: string[] = []
  const counting = new Proxy(sharedRedis, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name)
      if (typeof member !== 'function') return member
      return (...args: unknown[]): unknown => {
        calls.push(String(name))
        return member.apply(target, args) as unknown
      }
    },
  })
  const { limiter } = createFixture(counting)
  await limiter.consume('script', frozen, 1)
  calls.length = 0
  await Promise.all(['one', 'two', 'three'].map((key) => limiter.consume(key, frozen, 1)))
  assert.deepEqual(calls, ['takeTokens'])
  calls.length = 0
  const decisions = await Promise.all(Array.from({ length: 30 }, () => limiter.consume('moment', frozen, 1)))
  assert.deepEqual(calls, ['takeTokens'])
  assert.deepEqual(
    decisions.map((decision) => decision.granted),
    Array.from({ length: 30 }, (_, index) => index < 20),
  )
})

test('a request is granted completely or not at all; smaller ones get the remaining tokens', async () => {
  const { limiter } = createFixture(sharedRedis)
  const costs = [8, 8, 8, 4, 1]
  const decisions = await Promise.all(costs.map((cost) => limiter.consume('whole', frozen, cost)))
  assert.deepEqual(
    decisions.map((decision) => decision.granted),
    [true, true, false, true, false],
  )
})

test('takes from all buckets of a request or from none, with and without Redis', async () => {
  for (const redis of [sharedRedis, undefined]) {
    const { limiter } = createFixture(redis)
    const take = (key: string, cost: number): BucketTake => ({ key: `several ${key}`, limit: frozen, cost })
    assert.equal((await limiter.consumeAll([take('a', 15), take('b', 5)])).refusedBy, null)
    assert.equal((await limiter.consumeAll([take('b', 5), take('a', 6)])).refusedBy, 1)
    assert.equal((await limiter.consume('several b', frozen, 0)).remaining, 15)
  }
})

test('returns the remaining tokens and the time of the next retry', async () => {
  const { limiter } = createFixture(sharedRedis)
  const limit = toRateLimit(10)
  const first = await limiter.consume('figures', limit, 4)
  assert.deepEqual(
    [first.granted, first.remaining, first.resetSeconds, first.retryAfterSeconds],
    [true, 6, 1, 0],
  )
  await countGranted(limiter, 'figures', 10, limit)
  const refused = await limiter.consume('figures', limit, 10)
  assert.deepEqual([refused.granted, refused.retryAfterSeconds], [false, 1])
})

test('limits locally while Redis is unavailable, logs it once, and recovers', async () => {
  const proxy = await createProxy(url)
  const proxied = await openRedis(proxy.url)
  const fixture = createFixture(proxied)
  assert.equal(await countGranted(fixture.limiter, 'outage', 5), 5)
  assert.equal(await isShared(fixture), true)
  proxy.block()
  await waitFor('the loss to be noticed', () => proxied.status !== 'ready')
  // The process continues from the last response of Redis: 15 were left.
  assert.equal(await countGranted(fixture.limiter, 'outage', 30), 15)
  assert.equal(await countGranted(fixture.limiter, 'outage', 30), 0)
  assert.equal(await isShared(fixture), false)
  assert.equal(fixture.lines.length, 1)
  assert.match(fixture.lines[0]!, /each process enforces rate limits locally/)
  proxy.unblock()
  await waitFor('limits to be shared', () => isShared(fixture))
  assert.equal(await countGranted(fixture.limiter, 'outage', 30), 15, 'as Redis counts it')
  assert.deepEqual(fixture.lines.length, 2)
})

test('waits for a slow Redis once, not for each request', async () => {
  const proxy = await createProxy(url)
  const proxied = await openRedis(proxy.url)
  const fixture = createFixture(proxied, 200)
  assert.equal(await countGranted(fixture.limiter, 'slow', 1), 1)
  proxy.mute()
  const started = performance.now()
  for (let n = 0; n < 10; n++) assert.equal((await fixture.limiter.consume('slow', frozen, 1)).granted, true)
  for (let n = 0; n < 10; n++) await fixture.limiter.consume(`slow ${n}`, frozen, 1)
  assertWithin('one wait, not twenty', performance.now() - started, 2_000)
  assert.equal(await isShared(fixture), false)
  proxy.unmute()
  await waitFor('limits to be shared', async () => {
    await fixture.limiter.consume('slow again', frozen, 1)
    return isShared(fixture)
  })
})

test('every process limits locally without Redis, and the metric is 0', async () => {
  const [first, second] = [createFixture(undefined), createFixture(undefined)]
  assert.equal(await countGranted(first.limiter, 'alone', 30), 20)
  assert.equal(await countGranted(second.limiter, 'alone', 30), 20)
  assert.equal(await isShared(first), false)
})

test('keys of one kind do not evict those of another without Redis', async () => {
  const { limiter } = createFixture(undefined)
  const key = 'rate:1:send'
  assert.equal(await countGranted(limiter, key, 20), 20)
  await Promise.all(
    Array.from({ length: 60_000 }, (_, nth) => limiter.consume(`token-failures:${nth}`, frozen, 1)),
  )
  assert.equal(await countGranted(limiter, key, 1), 0)
})

test('gives back tokens with and without Redis', async () => {
  for (const redis of [sharedRedis, undefined]) {
    const { limiter } = createFixture(redis)
    assert.equal(await countGranted(limiter, 'returned', 20), 20)
    await limiter.giveBack('returned', frozen, 3)
    assert.equal(await countGranted(limiter, 'returned', 20), 3)
  }
})
