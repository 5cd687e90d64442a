/** Limits on token requests: shared through Redis, kept by each process alone while Redis is away. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createProxy } from '../../../test/support/proxy.ts'
import { createTestRedis, openRedis } from '../../../test/support/redis.ts'
import { waitFor } from '../../../test/support/wait.ts'
import { Problem } from '../../contract/problem.ts'
import { createTokenThrottle, type Asker, type TokenThrottle } from './throttle.ts'

const { redis: shared, url, keyPrefix } = await createTestRedis()

const limits = (requestsPerMinute: number, failuresPerMinute: number) => ({
  requestsPerMinute,
  failuresPerMinute,
  keyPrefix,
})

const from = (clientId: string, address = '192.0.2.1'): Asker => ({ clientId, address })

const refused = (work: Promise<unknown>): Promise<void> =>
  assert.rejects(work, (error) => {
    assert.ok(error instanceof Problem)
    assert.equal(error.code, 'A020')
    assert.ok(error.retryAfterSeconds! >= 1 && error.retryAfterSeconds! <= 60)
    return true
  })

async function fail(throttle: TokenThrottle, asker: Asker, times: number): Promise<void> {
  for (let n = 0; n < times; n++) await throttle.reserve(asker)
}

for (const [where, redis] of [
  ['by itself', undefined],
  ['through Redis', shared],
] as const) {
  test(`refuses a client id that asks too often, ${where}, and no other`, async () => {
    const throttle = createTokenThrottle(redis, limits(3, 100))
    const busy = from(`busy ${where}`)
    for (let n = 0; n < 3; n++) await throttle.request(busy)
    await refused(throttle.request(busy))
    await throttle.request(from(`quiet ${where}`))
  })

  test(`refuses a client id after too many wrong passwords, ${where}, and no other`, async () => {
    const throttle = createTokenThrottle(redis, limits(100, 3))
    const guesser = from(`guesser ${where}`)
    await fail(throttle, guesser, 3)
    await refused(throttle.reserve(guesser))
    await throttle.reserve(from(`patient ${where}`))
  })

  test(`never lets more guesses through at once than one after the other, ${where}`, async () => {
    const throttle = createTokenThrottle(redis, limits(100, 3))
    const guesser = from(`crowd ${where}`)
    const guesses = await Promise.allSettled(Array.from({ length: 20 }, () => throttle.reserve(guesser)))
    assert.equal(guesses.filter(({ status }) => status === 'fulfilled').length, 3)
  })

  test(`a stranger's wrong passwords and requests never shut the client out, ${where}`, async () => {
    const throttle = createTokenThrottle(redis, limits(5, 3))
    const [client, stranger] = [from(`victim ${where}`), from(`victim ${where}`, '198.51.100.9')]
    await fail(throttle, stranger, 3)
    for (let n = 0; n < 5; n++) await throttle.request(stranger)
    await refused(throttle.reserve(stranger))
    await refused(throttle.request(stranger))
    await throttle.request(client)
    await throttle.reserve(client)
  })

  test(`right passwords use no place up, however many come, ${where}`, async () => {
    const throttle = createTokenThrottle(redis, limits(100, 3))
    const client = from(`right ${where}`)
    for (let n = 0; n < 10; n++) await (await throttle.reserve(client)).giveBack()
    // At once too: places are given back while the others wait for them.
    const right = async (): Promise<void> => (await throttle.reserve(client)).giveBack()
    await Promise.all(Array.from({ length: 6 }, right))
    await fail(throttle, client, 3)
    await refused(throttle.reserve(client))
  })
}

test('two processes share their limits', async () => {
  const [one, two] = [createTokenThrottle(shared, limits(4, 3)), createTokenThrottle(shared, limits(4, 3))]
  await fail(one, from('two doors'), 2)
  await fail(two, from('two doors'), 1)
  await refused(one.reserve(from('two doors')))
  await refused(two.reserve(from('two doors')))
  for (let n = 0; n < 4; n++) await (n % 2 === 0 ? one : two).request(from('often'))
  await refused(one.request(from('often')))
})

test('still limits while Redis is away, and shares again when it is back', async () => {
  const proxy = await createProxy(url)
  const distant = await openRedis(proxy.url)
  const throttle = createTokenThrottle(distant, limits(100, 3))
  proxy.block()
  await waitFor('the loss to be noticed', () => distant.status !== 'ready')
  const started = performance.now()
  await fail(throttle, from('opportunist'), 3)
  await refused(throttle.reserve(from('opportunist')))
  assert.ok(performance.now() - started < 1_000, 'nobody waits for Redis')
  proxy.unblock()
  await waitFor('Redis', () => distant.status === 'ready')
  await fail(createTokenThrottle(shared, limits(100, 3)), from('returned'), 3)
  await refused(throttle.reserve(from('returned')))
})
