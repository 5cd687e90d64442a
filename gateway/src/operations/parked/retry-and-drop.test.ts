/** Parked jobs are neither lost nor duplicated; each can be retried, and dropping one closes its message. */
import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { createTestBroker } from '../../../test/support/engines/broker.ts'
import { addCleanup } from '../../../test/support/cleanup.ts'
import { createTestDatabase } from '../../../test/support/engines/database.ts'
import {
  acceptedJob,
  isInFlight,
  readAccountLedger,
  receipt,
  recordJobs,
  reportCodes,
  routeJob,
  smsStep,
} from '../../../test/support/fixtures.ts'
import { emptyOutbox } from '../../../test/support/pipeline/outbox.ts'
import { silentLog, testMetrics } from '../../../test/support/silent-log.ts'
import { waitFor } from '../../../test/support/wait.ts'
import { RouteResultCounter } from '../../carriers/routes/result-counter.ts'
import { startStoringOptOuts } from '../../pipeline/receipts/opt-outs.ts'
import { startSettle } from '../../pipeline/settle/settle.ts'
import { startParkedCollector } from '../../records/parked/collect.ts'
import { dropParked } from './drop.ts'
import {
  countParked,
  findParked,
  listParked,
  removeOldParked,
  saveParked,
  type StoredParkedJob,
} from '../../records/parked/queries.ts'
import { identifyingFields } from '../../records/parked/read.ts'
import { retryParked } from './retry.ts'

const { database } = await createTestDatabase()
const testBroker = await createTestBroker()
const { broker, topology } = testBroker
const { publisher } = broker
const metrics = testMetrics()
const collecting = startParkedCollector({ broker, topology, database, metrics, log: silentLog })
addCleanup(() => collecting.stop())

const park = (entry: object): Promise<void> => publisher.send(topology.parked, JSON.stringify(entry))
const rows = (): Promise<StoredParkedJob[]> => listParked(database, 0, 100)
const collected = (count: number): Promise<StoredParkedJob[]> =>
  waitFor(`${count} parked`, async () => {
    const found = await rows()
    return found.length === count && (await broker.depth(topology.parked)) === 0 ? found : null
  })
const context = { database, publisher, topology }

beforeEach(() => database.query('delete from parked'))

test('parked jobs are stored in order, with stage, key and reason, and counted', async () => {
  const job = acceptedJob()
  await park({ stage: 'intake', job })
  await park({ stage: 'dispatch', job: routeJob(job) })
  await park({ stage: 'settle', job: receipt(), reason: 'error 22021' })
  const found = await collected(3)
  assert.deepEqual(
    found.map(({ stage, msgKey, reason }) => [stage, msgKey, reason]),
    [
      ['intake', job.msgKey, null],
      ['dispatch', job.msgKey, null],
      ['settle', null, 'error 22021'],
    ],
  )
  assert.deepEqual(JSON.parse(found[0]!.payload.toString()), job)
  await waitFor('the gauge', async () => (await metrics.parkedNow.get()).values[0]?.value === 3)
})

test('a message that no stage could read is stored byte for byte', async () => {
  const queue = await testBroker.queue('rejecting', { parkedIn: topology.parked.name })
  await publisher.send(queue, 'not JSON \u0000 at all')
  const consumption = broker.consume(queue, { prefetch: 1 }, () => Promise.resolve())
  const [row] = await collected(1)
  await consumption.stop()
  assert.deepEqual([row!.stage, row!.reason], ['unreadable', `not JSON, rejected from ${queue.name}`])
  // The publisher wraps jobs in an array.
  assert.equal(row!.payload.toString(), '[not JSON \u0000 at all]')
  assert.equal(await retryParked(context, row!), 'unreadable')
  assert.equal(await countParked(database), 1)
  assert.equal((await dropParked(context, row!)).dropped, true)
})

test('a job whose account, time or process the ledger cannot store is parked, and does not block others', async () => {
  const good = { ...acceptedJob(), acceptedBy: 'aabbccddeeff' }
  const hostile = [
    { ...good, accountId: 3e9 },
    { ...good, accountId: -3e9 },
    { ...good, msgKey: `99999999${good.msgKey.slice(8)}` },
    { ...good, acceptedAt: -8e15 },
    { ...good, acceptedAt: 8e15 },
    { ...good, acceptedAt: 0.5 },
    { ...good, acceptedBy: '\ud800' },
  ]
  // All jobs in one broker message, then each job in a broker message of its own.
  await Promise.all(hostile.map((job) => park({ stage: 'intake', job })))
  for (const job of hostile) await park({ stage: 'intake', job: { ...job, ref: 'alone' } })
  await park({ stage: 'settle', job: receipt() })
  assert.equal((await collected(15)).at(-1)!.stage, 'settle')
})

test('a job whose ledger count the database rejects is stored without being counted; the jobs next to it are counted', async () => {
  const jobs = [101, 102, 103].map((accountId) => ({
    ...acceptedJob({ accountId }),
    acceptedBy: 'aabbccddeeff',
  }))
  await database.query('alter table ledger add constraint refused check (account_id <> 102)')
  await Promise.all(jobs.map((job) => park({ stage: 'intake', job })))
  await collected(3)
  await database.query('alter table ledger drop constraint refused')
  const counted = await database.query<{ accountId: number; recorded: number }>(
    'select account_id as "accountId", recorded from ledger where account_id between 101 and 103 order by 1',
  )
  assert.deepEqual(counted.rows, [
    { accountId: 101, recorded: 1 },
    { accountId: 103, recorded: 1 },
  ])
})

test("a dispatch job with an impossible step or try counts as ended: retry returns 'ended', drop removes it", async () => {
  for (const [step, nth] of [
    [3e9, 1],
    [1.5, 1],
    [1, -1],
  ])
    await park({ stage: 'dispatch', job: { ...routeJob(acceptedJob()), step, try: nth } })
  const [first, second, third] = await collected(3)
  assert.equal(await retryParked(context, first!), 'ended')
  for (const row of [second!, third!]) assert.equal((await dropParked(context, row)).dropped, true)
})

test('a repeated delivery after a crash adds no row', async () => {
  const entry = { stage: 'settle', job: receipt() }
  await park(entry)
  await park(entry)
  await waitFor('both', async () => (await rows())[0]?.times === 2)
  assert.equal(await countParked(database), 1)
})

test('identifyingFields shows only field names, keys and ids of a job, no content', () => {
  const job = acceptedJob({ ref: 'secret ref' })
  const shownFields = JSON.stringify(identifyingFields(Buffer.from(JSON.stringify(job))))
  assert.ok(shownFields.includes(job.msgKey))
  for (const secret of [job.to, 'secret ref', '4711']) assert.ok(!shownFields.includes(secret))
})

const readWaitingRows = async (msgKey: string): Promise<unknown> => {
  const found = await database.query(
    'select step, try, route_id, lane, reason from waiting where msg_key = $1 and release_at <= now()',
    [msgKey],
  )
  return found.rows
}

test('a retried job goes to its stage and is removed from the table', async () => {
  const urgent = { steps: [{ ...smsStep, ttlSeconds: 60 }] }
  const [job, running, urgentJob] = [acceptedJob(), acceptedJob(urgent), acceptedJob(urgent)]
  const receiptJob = receipt()
  await recordJobs(database, [running])
  await park({ stage: 'intake', job })
  await park({ stage: 'intake', job: urgentJob })
  await park({ stage: 'settle', job: receiptJob })
  await park({ stage: 'dispatch', job: routeJob(running) })
  for (const row of await collected(4)) assert.equal(await retryParked(context, row), 'retried')
  assert.equal(await countParked(database), 0)
  assert.deepEqual(await testBroker.drain(topology.accepted.normal, 1), [job])
  assert.deepEqual(await testBroker.drain(topology.accepted.urgent, 1), [urgentJob])
  assert.deepEqual(await testBroker.drain(topology.receipts, 1), [receiptJob])
  // Like a step that was started and never released: a worker finds it and chooses a route.
  assert.deepEqual(await readWaitingRows(running.msgKey), [
    { step: 1, try: 1, route_id: '', lane: 'urgent', reason: 'owed' },
  ])
})

test('an opt-out that cannot be stored is parked, is not removed by age, and returns to its queue by a retry', async () => {
  const choices = [{ accountId: 1, recipient: 'AA==' }]
  const jobWithShortIndex = {
    v: 1,
    kind: 'opt-out',
    routeId: 'r',
    choices,
    state: 'suppressed',
    source: 'reply',
    at: 1,
  }
  const jobs = [{ ...jobWithShortIndex, v: 2 }, jobWithShortIndex]
  const storing = startStoringOptOuts({ broker, topology, database, metrics, log: silentLog })
  for (const job of jobs) await publisher.send(topology.optOuts, JSON.stringify(job))
  const found = await collected(2)
  await storing.stop()
  assert.equal(await removeOldParked(database, new Date(Date.now() + 60_000)), 0)
  for (const row of found) {
    assert.equal(row.stage, 'opt-outs')
    assert.equal(await retryParked(context, row), 'retried')
  }
  assert.deepEqual(await testBroker.drain(topology.optOuts, 2), jobs)
})

test('a step that has ended is not released again', async () => {
  const job = acceptedJob()
  await park({ stage: 'dispatch', job: routeJob(job) })
  const [row] = await collected(1)
  assert.equal(await retryParked(context, row!), 'ended')
  assert.deepEqual([await readWaitingRows(job.msgKey), await countParked(database)], [[], 0])
})

test('a job that is parked again during its retry is kept', async () => {
  await park({ stage: 'settle', job: receipt() })
  const [row] = await collected(1)
  await saveParked(database, [row!])
  assert.equal(await retryParked(context, row!), 'parked-again')
  assert.equal((await findParked(database, row!.id))?.times, 2)
  await testBroker.drain(topology.receipts, 1)
})

test('a job that the broker does not confirm is kept', async () => {
  await park({ stage: 'settle', job: receipt() })
  const [row] = await collected(1)
  const unroutable = { ...context, topology: { ...topology, receipts: { name: 'there is no such queue' } } }
  await assert.rejects(retryParked(unroutable, row!))
  assert.equal(await countParked(database), 1)
})

test('dropping closes the message of every kind of job, and the ledger balances', async () => {
  const stopping = new AbortController()
  const settle = startSettle({
    retentionDays: 30,
    routes: { value: [] },
    broker,
    topology,
    database,
    metrics,
    log: silentLog,
    outbox: emptyOutbox,
    resultCounter: new RouteResultCounter(),
    signal: stopping.signal,
  })
  const [waiting, claimed] = [acceptedJob({ accountId: 71 }), acceptedJob({ accountId: 71 })]
  await recordJobs(database, [waiting, claimed])
  await database.query(`update in_flight set state = 'claimed' where msg_key = $1`, [claimed.msgKey])
  const poison = acceptedJob({
    accountId: 71,
    ref: 'a\u0000b',
    paymentCode: 'sales',
    steps: [smsStep, smsStep],
  })
  await park({ stage: 'dispatch', job: routeJob(waiting) })
  await park({ stage: 'dispatch', job: routeJob(claimed) })
  await park({ stage: 'intake', job: poison })
  await park({ stage: 'settle', job: receipt() })
  try {
    for (const row of await collected(4)) assert.equal((await dropParked(context, row)).dropped, true)
    assert.equal(await countParked(database), 0)
    await waitFor('all to close', async () => (await readAccountLedger(database, 71)).final === 3)
    assert.deepEqual(await readAccountLedger(database, 71), { accepted: 3, final: 3, inFlight: 0, gap: 0 })
    assert.deepEqual(
      await Promise.all([waiting, claimed, poison].map(({ msgKey }) => reportCodes(database, msgKey))),
      [['23000'], ['99999'], ['23000']],
    )
    const { rows } = await database.query<{ code: string }>(
      'select payment_code as code from messages where msg_key = $1',
      [poison.msgKey],
    )
    assert.deepEqual(rows, [{ code: 'sales' }])
  } finally {
    stopping.abort()
    await settle.stop()
  }
})

test('dropping sends the verdict for a message of any age', async () => {
  const daysAgo = [10, 100]
  for (const days of daysAgo) {
    const job = acceptedJob({ accountId: 75, acceptedAt: Date.now() - days * 86_400_000 })
    await park({ stage: 'intake', job, reason: 'error 23514' })
  }
  for (const row of await collected(2)) assert.equal((await dropParked(context, row)).dropped, true)
  assert.deepEqual(await readAccountLedger(database, 75), { accepted: 2, final: 0, inFlight: 2, gap: 0 })
  assert.equal((await testBroker.drain(topology.verdicts, 2)).length, 2)
})

test('dropping a job whose step has ended changes nothing', async () => {
  await park({ stage: 'dispatch', job: routeJob(acceptedJob({ accountId: 72 })) })
  const [row] = await collected(1)
  const result = await dropParked(context, row!)
  assert.deepEqual(result, { dropped: true, effect: 'its step had already ended' })
  assert.equal((await readAccountLedger(database, 72)).accepted, 0)
})

test('dropping a message that was recorded in the meantime does not affect it', async () => {
  const job = acceptedJob({ accountId: 73, steps: [smsStep, smsStep] })
  await park({ stage: 'intake', job })
  const [row] = await collected(1)
  await recordJobs(database, [job])
  assert.equal((await dropParked(context, row!)).dropped, true)
  assert.equal(await isInFlight(database, job.msgKey), true)
})

test('an accepted message that cannot be reported as failed is not dropped', async () => {
  const { msgKey, accountId, v } = acceptedJob()
  const shapeless = { v, msgKey, accountId }
  await park({ stage: 'intake', job: shapeless })
  const [row] = await collected(1)
  const result = await dropParked(context, row!)
  assert.ok(!result.dropped && result.reason.includes(shapeless.msgKey))
  assert.equal(await countParked(database), 1)
})

test('a job of an unreadable version is listed, retried and dropped like any other', async () => {
  const newer = { ...acceptedJob({ accountId: 74 }), v: 2 }
  const reason = 'accepted job of version 2; this process reads version 1'
  await park({ stage: 'intake', job: newer, reason })
  const [row] = await collected(1)
  assert.deepEqual([row!.stage, row!.msgKey, row!.reason], ['intake', newer.msgKey, reason])
  assert.equal(await retryParked(context, row!), 'retried')
  assert.deepEqual(await testBroker.drain(topology.accepted.normal, 1), [newer])
  await park({ stage: 'intake', job: newer, reason })
  const [again] = await collected(1)
  assert.equal((await dropParked(context, again!)).dropped, true)
  assert.equal((await readAccountLedger(database, 74)).accepted, 1)
})
