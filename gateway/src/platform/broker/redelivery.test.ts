import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { createTestBroker } from '../../../test/support/engines/broker.ts'
import { createTestRedis } from '../../../test/support/engines/redis.ts'
import { brokerUrls } from '../../../test/support/engines/services.ts'
import { waitFor } from '../../../test/support/wait.ts'
import type { RejectedMessage } from './consume.ts'
import { ProcessCrashes, RedeliveryGuard } from './redelivery.ts'

const testBroker = await createTestBroker()
const { broker } = testBroker
const { redis, url: redisUrl, keyPrefix } = await createTestRedis()
const program = fileURLToPath(new URL('../../../test/support/pipeline/crashing-consumer.ts', import.meta.url))
const queue = { name: 'guarded', parkedIn: 'parked' }
const running = new AbortController().signal
const createGuard = () => new RedeliveryGuard({ redis, keyPrefix })
/** Simulates a process that begins the message and crashes. */
const crash = (body: Buffer): void =>
  void new RedeliveryGuard({ redis, keyPrefix, suspectMs: 60_000 }).run(
    queue,
    body,
    running,
    () => new Promise(() => undefined),
  )
const marks = async (): Promise<number> => {
  const keys = await redis.keys(`${keyPrefix}begun:guarded:*`)
  const counts = await Promise.all(keys.map((key) => redis.scard(key)))
  return counts.reduce((sum, count) => sum + count, 0)
}

test('a job that crashes its process is parked after three crashes, and others proceed', async (t) => {
  const parked = await testBroker.queue('crash-parked')
  const jobs = await testBroker.queue('crash-jobs', { parkedIn: parked.name })
  const done = await testBroker.queue('crash-done')
  for (const job of ['one', 'poison', 'two', 'three']) await broker.publisher.send(jobs, JSON.stringify(job))
  const parameters = [brokerUrls()[0]!, redisUrl, keyPrefix, jobs.name, parked.name, done.name]
  let crashes = 0
  let isStopping = false
  let current: ReturnType<typeof spawn> | undefined
  const respawn = async (): Promise<void> => {
    while (!isStopping && crashes < 5) {
      current = spawn(process.execPath, [program, ...parameters], { stdio: 'inherit' })
      const [, signal] = (await once(current, 'exit')) as [number | null, string | null]
      if (signal === 'SIGKILL') crashes++
    }
  }
  const respawning = respawn()
  t.after(async () => {
    isStopping = true
    current?.kill('SIGTERM')
    await respawning
  })
  await waitFor('the parked job', async () => (await broker.depth(parked)) === 1)
  const [entry] = (await testBroker.drain(parked, 1)) as RejectedMessage[]
  assert.match(entry!.reason, /^ProcessCrashes/)
  assert.equal(Buffer.from(entry!.body, 'base64').toString(), '["poison"]')
  // The crash of the first delivery is not counted.
  assert.equal(crashes, 3)
  const finished = await testBroker.drain(done, 3)
  assert.deepEqual(new Set(finished), new Set(['one', 'two', 'three']))
})

test('a lost connection or an orderly stop is not counted as a crash', async () => {
  const body = Buffer.from('given back')
  for (let times = 0; times < 3; times++) {
    const giveBack = new AbortController()
    const work = createGuard().run(queue, body, giveBack.signal, () => new Promise(() => undefined))
    await waitFor('the mark', async () => (await marks()) === 1)
    giveBack.abort(new Error('the connection is lost'))
    await waitFor('no mark', async () => (await marks()) === 0)
    void work
  }
  let handled = 0
  await createGuard().run(queue, body, running, () => Promise.resolve(void handled++))
  assert.equal(handled, 1)
})

test('messages that were in progress during a crash are processed one at a time', async () => {
  const bodies = ['first', 'second'].map((text) => Buffer.from(text))
  for (const body of bodies) crash(body)
  await waitFor('the marks', async () => (await marks()) === 2)
  const guard = createGuard()
  let current = 0
  let max = 0
  const work = async (): Promise<void> => {
    max = Math.max(max, ++current)
    await new Promise(setImmediate)
    current--
  }
  await Promise.all(bodies.map((body) => guard.run(queue, body, running, work)))
  assert.equal(max, 1)
  assert.equal(await marks(), 0)
})

test('a message that crashed two processes is parked only if its queue has a parked queue', async () => {
  const body = Buffer.from('twice')
  crash(body)
  await waitFor('the first crash', async () => (await marks()) === 1)
  crash(body)
  await waitFor('the second crash', async () => (await marks()) === 2)
  await assert.rejects(
    createGuard().run(queue, body, running, () => Promise.resolve()),
    ProcessCrashes,
  )
  await createGuard().run({ name: queue.name }, body, running, () => Promise.resolve())
  assert.equal(await marks(), 0)
})

test('killing a process later does not mark the message', async () => {
  void createGuard().run(queue, Buffer.from('harmless'), running, () => new Promise(() => undefined))
  await waitFor('the mark', async () => (await marks()) === 1)
  await waitFor('no mark', async () => (await marks()) === 0)
})

test('messages are processed without Redis', async () => {
  let handled = 0
  const guard = new RedeliveryGuard({ redis: undefined, keyPrefix })
  await guard.run(queue, Buffer.from('no redis'), running, () => Promise.resolve(void handled++))
  assert.equal(handled, 1)
})
