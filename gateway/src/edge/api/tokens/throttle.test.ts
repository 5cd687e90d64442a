import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Redis } from 'ioredis'
import { createProxy } from '../../../../test/support/engines/proxy.ts'
import { silentLog, testMetrics } from '../../../../test/support/silent-log.ts'
import { createTestRedis, openRedis } from '../../../../test/support/engines/redis.ts'
import { assertWithin, waitFor } from '../../../../test/support/wait.ts'
import { Problem } from '../../../contract/problem.ts'
import { createLimiter } from '../../../platform/limiter/limiter.ts'
import { createTokenThrottle, type Requester, type TokenThrottle } from './throttle.ts'

const { redis: shared, url, keyPrefix } = await createTestRedis()

function createThrottle(
  redis: Redis | undefined,
  requestsPerMinute: number,
  failuresPerMinute: number,
  addressFailuresPerMinute?: number,
): TokenThrottle {
  const limiter = createLimiter({ redis, keyPrefix, waitMs: 500, metrics: testMetrics(), log: silentLog })
  const limits = { requestsPerMinute, failuresPerMinute }
  return createTokenThrottle(
    limiter,
    addressFailuresPerMinute === undefined ? limits : { ...limits, addressFailuresPerMinute },
  )
}

const from = (clientId: string, address = '192.0.2.1'): Requester => ({ clientId, address })

const refused = (work: Promise<unknown>): Promise<void> =>
  assert.rejects(work, (error) => {
    assert.ok(error instanceof Problem)
    assert.equal(error.code, 'A020')
    assert.ok(error.retryAfterSeconds! >= 1 && error.retryAfterSeconds! <= 60)
    return true
  })

async function enterWrongPasswords(
  throttle: TokenThrottle,
  requester: Requester,
  times: number,
): Promise<void> {
  for (let n = 0; n < times; n++) await throttle.reserve(requester)
}

for (const [where, redis] of [
  ['without Redis', undefined],
  ['through Redis', shared],
] as const) {
  test(`refuses a client id that sends too many requests, and no other, ${where}`, async () => {
    const throttle = createThrottle(redis, 3, 100)
    const busy = from(`busy ${where}`)
    for (let n = 0; n < 3; n++) await throttle.request(busy)
    await refused(throttle.request(busy))
    await throttle.request(from(`quiet ${where}`))
  })

  test(`refuses a client id after too many wrong passwords, and no other, ${where}`, async () => {
    const throttle = createThrottle(redis, 100, 3)
    const guesser = from(`guesser ${where}`)
    await enterWrongPasswords(throttle, guesser, 3)
    await refused(throttle.reserve(guesser))
    await throttle.reserve(from(`patient ${where}`))
  })

  test(`admits no more concurrent guesses than sequential ones, ${where}`, async () => {
    const throttle = createThrottle(redis, 100, 3)
    const guesser = from(`burst ${where}`)
    const guesses = await Promise.allSettled(Array.from({ length: 20 }, () => throttle.reserve(guesser)))
    assert.equal(guesses.filter(({ status }) => status === 'fulfilled').length, 3)
  })

  test(`wrong passwords and requests from another address never lock the client out, ${where}`, async () => {
    const throttle = createThrottle(redis, 5, 3)
    const [client, stranger] = [from(`victim ${where}`), from(`victim ${where}`, '198.51.100.9')]
    await enterWrongPasswords(throttle, stranger, 3)
    for (let n = 0; n < 5; n++) await throttle.request(stranger)
    await refused(throttle.reserve(stranger))
    await refused(throttle.request(stranger))
    await throttle.request(client)
    await throttle.reserve(client)
  })

  test(`refuses an address that tries many client ids, but not a client that logged in from there before, ${where}`, async () => {
    const throttle = createThrottle(redis, 100, 3, 5)
    const at = (n: number): Requester => from(`id ${n} ${where}`, `2001:db8:0:${where.length}::${n}`)
    for (let n = 1; n <= 5; n++) await throttle.reserve(at(n))
    await refused(throttle.reserve(at(6)))
    await throttle.reserve(at(7), 'known')
    await throttle.reserve(from(`id 8 ${where}`, `2001:db8:1:${where.length}::8`))
    // A client id over its own limit does not count against the address limit.
    const other = from(`id 9 ${where}`, `2001:db8:2:${where.length}::9`)
    await enterWrongPasswords(throttle, other, 3)
    for (let n = 0; n < 3; n++) await refused(throttle.reserve(other))
    await throttle.reserve({ ...other, clientId: `id 10 ${where}` })
  })

  test(`correct passwords are not counted, however many arrive, ${where}`, async () => {
    const throttle = createThrottle(redis, 100, 3)
    const client = from(`right ${where}`)
    for (let n = 0; n < 10; n++) await (await throttle.reserve(client)).release()
    // Concurrent requests as well: reservations are released while others wait for them.
    const enterRightPassword = async (): Promise<void> => (await throttle.reserve(client)).release()
    await Promise.all(Array.from({ length: 6 }, enterRightPassword))
    await enterWrongPasswords(throttle, client, 3)
    await refused(throttle.reserve(client))
  })
}

test('two processes share their limits', async () => {
  const [throttle1, throttle2] = [createThrottle(shared, 4, 3), createThrottle(shared, 4, 3)]
  await enterWrongPasswords(throttle1, from('two processes'), 2)
  await enterWrongPasswords(throttle2, from('two processes'), 1)
  await refused(throttle1.reserve(from('two processes')))
  await refused(throttle2.reserve(from('two processes')))
  for (let n = 0; n < 4; n++) await (n % 2 === 0 ? throttle1 : throttle2).request(from('often'))
  await refused(throttle1.request(from('often')))
})

test('limits locally while Redis is unavailable, and shares again after recovery', async () => {
  const proxy = await createProxy(url)
  const distant = await openRedis(proxy.url)
  const throttle = createThrottle(distant, 100, 3)
  proxy.block()
  await waitFor('the loss to be noticed', () => distant.status !== 'ready')
  const started = performance.now()
  await enterWrongPasswords(throttle, from('opportunist'), 3)
  await refused(throttle.reserve(from('opportunist')))
  assertWithin('requests without Redis', performance.now() - started, 1_000)
  proxy.unblock()
  await waitFor('Redis', () => distant.status === 'ready')
  await enterWrongPasswords(createThrottle(shared, 100, 3), from('returned'), 3)
  await refused(throttle.reserve(from('returned')))
})
