/** Groups are acknowledged after the work, requeued after a failure, and consumed again after a reconnect. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { Connection } from 'rabbitmq-client'
import { createTestBroker } from '../../../test/support/engines/broker.ts'
import { addCleanup } from '../../../test/support/cleanup.ts'
import { createProxy } from '../../../test/support/engines/proxy.ts'
import { silentLog } from '../../../test/support/silent-log.ts'
import { brokerUrls } from '../../../test/support/engines/services.ts'
import { isSettled, waitFor } from '../../../test/support/wait.ts'
import { openBroker } from './broker.ts'
import { BrokerUnavailable } from './publish.ts'
import { startConsumer, SubscriptionLost, type BrokerDelivery } from './consume.ts'
import { RedeliveryGuard } from './redelivery.ts'

const testBroker = await createTestBroker()
const { broker } = testBroker
const guard = new RedeliveryGuard({ redis: undefined, keyPrefix: '' })

test('a group stays with the broker until its handler has resolved', async () => {
  const queue = await testBroker.queue('held')
  await broker.publisher.send(queue, '1')
  const work = Promise.withResolvers<undefined>()
  let handled = 0
  const consumption = broker.consume(queue, { prefetch: 1 }, () => {
    handled++
    return work.promise
  })
  await waitFor('the delivery', () => handled === 1)
  assert.equal(consumption.active, true)
  const stopping = consumption.stop()
  assert.equal(await isSettled(stopping), false, 'stop waits for the current delivery')
  work.resolve(undefined)
  await stopping
  assert.equal(await broker.depth(queue), 0)
})

test('never has more unacknowledged groups than the prefetch', async () => {
  const queue = await testBroker.queue('bounded')
  for (let n = 0; n < 6; n++) await broker.publisher.send(queue, String(n))
  let running = 0
  let max = 0
  let handled = 0
  const consumption = broker.consume(queue, { prefetch: 2 }, async () => {
    max = Math.max(max, ++running)
    await new Promise((resolve) => setTimeout(resolve, 2))
    running--
    handled++
  })
  await waitFor('six groups', () => handled === 6)
  await consumption.stop()
  assert.equal(max, 2)
})

test('a delivery that is held for too long is aborted, and its channel keeps the others', async () => {
  const queue = await testBroker.queue('too-long')
  await broker.publisher.send(queue, '"slow"')
  const reasons: unknown[] = []
  const work = Promise.withResolvers<undefined>()
  let redelivered = 0
  const options = { prefetch: 2, maxHeldMs: 100 }
  const consumption = broker.consume(queue, options, async (delivery) => {
    if (delivery.jobs[0] === 'patient') return work.promise
    if (delivery.redelivered) {
      redelivered++
      return
    }
    await once(delivery.signal, 'abort')
    reasons.push(delivery.signal.reason)
    throw new BrokerUnavailable('gives its delivery back')
  })
  await broker.publisher.send(queue, '"patient"')
  await waitFor('the redelivery', () => redelivered === 1)
  assert.match(String(reasons[0]), /held for too long/)
  assert.equal(consumption.active, true)
  // A handler without a listener keeps its delivery.
  work.resolve(undefined)
  await consumption.stop()
  assert.equal(await broker.depth(queue), 0)
})

test('a rejected group is redelivered and marked as such', async () => {
  const queue = await testBroker.queue('rejected')
  await broker.publisher.send(queue, '"job"')
  const deliveries: BrokerDelivery[] = []
  const consumption = broker.consume(queue, { prefetch: 1 }, (delivery) => {
    deliveries.push(delivery)
    return deliveries.length === 1 ? Promise.reject(new Error('not now')) : Promise.resolve()
  })
  await waitFor('the second delivery', () => deliveries.length === 2)
  await consumption.stop()
  assert.deepEqual(
    deliveries.map(({ jobs, redelivered }) => ({ jobs, redelivered })),
    [
      { jobs: ['job'], redelivered: false },
      { jobs: ['job'], redelivered: true },
    ],
  )
  assert.equal(await broker.depth(queue), 0)
})

test('permanent failures are parked, transient ones redelivered', async () => {
  const { parked } = testBroker.topology
  const queue = await testBroker.queue('failing', { parkedIn: parked.name })
  const before = await broker.depth(parked)
  await broker.publisher.send(queue, '"bad"')
  await broker.publisher.send(queue, '"later"')
  const jobs: unknown[] = []
  const consumption = broker.consume(queue, { prefetch: 1 }, ({ jobs: [job], redelivered }) => {
    jobs.push(job)
    if (job === 'bad') return Promise.reject(new RangeError('Maximum call stack size exceeded'))
    return redelivered ? Promise.resolve() : Promise.reject(new BrokerUnavailable('not now'))
  })
  await waitFor('the second delivery', () => jobs.length === 3)
  await consumption.stop()
  assert.deepEqual(jobs, ['bad', 'later', 'later'])
  await waitFor('the bad one to be parked', async () => (await broker.depth(parked)) === before + 1)
  await testBroker.drain(parked, 1)
})

test('a failed group stays in its queue while the parked queue does not confirm', async (context) => {
  const parked = testBroker.name('parked-later')
  const queue = await testBroker.queue('unparkable', { parkedIn: parked.name })
  await broker.publisher.send(queue, '"bad"')
  let handled = 0
  const consumption = broker.consume(queue, { prefetch: 1 }, async () => {
    if (handled === 1) await broker.declare([parked])
    handled++
    throw new RangeError('Maximum call stack size exceeded')
  })
  context.after(() => consumption.stop())
  await waitFor('the redelivery', () => handled === 2)
  await waitFor('the group to be parked', async () => (await broker.depth(parked)) === 1)
  assert.equal(await broker.depth(queue), 0)
})

test('a message that is not JSON is parked and does not block others', async (context) => {
  const { parked } = testBroker.topology
  const queue = await testBroker.queue('garbled', { parkedIn: parked.name })
  await broker.publisher.send(queue, 'not JSON')
  await broker.publisher.send(queue, '"good"')
  const jobs: unknown[] = []
  const consumption = broker.consume(queue, { prefetch: 1 }, (delivery) => {
    jobs.push(...delivery.jobs)
    return Promise.resolve()
  })
  context.after(() => consumption.stop())
  await waitFor('the good job', () => jobs.includes('good'))
  await waitFor('the bad one to be parked', async () => (await broker.depth(parked)) === 1)
})

test('resubscribes after a dropped connection and gets unacknowledged groups again', async () => {
  const queue = await testBroker.queue('dropped')
  const proxy = await createProxy(brokerUrls()[0]!)
  const distant = await testBroker.open({ urls: [proxy.url] })
  const deliveries: BrokerDelivery[] = []
  const unfinished = Promise.withResolvers<undefined>()
  const consumption = distant.consume(queue, { prefetch: 5 }, (delivery) => {
    deliveries.push(delivery)
    return deliveries.length === 1 ? unfinished.promise : Promise.resolve()
  })
  await broker.publisher.send(queue, '1')
  await waitFor('the first delivery', () => deliveries.length === 1)
  proxy.cut()
  await waitFor('the loss to be noticed', () => !consumption.active)
  unfinished.resolve(undefined)
  await waitFor('the redelivery', () => deliveries.some((delivery) => delivery.redelivered))
  await broker.publisher.send(queue, '2')
  await waitFor('a new delivery', () => deliveries.some((delivery) => delivery.jobs.includes(2)))
  assert.equal(consumption.active, true)
  await consumption.stop()
  assert.equal(await broker.depth(queue), 0)
})

test('resubscribes without waiting for a handler of the lost connection', async () => {
  const queue = await testBroker.queue('endless')
  const proxy = await createProxy(brokerUrls()[0]!)
  const warnings: unknown[][] = []
  const log = { ...silentLog, warn: (...entry: unknown[]) => void warnings.push(entry) }
  const connection = new Connection(proxy.url)
  addCleanup(() => connection.close())
  connection.on('error', () => undefined)
  const deliveries: BrokerDelivery[] = []
  // The first handler never ends, like that of a step whose route has no link.
  const consumption = startConsumer(
    connection,
    broker.publisher,
    queue,
    { prefetch: 5 },
    (delivery) => {
      deliveries.push(delivery)
      return deliveries.length === 1 ? new Promise(() => undefined) : Promise.resolve()
    },
    guard,
    log,
  )
  await broker.publisher.send(queue, '1')
  await waitFor('the first delivery', () => deliveries.length === 1)
  proxy.cut()
  await waitFor('the redelivery', () => deliveries.some((delivery) => delivery.redelivered))
  assert.ok(deliveries[0]!.signal.reason instanceof SubscriptionLost)
  await broker.publisher.send(queue, '2')
  await waitFor('a new delivery', () => deliveries.some((delivery) => delivery.jobs.includes(2)))
  await consumption.stop()
  assert.equal(await broker.depth(queue), 0)
  assert.deepEqual(warnings, [])
})

test('a group of a lost connection counts as held until the broker has noticed the loss', async () => {
  const queue = await testBroker.queue('unnoticed')
  const proxy = await createProxy(brokerUrls()[0]!)
  const distant = await testBroker.open({ urls: [proxy.url] })
  let delivered = 0
  const consumption = distant.consume(queue, { prefetch: 5 }, () =>
    delivered++ === 0 ? new Promise(() => undefined) : Promise.resolve(),
  )
  await broker.publisher.send(queue, '1')
  await waitFor('the delivery', () => delivered === 1)
  proxy.block()
  await waitFor('the loss to be noticed', () => !consumption.active)
  const lostAt = performance.now()
  const heartbeatsMs = 9_000
  await waitFor('three heartbeats of the broker', () => performance.now() - lostAt > heartbeatsMs, {
    timeoutMs: 2 * heartbeatsMs,
  })
  assert.notEqual(consumption.oldestPublishedAt, undefined)
  await waitFor('the end of the hand-over', () => consumption.oldestPublishedAt === undefined)
  proxy.unblock()
  await waitFor('the redelivery', () => delivered === 2)
  await consumption.stop()
})

test('a stop gives unfinished groups back without a warning for each', async () => {
  const queue = await testBroker.queue('returned')
  for (let n = 0; n < 3; n++) await broker.publisher.send(queue, String(n))
  const warnings: unknown[][] = []
  const log = { ...silentLog, warn: (...entry: unknown[]) => void warnings.push(entry) }
  const connection = new Connection(brokerUrls()[0])
  addCleanup(() => connection.close())
  let handled = 0
  const consumption = startConsumer(
    connection,
    broker.publisher,
    queue,
    { prefetch: 3 },
    async ({ signal }) => {
      handled++
      await once(signal, 'abort')
      signal.throwIfAborted()
    },
    guard,
    log,
  )
  await waitFor('the deliveries', () => handled === 3)
  await consumption.stop()
  await waitFor('all to return', async () => (await broker.depth(queue)) === 3)
  assert.deepEqual(warnings, [])
})

test('consumes again after its queue was deleted and redeclared', async () => {
  const queue = await testBroker.queue('deleted')
  const jobs: unknown[] = []
  const consumption = broker.consume(queue, { prefetch: 5 }, (delivery) => {
    jobs.push(...delivery.jobs)
    return Promise.resolve()
  })
  await waitFor('the consumer', () => consumption.active)
  await broker.remove(queue)
  // The broker refuses messages until the new queue has a leader; a stage retries.
  await waitFor('the queue', () =>
    broker.publisher.send(queue, '1').then(
      () => true,
      () => false,
    ),
  )
  await waitFor('the job', () => jobs.length > 0)
  await consumption.stop()
})

test('100 started and stopped consumers leave no listener on the connection', async () => {
  const queue = await testBroker.queue('many-consumers')
  const connection = new Connection(brokerUrls()[0])
  addCleanup(() => connection.close())
  connection.on('error', () => undefined)
  await connection.onConnect(5_000)
  const listeners = (): Record<string, number> =>
    Object.fromEntries(connection.eventNames().map((name) => [name, connection.listenerCount(name)]))
  const before = listeners()
  const consumers = Array.from({ length: 100 }, () =>
    startConsumer(
      connection,
      broker.publisher,
      queue,
      { prefetch: 1 },
      () => Promise.resolve(),
      guard,
      silentLog,
    ),
  )
  await waitFor('all to be active', () => consumers.every(({ active }) => active))
  assert.deepEqual(listeners(), before, 'while they run')
  await Promise.all(consumers.map((consumer) => consumer.stop()))
  assert.deepEqual(listeners(), before, 'after they stopped')
  assert.ok(consumers.every(({ active }) => !active))
})

test('many waiting consumers cause no warning about listeners', async () => {
  const queue = await testBroker.queue('early-consumers')
  const warnings: string[] = []
  const note = ({ name }: Error): void => void warnings.push(name)
  process.on('warning', note)
  const early = openBroker(brokerUrls(), 5_000, silentLog)
  addCleanup(() => early.close())
  const consumers = Array.from({ length: 20 }, () =>
    early.consume(queue, { prefetch: 1 }, () => Promise.resolve()),
  )
  await waitFor('all to be active', () => consumers.every(({ active }) => active))
  await Promise.all(consumers.map((consumer) => consumer.stop()))
  process.off('warning', note)
  assert.deepEqual(warnings, [])
})

test('a stop during a connection loss does not fail, and the delivery is requeued', async () => {
  const queue = await testBroker.queue('lost-while-stopping')
  await broker.publisher.send(queue, '1')
  const proxy = await createProxy(brokerUrls()[0]!)
  const distant = await testBroker.open({ urls: [proxy.url] })
  let handled = 0
  const consumption = distant.consume(queue, { prefetch: 1 }, () => {
    handled++
    return new Promise(() => undefined)
  })
  await waitFor('the delivery', () => handled === 1)
  proxy.mute()
  const stopped = consumption.stop()
  proxy.block()
  await stopped
  assert.deepEqual(await testBroker.drain(queue, 1), [1])
})
