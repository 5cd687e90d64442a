import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { addCleanup } from '../../../test/support/cleanup.ts'
import { createTestBroker } from '../../../test/support/engines/broker.ts'
import { emptyOutbox } from '../../../test/support/pipeline/outbox.ts'
import { createTestDatabase } from '../../../test/support/engines/database.ts'
import {
  acceptedJobs,
  attempt,
  isInFlight,
  readAccountLedger,
  receiptFor,
  recordJobs,
  recordOne,
  reportCodes,
  smsStep,
} from '../../../test/support/fixtures.ts'
import { createProxy } from '../../../test/support/engines/proxy.ts'
import { startTestSettle } from '../../../test/support/pipeline/settle.ts'
import { sumCounter, silentLog, testMetrics } from '../../../test/support/silent-log.ts'
import { immediateDeadlines } from '../../../test/support/pipeline/deadlines.ts'
import { waitFor } from '../../../test/support/wait.ts'
import { clock } from '../../platform/time/clock.ts'
import { openDatabase } from '../../platform/database/database.ts'
import { recordAttempts } from '../../records/attempts/attempts.ts'
import { openRules, type Route } from '../../carriers/routes/route.ts'
import { startDeadlines } from './deadlines.ts'
import { ReceiptWatermark } from './receipt-watermark.ts'

const { database, url } = await createTestDatabase()
const past = new Date(Date.now() - 1_000)
const metrics = testMetrics()
const resending: Route = {
  ...openRules,
  id: 'again',
  channels: ['sms'],
  protocol: 'sandbox',
  options: {},
  priority: 100,
  partsPerSecond: 0,
  enabled: true,
  unknownPolicy: 'resend',
}
const routes = [resending]
const context = {
  routes: { value: routes },
  outbox: emptyOutbox,
  database,
  metrics,
  log: silentLog,
  ...immediateDeadlines,
}
const start = () => startDeadlines(context)

test('several workers close more overdue messages than one round takes, each exactly once', async () => {
  await recordJobs(database, acceptedJobs(1_200, { accountId: 61 }), past)
  const workers = [start(), start(), start()]
  await waitFor('all to close', async () => (await readAccountLedger(database, 61)).inFlight === 0)
  await Promise.all(workers.map((worker) => worker.stop()))
  assert.deepEqual(await readAccountLedger(database, 61), {
    accepted: 1_200,
    final: 1_200,
    inFlight: 0,
    gap: 0,
  })
  assert.equal(await sumCounter(metrics.closed, { code: '22000' }), 1_200)
})

test('a stopping worker does not wait for all due steps', async () => {
  await recordJobs(database, acceptedJobs(1_200, { accountId: 62 }), past)
  await startDeadlines({ ...context, maxRunMs: 0 }).stop()
  // It has ended one batch of 500 steps.
  assert.equal((await readAccountLedger(database, 62)).inFlight, 700)
  const others = start()
  await waitFor('the others', async () => (await readAccountLedger(database, 62)).inFlight === 0)
  await others.stop()
})

test("a worker whose host's clock disagrees with PostgreSQL's ends no step; another one does", async (t) => {
  const { maxSkewMs } = clock
  t.after(() => (clock.maxSkewMs = maxSkewMs))
  clock.maxSkewMs = -1
  const overdue = await recordOne(database, { accountId: 62 }, past)
  const deadlines = start()
  await deadlines.stop()
  assert.equal(await isInFlight(database, overdue.msgKey), true)
  clock.maxSkewMs = maxSkewMs
  const other = start()
  await waitFor('the step to end', async () => !(await isInFlight(database, overdue.msgKey)))
  await other.stop()
})

test("no step ends whose deadline passed only by a jump of PostgreSQL's clock", async (t) => {
  const jumpMs = 600_000
  const inJump = await recordOne(database, { accountId: 63 }, new Date(clock.now() + jumpMs / 2))
  const overdue = await recordOne(database, { accountId: 63 }, new Date(clock.now() - 2 * jumpMs))
  // The clock follows the jump while a run reads the time up to which deadlines may be applied.
  const following = startDeadlines({
    ...context,
    settledThrough: () => {
      t.mock.getter(clock, 'agrees', () => false)
      return Promise.resolve(new Date(clock.now() + jumpMs))
    },
  })
  await following.stop()
  assert.equal(await isInFlight(database, inJump.msgKey), true)
  t.mock.restoreAll()
  // PostgreSQL's clock has jumped, and this process has not measured it yet.
  t.mock.method(clock, 'date', () => new Date(Date.now() - jumpMs))
  const unaware = start()
  await unaware.stop()
  assert.equal(await isInFlight(database, overdue.msgKey), true)
  t.mock.restoreAll()
  const agreeing = start()
  await waitFor('the overdue one to end', async () => !(await isInFlight(database, overdue.msgKey)))
  await agreeing.stop()
  assert.equal(await isInFlight(database, inJump.msgKey), true)
})

test('a step whose deadline passed during an outage ends after a grace period', async () => {
  const proxy = await createProxy(url)
  const proxied = openDatabase(proxy.url, silentLog, { connections: 1 })
  addCleanup(() => proxied.end())
  const graceMs = 800
  const deadlines = startDeadlines({ ...context, database: proxied, graceMs })
  const before = await recordOne(database, {}, past)
  await waitFor('a run', async () => !(await isInFlight(database, before.msgKey)))
  proxy.block()
  const blockedAt = performance.now()
  const key = await recordOne(database, {}, past)
  await waitFor('the outage', () => performance.now() - blockedAt > 3_000)
  proxy.unblock()
  const backAt = performance.now()
  await waitFor('the step to end', async () => !(await isInFlight(database, key.msgKey)))
  assert.ok(performance.now() - backAt >= graceMs)
  await deadlines.stop()
})

test('a step does not end at its deadline while a receipt that arrived before it waits', async () => {
  const { broker, topology } = await createTestBroker()
  const proxy = await createProxy(url)
  const proxied = openDatabase(proxy.url, silentLog, { connections: 4 })
  addCleanup(() => proxied.end())
  proxy.mute()
  const settle = startTestSettle({ broker, topology, database: proxied, metrics })
  const delivered = await recordOne(database)
  const row = attempt(delivered)
  await recordAttempts(database, [row])
  const overdue = await recordOne(database, {}, new Date(clock.now() - 5_000))
  await broker.publisher.send(topology.receipts, JSON.stringify(receiptFor(row)))
  const dueAt = new Date(clock.now() + 500)
  await database.query('update in_flight set due_at = $2 where msg_key = $1', [delivered.msgKey, dueAt])
  const deadlines = startDeadlines({ ...context, settledThrough: () => settle.watermark.read(null) })

  await waitFor('an older deadline', async () => !(await isInFlight(database, overdue.msgKey)))
  const runsAfterDeadline = 3
  await waitFor('runs after the deadline', () => clock.now() > dueAt.getTime() + runsAfterDeadline * 500)
  assert.equal(await isInFlight(database, delivered.msgKey), true)
  assert.ok((await metrics.receiptAge.get()).values[0]!.value > 1)
  proxy.unmute()
  await waitFor('the receipt', async () => !(await isInFlight(database, delivered.msgKey)))
  assert.deepEqual(await reportCodes(database, delivered.msgKey), ['10000'])
  await Promise.all([deadlines.stop(), settle.stop()])
})

test('no step ends at its deadline while unconsumed receipts wait', async () => {
  const { broker, topology } = await createTestBroker()
  const overdue = await recordOne(database, {}, past)
  const row = attempt(overdue)
  await recordAttempts(database, [row])
  await broker.publisher.send(topology.receipts, JSON.stringify(receiptFor(row)))
  const idle = { spec: topology.receipts, consumption: { oldestPublishedAt: undefined } }
  const watermark = new ReceiptWatermark(broker, [idle], metrics)
  assert.equal(await watermark.read(null), null)
  const [deadlines, settle] = [
    startDeadlines({ ...context, settledThrough: () => watermark.read(null) }),
    startTestSettle({ broker, topology, database, metrics }),
  ]
  await waitFor('the receipt', async () => !(await isInFlight(database, overdue.msgKey)))
  await Promise.all([deadlines.stop(), settle.stop()])
  assert.deepEqual(await reportCodes(database, overdue.msgKey), ['10000'])
})

test('deadlines wait for the receipts that other workers hold', async () => {
  const { broker } = await createTestBroker()
  const watermark = new ReceiptWatermark(broker, [], metrics)
  const others = new Date(clock.now() - 20_000)
  assert.deepEqual(await watermark.read(others), others)
})

test('a step ends at its deadline although PostgreSQL responds slowly', async () => {
  const overdue = await recordOne(database, {}, past)
  // A run takes longer than the time without a completed run that counts as an outage.
  const settledThrough = () => delay(2_600, clock.date())
  const deadlines = startDeadlines({ ...context, graceMs: 2_700, settledThrough })
  await waitFor('the step to end', async () => !(await isInFlight(database, overdue.msgKey)))
  await deadlines.stop()
})

test('a timeout is 22000, an unknown outcome is 99999, and a step that is not due stays', async () => {
  const [silent, unknown] = [await recordOne(database, {}, past), await recordOne(database, {}, past)]
  const waiting = await recordOne(database)
  await recordAttempts(database, [
    attempt(silent),
    attempt(unknown, { outcome: 'unknown', carrierId: null, code: 'timeout' }),
  ])
  const deadlines = start()
  await waitFor('both to close', async () => {
    return !(await isInFlight(database, silent.msgKey)) && !(await isInFlight(database, unknown.msgKey))
  })
  await deadlines.stop()
  assert.deepEqual(await reportCodes(database, silent.msgKey), ['22000'])
  assert.deepEqual(await reportCodes(database, unknown.msgKey), ['99999'])
  assert.equal(await isInFlight(database, waiting.msgKey), true)
})

test('an unknown step of a resending route fails after the maximum tries', async () => {
  const [again, fails] = [
    await recordOne(database, { accountId: 66, steps: [{ ...smsStep, ttlSeconds: 60 }] }),
    await recordOne(database, { accountId: 67 }),
  ]
  const unknown = { outcome: 'unknown', carrierId: null, code: 'timeout' } as const
  const deadlines = start()
  for (let nth = 1; nth <= 3; nth++) {
    await recordAttempts(database, [attempt({ ...again, try: nth }, { ...unknown, routeId: 'again' })])
    if (nth === 1) await recordAttempts(database, [attempt(fails, unknown)])
    await database.query('update in_flight set due_at = now() where msg_key = any($1)', [
      [again.msgKey, fails.msgKey],
    ])
    if (nth === 3) break
    await waitFor('the next try', async () => {
      const found = await database.query(
        `select from in_flight f join waiting w on w.msg_key = f.msg_key and w.try = f.try
          where f.msg_key = $1 and f.try = $2 and f.state = 'unclaimed' and f.due_at > now() and w.reason = 'retry'
            and w.lane = 'urgent'`,
        [again.msgKey, nth + 1],
      )
      return found.rowCount === 1
    })
  }
  await waitFor('both to close', async () => !(await isInFlight(database, again.msgKey)))
  await deadlines.stop()
  assert.equal((await reportCodes(database, again.msgKey)).length, 1)
  assert.equal((await reportCodes(database, fails.msgKey)).length, 1)
})

test('a step with unreadable content ends at its deadline', async () => {
  const unreadable = { channel: 'mms', content: {} } as const
  const first = await recordOne(database, { accountId: 69, steps: [unreadable] }, past)
  const next = await recordOne(database, { accountId: 69, steps: [smsStep, unreadable] }, past)
  const deadlines = start()
  await waitFor('the next step', async () => {
    const found = await database.query('select from in_flight where msg_key = $1 and step = 2', [next.msgKey])
    return found.rowCount === 1
  })
  await database.query('update in_flight set due_at = $2 where msg_key = $1', [next.msgKey, past])
  await waitFor('both to close', async () => (await readAccountLedger(database, 69)).inFlight === 0)
  await deadlines.stop()
  assert.deepEqual(await reportCodes(database, first.msgKey), ['22000'])
  assert.deepEqual(await reportCodes(database, next.msgKey), ['22000', '22000'])
})

test('a step that cannot be ended is postponed and blocks no other', async () => {
  const early = new Date(Date.now() - 60_000)
  const bad = await recordOne(database, { accountId: 68 }, early)
  await recordJobs(database, acceptedJobs(30, { accountId: 68 }), past)
  // The state after the partition of the day was dropped.
  await database.query(
    'alter table reports add constraint refused check (msg_key <> $$' + bad.msgKey + '$$) not valid',
  )
  const deadlines = start()
  await waitFor('the others to close', async () => (await readAccountLedger(database, 68)).inFlight === 1)
  await deadlines.stop()
  assert.equal(await isInFlight(database, bad.msgKey), true)
  const found = await database.query(
    `select from in_flight where msg_key = $1 and due_at > now() + interval '50 minutes'`,
    [bad.msgKey],
  )
  assert.equal(found.rowCount, 1)
  await database.query('alter table reports drop constraint refused')
})
