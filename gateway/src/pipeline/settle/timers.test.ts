/** What time does: steps past their deadline are closed with the right code, by however many workers. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { emptyOutbox } from '../../../test/support/outbox.ts'
import { createTestBroker } from '../../../test/support/broker.ts'
import { createTestDatabase } from '../../../test/support/database.ts'
import {
  acceptedJobs,
  attempt,
  isInFlight,
  ledgerOf,
  receiptFor,
  recordJobs,
  recordOne,
  reportCodes,
} from '../../../test/support/fixtures.ts'
import { countOf, quietLog, testMetrics } from '../../../test/support/quiet.ts'
import { waitFor } from '../../../test/support/wait.ts'
import { recordAttempts } from '../../records/attempts/attempts.ts'
import type { ReceiptJob } from '../../jobs/jobs.ts'
import { storeOrphans } from '../../records/attempts/orphans.ts'
import { openRules, type Route } from '../../routes/route.ts'
import { RouteTally } from '../../routes/tally.ts'
import { startTimers } from './timers.ts'

const { database } = await createTestDatabase()
const testBroker = await createTestBroker()
const { broker, topology } = testBroker
await broker.declare([topology.parked])
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
const start = () =>
  startTimers({
    routes: { value: routes },
    outbox: emptyOutbox,
    tally: new RouteTally(),
    broker,
    topology,
    database,
    metrics,
    retentionDays: 30,
    log: quietLog,
  })

test('closes overdue messages, more than one round takes, exactly once, with several workers', async () => {
  await recordJobs(database, acceptedJobs(1_200, { accountId: 61 }), past)
  const workers = [start(), start(), start()]
  await waitFor('all to close', async () => (await ledgerOf(database, 61)).inFlight === 0)
  await Promise.all(workers.map((worker) => worker.stop()))
  assert.deepEqual(await ledgerOf(database, 61), { accepted: 1_200, final: 1_200, inFlight: 0, gap: 0 })
  assert.equal(await countOf(metrics.closed, { code: '22001' }), 1_200)
})

test('a timeout is 22001, an outcome that nobody knows is 99999, and what is not due stays', async () => {
  const [silent, unknown] = [await recordOne(database, {}, past), await recordOne(database, {}, past)]
  const waiting = await recordOne(database)
  await recordAttempts(database, [
    attempt(silent),
    attempt(unknown, { outcome: 'unknown', carrierId: null, code: 'timeout' }),
  ])
  const timers = start()
  await waitFor('both to close', async () => {
    return !(await isInFlight(database, silent.msgKey)) && !(await isInFlight(database, unknown.msgKey))
  })
  await timers.stop()
  assert.deepEqual(await reportCodes(database, silent.msgKey), ['22001'])
  assert.deepEqual(await reportCodes(database, unknown.msgKey), ['99999'])
  assert.equal(await isInFlight(database, waiting.msgKey), true)
})

test('an orphaned receipt that the database cannot hold keeps no other from being settled', async () => {
  const [bad, good] = [attempt(await recordOne(database)), attempt(await recordOne(database))]
  await recordAttempts(database, [bad, good])
  await storeOrphans(database, [receiptFor(bad, { code: 'UNDELIV:\u0000' }), receiptFor(good)], new Date())
  const timers = start()
  try {
    await waitFor('the good one to close', async () => !(await isInFlight(database, good.msgKey)), {
      timeoutMs: 4_000,
    })
  } finally {
    await timers.stop()
  }
})

test('an orphaned receipt of an unknown version is parked and removed, and the others are settled', async () => {
  const [unreadable, good] = [attempt(await recordOne(database)), attempt(await recordOne(database))]
  await recordAttempts(database, [unreadable, good])
  const newer = { ...receiptFor(unreadable), v: 2 } as unknown as ReceiptJob
  await storeOrphans(database, [newer, receiptFor(good)], new Date())
  await testBroker.drain(topology.parked, await broker.depth(topology.parked))
  const timers = start()
  try {
    await waitFor('the good one to close', async () => !(await isInFlight(database, good.msgKey)))
    const reason = 'receipt job of version 2; this process reads version 1'
    assert.deepEqual(await testBroker.drain(topology.parked, 1), [{ stage: 'settle', job: newer, reason }])
    await waitFor('both orphans to be removed', async () => {
      return (await database.query('select from orphan_receipts')).rowCount === 0
    })
  } finally {
    await timers.stop()
  }
})

test('an unknown step of a route that resends is tried again, a bounded number of times, and then fails', async () => {
  const [again, fails] = [
    await recordOne(database, { accountId: 66 }),
    await recordOne(database, { accountId: 67 }),
  ]
  const unknown = { outcome: 'unknown', carrierId: null, code: 'timeout' } as const
  const timers = start()
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
          where f.msg_key = $1 and f.try = $2 and f.state = 'released' and f.due_at > now() and w.reason = 'retry'`,
        [again.msgKey, nth + 1],
      )
      return found.rowCount === 1
    })
  }
  await waitFor('both to close', async () => !(await isInFlight(database, again.msgKey)))
  await timers.stop()
  assert.equal((await reportCodes(database, again.msgKey)).length, 1)
  assert.equal((await reportCodes(database, fails.msgKey)).length, 1)
})
