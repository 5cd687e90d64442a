/** Limits on token requests: shared through Redis, kept by each process alone while Redis is away. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { Redis } from 'ioredis'
import { atEnd } from '../../test/support/cleanup.ts'
import { createProxy } from '../../test/support/proxy.ts'
import { serviceUrl } from '../../test/support/services.ts'
import { waitFor } from '../../test/support/wait.ts'
import { Problem } from '../platform/problem.ts'
import { createTokenThrottle, type TokenThrottle } from './throttle.ts'

const url = serviceUrl('POSTERN_REDIS_URL')
const keyPrefix = `test-${randomBytes(6).toString('hex')}-`

async function openRedis(to: string): Promise<Redis> {
  // As in runtime.ts: without Redis a request is answered at once, not after a queue of retries.
  const redis = new Redis(to, { enableOfflineQueue: false, maxRetriesPerRequest: 1 })
  redis.on('error', () => undefined)
  atEnd(() => redis.disconnect())
  await waitFor('Redis', () => redis.status === 'ready')
  return redis
}

const shared = await openRedis(url)
atEnd(async () => {
  const keys = await shared.keys(`${keyPrefix}*`)
  if (keys.length > 0) await shared.del(keys)
})

const limits = (requestsPerMinute: number, failuresPerMinute: number) => ({
  requestsPerMinute,
  failuresPerMinute,
  keyPrefix,
})

const refused = (work: Promise<void>): Promise<void> =>
  assert.rejects(work, (error) => {
    assert.ok(error instanceof Problem)
    assert.equal(error.code, 'A020')
    assert.ok(error.retryAfterSeconds! >= 1 && error.retryAfterSeconds! <= 60)
    return true
  })

async function fail(throttle: TokenThrottle, clientId: string, times: number): Promise<void> {
  for (let n = 0; n < times; n++) {
    await throttle.beforeCheck(clientId)
    await throttle.afterFailure(clientId)
  }
}

for (const [where, redis] of [
  ['by itself', undefined],
  ['through Redis', shared],
] as const) {
  test(`refuses a client id that asks too often, ${where}, and no other`, async () => {
    const throttle = createTokenThrottle(redis, limits(3, 100))
    const busy = `busy ${where}`
    for (let n = 0; n < 3; n++) await throttle.beforeCheck(busy)
    await refused(throttle.beforeCheck(busy))
    await throttle.beforeCheck(`quiet ${where}`)
  })

  test(`refuses a client id after too many wrong passwords, ${where}, and no other`, async () => {
    const throttle = createTokenThrottle(redis, limits(100, 3))
    const guesser = `guesser ${where}`
    await fail(throttle, guesser, 3)
    await refused(throttle.beforeCheck(guesser))
    await throttle.beforeCheck(`patient ${where}`)
  })
}

test('two processes share their limits', async () => {
  const [one, two] = [createTokenThrottle(shared, limits(4, 3)), createTokenThrottle(shared, limits(4, 3))]
  await fail(one, 'two doors', 2)
  await fail(two, 'two doors', 1)
  await refused(one.beforeCheck('two doors'))
  await refused(two.beforeCheck('two doors'))
  for (let n = 0; n < 4; n++) await (n % 2 === 0 ? one : two).beforeCheck('often')
  await refused(one.beforeCheck('often'))
})

test('still limits while Redis is away, and shares again when it is back', async () => {
  const proxy = await createProxy(url)
  const distant = await openRedis(proxy.url)
  const throttle = createTokenThrottle(distant, limits(100, 3))
  proxy.block()
  await waitFor('the loss to be noticed', () => distant.status !== 'ready')
  const started = performance.now()
  await fail(throttle, 'opportunist', 3)
  await refused(throttle.beforeCheck('opportunist'))
  assert.ok(performance.now() - started < 1_000, 'nobody waits for Redis')
  proxy.unblock()
  await waitFor('Redis', () => distant.status === 'ready')
  await fail(createTokenThrottle(shared, limits(100, 3)), 'returned', 3)
  await refused(throttle.beforeCheck('returned'))
})
