import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { createTestBroker, type TestBroker } from '../../../test/support/engines/broker.ts'
import { addCleanup } from '../../../test/support/cleanup.ts'
import { createTestDatabase } from '../../../test/support/engines/database.ts'
import { acceptedJob, acceptedJobs, readAccountLedger, smsStep } from '../../../test/support/fixtures.ts'
import { openTestPlacement } from '../../../test/support/pipeline/placing.ts'
import { createProxy } from '../../../test/support/engines/proxy.ts'
import { sumCounter, silentLog, testMetrics } from '../../../test/support/silent-log.ts'
import { waitFor } from '../../../test/support/wait.ts'
import type { RichStep } from '../../channels/channel.ts'
import type { AcceptedJob, RouteJob } from '../../jobs/jobs.ts'
import { createSchedulingSettingsTable } from '../../identity/accounts/scheduling-settings.ts'
import type { Broker } from '../../platform/broker/broker.ts'
import { openDatabase, type Database } from '../../platform/database/database.ts'
import { claimSteps, createClaim } from '../../records/messages/claim.ts'
import { upsertRoute } from '../../carriers/routes/queries.ts'
import { openRules, type Route } from '../../carriers/routes/route.ts'
import { startIntake, type IntakeContext } from './intake.ts'

const { database, url } = await createTestDatabase()
const metrics = testMetrics()
const route: Route = {
  id: 'north',
  channels: ['sms'],
  protocol: 'smpp',
  options: {},
  priority: 100,
  partsPerSecond: 0,
  enabled: true,
  ...openRules,
}
await upsertRoute(database, route)

interface TestBed extends TestBroker {
  send(jobs: readonly unknown[]): Promise<void>
  released(count: number): Promise<RouteJob[]>
  stop(): Promise<void>
}

async function openTestBed(
  intakeDatabase: Database = database,
  changes: Partial<IntakeContext> = {},
): Promise<TestBed> {
  const testBroker = await createTestBroker()
  const { broker, topology } = testBroker
  const queue = topology.getQueue(route.id)
  await broker.declare([queue])
  const intake = startIntake({
    ...(await openTestPlacement(database)),
    broker,
    topology,
    database: intakeDatabase,
    stepTtlSeconds: 60,
    retentionDays: 30,
    metrics,
    log: silentLog,
    ...changes,
  })
  addCleanup(() => intake.stop())
  return {
    ...testBroker,
    stop: () => intake.stop(),
    async send(jobs) {
      await Promise.all(
        jobs.map((job) => broker.publisher.send(topology.accepted.normal, JSON.stringify(job))),
      )
    },
    released: async (count) => (await testBroker.drain(queue, count)) as RouteJob[],
  }
}

const toKeySet = (jobs: readonly { msgKey: string }[]): Set<string> => new Set(jobs.map((job) => job.msgKey))

test('a message is recorded, and its first step released to its route with its deadline', async () => {
  const testBed = await openTestBed()
  const job = acceptedJob({ accountId: 71, ref: 'order 7' })
  await testBed.send([job])
  const [released] = await testBed.released(1)
  assert.deepEqual(released, {
    v: 1,
    msgKey: job.msgKey,
    accountId: 71,
    step: 1,
    try: 1,
    to: job.to,
    content: job.steps[0],
    dueAt: job.acceptedAt + 60_000,
    why: released!.why,
    routeId: route.id,
    lane: 'normal',
  })
  assert.deepEqual(await readAccountLedger(database, 71), { accepted: 1, final: 0, inFlight: 1, gap: 0 })
  await waitFor('the group to be acknowledged', async () => {
    return (await testBed.broker.depth(testBed.topology.accepted.normal)) === 0
  })
})

test('a group that arrives twice is recorded once, and not released after a route has claimed it', async () => {
  const testBed = await openTestBed()
  const jobs = acceptedJobs(40, { accountId: 72 })
  await testBed.send(jobs)
  const released = await testBed.released(40)
  await testBed.send(jobs)
  assert.deepEqual(toKeySet([...released, ...(await testBed.released(40))]), toKeySet(jobs))
  assert.deepEqual(await readAccountLedger(database, 72), { accepted: 40, final: 0, inFlight: 40, gap: 0 })
  await claimSteps(
    database,
    released.map((job) => createClaim(job)),
  )
  await testBed.send(jobs)
  const marker = acceptedJob({ accountId: 72 })
  await testBed.send([marker])
  assert.ok(toKeySet(await testBed.released(1)).has(marker.msgKey))
})

test('a held copy does not suspend a message that was released before', async () => {
  const testBed = await openTestBed()
  const job = acceptedJob({ accountId: 173 })
  await testBed.send([job])
  await testBed.released(1)
  await testBed.send([{ ...job, heldBy: 'recipient-velocity' }])
  await testBed.send([acceptedJob({ accountId: 173 })])
  await testBed.released(1)
  const held = await database.query('select from waiting where msg_key = $1', [job.msgKey])
  assert.equal(held.rowCount, 0)
})

test('a message that the database cannot hold is parked and blocks no other', async () => {
  const testBed = await openTestBed()
  const good = acceptedJobs(20, { accountId: 74 })
  const bad = acceptedJob({ accountId: 74, ref: 'a\u0000b' })
  await testBed.send([...good.slice(0, 10), bad, ...good.slice(10)])
  assert.deepEqual(toKeySet(await testBed.released(20)), toKeySet(good))
  const [parked] = (await testBed.drain(testBed.topology.parked, 1)) as { stage: string; job: AcceptedJob }[]
  assert.deepEqual([parked!.stage, parked!.job], ['intake', bad])
  assert.deepEqual(await readAccountLedger(database, 74), { accepted: 20, final: 0, inFlight: 20, gap: 0 })
  await waitFor('the group to be acknowledged', async () => {
    return (await testBed.broker.depth(testBed.topology.accepted.normal)) === 0
  })
})

test('a flow with an unreadable later step is parked before it is recorded', async () => {
  const testBed = await openTestBed()
  const good = acceptedJobs(4, { accountId: 80 })
  const unreadable: RichStep[] = [
    { channel: 'mms', content: {} },
    { channel: 'rcs', content: { body: null } },
    { channel: 'alimtalk', content: {}, ttlSeconds: 1e300 },
  ]
  const bad = unreadable.map((step) => acceptedJob({ accountId: 81, steps: [smsStep, step] }))
  await testBed.send([...good.slice(0, 2), ...bad, ...good.slice(2)])
  assert.deepEqual(toKeySet(await testBed.released(4)), toKeySet(good))
  const parked = (await testBed.drain(testBed.topology.parked, 3)) as { job: AcceptedJob; reason: string }[]
  assert.deepEqual(toKeySet(parked.map(({ job }) => job)), toKeySet(bad))
  assert.deepEqual(
    parked.map(({ reason }) => reason),
    ['TypeError', 'TypeError', 'RangeError'],
  )
  assert.deepEqual(await readAccountLedger(database, 81), { accepted: 0, final: 0, inFlight: 0, gap: 0 })
})

test('a message of a day without partition is recorded if the day is near, otherwise parked', async () => {
  const testBed = await openTestBed()
  const dayMs = 86_400_000
  const good = acceptedJobs(20, { accountId: 79 })
  const near = [-30, -10, 3, 60].map((days) =>
    acceptedJob({ accountId: 79, acceptedAt: Date.now() + days * dayMs }),
  )
  const far = [-31, -400, 400].map((days) =>
    acceptedJob({ accountId: 79, acceptedAt: Date.now() + days * dayMs }),
  )
  const keyless = acceptedJob({ accountId: 79, msgKey: 'NOT-A-KEY' })
  await testBed.send([...good.slice(0, 10), ...near, ...far, keyless, ...good.slice(10)])
  assert.deepEqual(toKeySet(await testBed.released(24)), toKeySet([...good, ...near]))
  const parked = (await testBed.drain(testBed.topology.parked, 4)) as { job: AcceptedJob; reason: string }[]
  assert.deepEqual(toKeySet(parked.map(({ job }) => job)), toKeySet([...far, keyless]))
  assert.deepEqual(new Set(parked.map(({ reason }) => reason)), new Set(['error 23514']))
  assert.deepEqual(await readAccountLedger(database, 79), { accepted: 24, final: 0, inFlight: 24, gap: 0 })
  await waitFor('the group to be acknowledged', async () => {
    return (await testBed.broker.depth(testBed.topology.accepted.normal)) === 0
  })
})

test('a job of another shape is parked and blocks no other', async () => {
  const testBed = await openTestBed()
  const good = acceptedJobs(5, { accountId: 75 })
  await testBed.send([{ v: 1, msgKey: acceptedJob().msgKey, hello: 'world' }, ...good])
  await waitFor('the good ones', async () => (await readAccountLedger(database, 75)).inFlight === 5)
  await waitFor(
    'the bad one to be parked',
    async () => (await testBed.broker.depth(testBed.topology.parked)) === 1,
  )
})

test('a job of an unknown version is parked, and the rest of its group is processed', async () => {
  const testBed = await openTestBed()
  const good = acceptedJobs(6, { accountId: 78 })
  const newer = { ...acceptedJob({ accountId: 78 }), v: 2 }
  const before = await sumCounter(metrics.parked, { stage: 'intake' })
  await testBed.send([...good.slice(0, 3), newer, ...good.slice(3)])
  assert.deepEqual(toKeySet(await testBed.released(6)), toKeySet(good))
  const [parked] = await testBed.drain(testBed.topology.parked, 1)
  const reason = 'accepted job of version 2; this process reads version 1'
  assert.deepEqual(parked, { stage: 'intake', job: newer, reason })
  assert.deepEqual(await readAccountLedger(database, 78), { accepted: 6, final: 0, inFlight: 6, gap: 0 })
  assert.equal(await sumCounter(metrics.parked, { stage: 'intake' }), before + 1)
  await waitFor('the group to be acknowledged', async () => {
    return (await testBed.broker.depth(testBed.topology.accepted.normal)) === 0
  })
})

test('messages accepted while PostgreSQL is unavailable are recorded when it returns, once', async () => {
  const proxy = await createProxy(url)
  const proxied = openDatabase(proxy.url, silentLog, { connections: 4 })
  addCleanup(() => proxied.end())
  const testBed = await openTestBed(proxied)
  proxy.block()
  const jobs = acceptedJobs(100, { accountId: 76 })
  await testBed.send(jobs)
  assert.deepEqual(await readAccountLedger(database, 76), { accepted: 0, final: 0, inFlight: 0, gap: 0 })
  proxy.unblock()
  assert.deepEqual(toKeySet(await testBed.released(100)), toKeySet(jobs))
  assert.deepEqual(await readAccountLedger(database, 76), { accepted: 100, final: 0, inFlight: 100, gap: 0 })
})

test('a stop while PostgreSQL is unavailable gives everything back to the queue', async () => {
  const proxy = await createProxy(url)
  const proxied = openDatabase(proxy.url, silentLog, { connections: 4 })
  addCleanup(() => proxied.end())
  const testBed = await openTestBed(proxied)
  proxy.block()
  await testBed.send(acceptedJobs(10, { accountId: 77 }))
  await waitFor(
    'intake to have it',
    async () => (await testBed.broker.depth(testBed.topology.accepted.normal)) === 0,
  )
  await testBed.stop()
  await waitFor(
    'the group to return',
    async () => (await testBed.broker.depth(testBed.topology.accepted.normal)) === 1,
  )
  proxy.unblock()
})

test('unrecorded messages return to the queue in time and are recorded later', async () => {
  const accountId = 83
  const proxy = await createProxy(url)
  const proxied = openDatabase(proxy.url, silentLog, { connections: 4 })
  addCleanup(() => proxied.end())
  const testBroker = await createTestBroker()
  const { broker, topology } = testBroker
  let deliveries = 0
  const impatient: Broker = {
    ...broker,
    consume: (queue, options, handler) =>
      broker.consume(queue, { ...options, maxHeldMs: 200 }, (delivery) => {
        deliveries++
        return handler(delivery)
      }),
  }
  const placing = await openTestPlacement(database)
  const services = { ...placing, broker: impatient, topology, database: proxied, metrics, log: silentLog }
  const intake = startIntake({ ...services, stepTtlSeconds: 60, retentionDays: 30 })
  addCleanup(() => intake.stop())
  proxy.block()
  const jobs = acceptedJobs(10, { accountId })
  await Promise.all(jobs.map((job) => broker.publisher.send(topology.accepted.normal, JSON.stringify(job))))
  // Each time it is held for at most the limit: the broker would close the channel of an older delivery.
  await waitFor('the group to arrive three times', () => deliveries >= 3, { timeoutMs: 20_000 })
  proxy.unblock()
  assert.deepEqual(
    toKeySet((await testBroker.drain(topology.getQueue(route.id), 10)) as RouteJob[]),
    toKeySet(jobs),
  )
  assert.deepEqual(await readAccountLedger(database, accountId), {
    accepted: 10,
    final: 0,
    inFlight: 10,
    gap: 0,
  })
})

test('messages that arrive before the settings of the accounts are loaded wait for them and are not parked', async () => {
  const accountId = 78
  const schedulingSettings = createSchedulingSettingsTable(database, silentLog)
  const testBed = await openTestBed(database, { schedulingSettings })
  await testBed.send(acceptedJobs(20, { accountId }))
  await delay(300)
  await schedulingSettings.refresh()
  assert.equal((await testBed.released(20)).length, 20)
  assert.equal(await testBed.broker.depth(testBed.topology.parked), 0)
})
