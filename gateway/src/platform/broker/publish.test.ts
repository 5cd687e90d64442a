/** Publishing: jobs of one event loop turn share a broker message, and nothing counts as published before the confirm. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { createTestBroker } from '../../../test/support/engines/broker.ts'
import { openHangingQueues } from '../../../test/support/engines/hanging-queues.ts'
import { createProxy } from '../../../test/support/engines/proxy.ts'
import { brokerUrls } from '../../../test/support/engines/services.ts'
import { assertWithin, isSettled, waitFor } from '../../../test/support/wait.ts'
import type { BrokerDelivery } from './consume.ts'
import { BrokerUnavailable } from './publish.ts'

/** Much longer than a confirm on a busy machine. */
const publishTimeoutMs = 1_500
const testBroker = await createTestBroker()
const { broker } = testBroker
const proxy = await createProxy(brokerUrls()[0]!)
const proxied = await testBroker.open({ urls: [proxy.url], publishTimeoutMs })

test('a job is in the queue once its promise has resolved', async () => {
  const queue = await testBroker.queue('durable')
  await broker.publisher.send(queue, '{"n":1}')
  assert.equal(await broker.depth(queue), 1)
  assert.deepEqual(await testBroker.drain(queue, 1), [{ n: 1 }])
})

test('jobs of one turn share messages of at most 64 jobs, in order', async () => {
  const queue = await testBroker.queue('grouped')
  await Promise.all(
    Array.from({ length: 150 }, (_, n) => broker.publisher.send(queue, JSON.stringify({ n }))),
  )
  assert.equal(await broker.depth(queue), 3)
  const deliveries: BrokerDelivery[] = []
  const consumption = broker.consume(queue, { prefetch: 10 }, (delivery) => {
    deliveries.push(delivery)
    return Promise.resolve()
  })
  await waitFor('three groups', () => deliveries.length === 3)
  await consumption.stop()
  assert.deepEqual(
    deliveries.map(({ jobs }) => jobs.length),
    [64, 64, 22],
  )
  assert.deepEqual(
    deliveries.flatMap(({ jobs }) => jobs.map((job) => (job as { n: number }).n)),
    Array.from({ length: 150 }, (_, n) => n),
  )
})

test('large jobs make smaller groups', async () => {
  const queue = await testBroker.queue('large')
  const job = JSON.stringify('x'.repeat(100_000))
  await Promise.all(Array.from({ length: 6 }, () => broker.publisher.send(queue, job)))
  // Three jobs exceed the 256 KiB of a group.
  assert.equal(await broker.depth(queue), 2)
})

test('jobs for different queues never mix', async () => {
  const [left, right] = [await testBroker.queue('left'), await testBroker.queue('right')]
  await Promise.all([
    broker.publisher.send(left, '"left"'),
    broker.publisher.send(right, '"right"'),
    broker.publisher.send(left, '"left"'),
  ])
  assert.deepEqual(await testBroker.drain(left, 2), ['left', 'left'])
  assert.deepEqual(await testBroker.drain(right, 1), ['right'])
})

test('never resolves before the confirm', async () => {
  const queue = await testBroker.queue('confirmed')
  await proxied.publisher.send(queue, '1')
  proxy.mute()
  const sending = proxied.publisher.send(queue, '2')
  await waitFor('the broker to have it', async () => (await broker.depth(queue)) === 2)
  assert.equal(await isSettled(sending), false)
  assert.equal(proxied.publisher.unconfirmed, 1)
  proxy.unmute()
  await sending
  assert.equal(proxied.publisher.unconfirmed, 0)
})

test('rejects with BrokerUnavailable if the confirm is late', async () => {
  const queue = await testBroker.queue('slow')
  proxy.mute()
  await assert.rejects(proxied.publisher.send(queue, '1'), BrokerUnavailable)
  proxy.unmute()
  await waitFor('the late confirm', () => proxied.publisher.accepts(queue))
  await proxied.publisher.send(queue, '2')
})

test('an unconfirmed queue is waited for once, affects no other queue, and recovers', async () => {
  const { publisher, hang, resume, changes } = await openHangingQueues(publishTimeoutMs)
  const [hung, neighbour] = [await testBroker.queue('hung'), await testBroker.queue('neighbour')]
  hang(hung)
  await assert.rejects(publisher.send(hung, '1'), { name: 'BrokerUnavailable', maybePublished: true })
  assert.deepEqual([publisher.accepts(hung), publisher.accepts(neighbour)], [false, true])
  const started = performance.now()
  for (let n = 0; n < 10; n++) {
    await assert.rejects(publisher.send(hung, '2'), { name: 'BrokerUnavailable', maybePublished: false })
    await publisher.send(neighbour, '"passes"')
  }
  // Ten waits would take ten times as long as one.
  assertWithin('the other queue', performance.now() - started, 3 * publishTimeoutMs)
  resume()
  await waitFor('the queue to be used again', () => publisher.accepts(hung))
  const reported = [
    [hung.name, true],
    [hung.name, false],
  ]
  assert.deepEqual(changes, reported, 'an operator sees when it stops and when it confirms again, once each')
  await publisher.send(hung, '3')
  assert.deepEqual(await testBroker.drain(hung, 2), [1, 3], 'what was refused immediately was not published')
})

test('a queue that was unconfirmed before a reconnect is used again immediately', async () => {
  const queue = await testBroker.queue('again')
  proxy.mute()
  await assert.rejects(proxied.publisher.send(queue, '1'), BrokerUnavailable)
  proxy.block()
  await waitFor('the loss to be noticed', () => !proxied.canPublish)
  // While the broker is gone, the queue is probed every two seconds.
  await delay(3_200)
  proxy.unmute()
  proxy.unblock()
  await waitFor('the broker', () => proxied.canPublish)
  await waitFor('the queue', () => proxied.publisher.accepts(queue), { timeoutMs: 2_000 })
})

test('never resolves for an unroutable job', async () => {
  // The default exchange confirms unroutable messages, unless they are published as mandatory.
  await assert.rejects(broker.publisher.send(testBroker.name('nowhere'), '1'), BrokerUnavailable)
  const queue = await testBroker.queue('somewhere')
  await broker.publisher.send(queue, '1')
  assert.equal(await broker.depth(queue), 1)
})

test('rejects immediately while the broker is unavailable, and recovers afterwards', async () => {
  const queue = await testBroker.queue('unavailable')
  const unconfirmedSend = proxied.publisher.send(queue, '1')
  proxy.block()
  await unconfirmedSend.catch((error: unknown) => assert.ok(error instanceof BrokerUnavailable))
  await waitFor('the loss to be noticed', () => !proxied.canPublish)
  await assert.rejects(proxied.publisher.send(queue, '2'), BrokerUnavailable)
  proxy.unblock()
  await waitFor('the broker', () => proxied.canPublish)
  await proxied.publisher.send(queue, '3')
  assert.deepEqual((await testBroker.drain(queue, 1)).at(-1), 3)
})
