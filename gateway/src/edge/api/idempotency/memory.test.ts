import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestRedis } from '../../../../test/support/engines/redis.ts'
import { waitFor } from '../../../../test/support/wait.ts'
import { watchMemory } from './memory.ts'
import { createIdempotencyStore } from './store.ts'

const { redis, keyPrefix } = await createTestRedis()
const readUsedBytes = async (): Promise<number> =>
  Number(/used_memory:(\d+)/.exec(await redis.info('memory'))![1])

/** Returns `INFO memory` of the real Redis with this maximum memory. */
const withMemory = (maxMemory: () => number) => ({
  info: async () => `used_memory:${await readUsedBytes()}\r\nmaxmemory:${maxMemory()}\r\n`,
})

test('parses the response of a real Redis', async () => {
  const [, limit] = (await redis.config('GET', 'maxmemory')) as [string, string]
  const watch = watchMemory(redis)
  assert.equal(watch.isScarce(), true)
  const expected = limit === '0' || (await readUsedBytes()) > Number(limit) / 2
  await waitFor('the first refresh', () => watch.isScarce() === expected)
})

test('is scarce if Redis has no maximum or does not report its memory', async () => {
  let time = 0
  for (const info of ['used_memory:1\r\nmaxmemory:0\r\n', '', 'used_memory:60\r\nmaxmemory:100\r\n']) {
    const watch = watchMemory({ info: () => Promise.resolve(info) }, () => (time += 5_000))
    watch.isScarce()
    await new Promise(setImmediate)
    assert.equal(watch.isScarce(), true, info)
  }
})

test('an account above its share is refused only if memory is scarce', async () => {
  let maxMemory = 1e12
  let time = 0
  const memory = watchMemory(
    withMemory(() => maxMemory),
    () => (time += 5_000),
  )
  const store = createIdempotencyStore({ redis, keyPrefix, leaseMs: 60_000, maxBytes: 2_000, memory })
  let nth = 0
  const claim = () => store.claim(1, `key-${nth++}`, 'print', () => [`msg-${nth}`])
  await waitFor('room', () => !memory.isScarce())
  for (let sent = 0; sent < 10; sent++) assert.equal((await claim()).kind, 'claimed')
  maxMemory = 1
  await waitFor('a full Redis', () => memory.isScarce())
  await assert.rejects(claim(), /Rate limit exceeded/)
  // An account within its share is not refused.
  assert.equal((await store.claim(2, 'key', 'print', () => ['msg'])).kind, 'claimed')
})
