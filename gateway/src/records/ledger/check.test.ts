import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { createLog } from '../../platform/logging/log.ts'
import { createTestDatabase } from '../../../test/support/engines/database.ts'
import { acceptedJobs, recordJobs } from '../../../test/support/fixtures.ts'
import { silentLog, testMetrics } from '../../../test/support/silent-log.ts'
import { toKeyDay } from '../partitions.ts'
import { checkLedger, findGaps, intervalAfter, updateLedger } from './check.ts'
import { appendToLedger } from './queries.ts'

const { database } = await createTestDatabase()
const gaps = () => findGaps(database)
const check = (now = new Date(), intervalMs = 0) =>
  checkLedger({ database, log: silentLog }, now, { intervalMs })
const horizon = { read: () => Promise.resolve(null) }
const book = (day: string, accountId: number, count: number): Promise<void> =>
  appendToLedger(database, 'accepted', [{ day, accountId, count }])

beforeEach(() => database.query('truncate ledger, in_flight, ledger_checks'))

test('finds nothing while messages are in flight', async () => {
  await recordJobs(database, acceptedJobs(7, { accountId: 3 }))
  assert.deepEqual(await gaps(), [])
  assert.deepEqual((await check())?.gap, 0)
})

test('gaps of opposite sign on two days or accounts do not hide each other', async () => {
  await book('20260101', 1, 2)
  await book('20260102', 1, -2)
  await book('20260101', 2, -1)
  assert.deepEqual(
    (await gaps()).map(({ day, accountId, gap }) => [day, accountId, gap]),
    [
      ['20260101', 1, 2],
      ['20260101', 2, -1],
      ['20260102', 1, -2],
    ],
  )
  assert.equal((await check())?.gap, 5)
})

test('a message missing in the ledger is found, whatever its key', async () => {
  await database.query(
    `insert into in_flight (msg_key, account_id, channel, msg_type, step, steps, try, state, due_at)
     values ('smuggled', 34, 'sms', 'SM', 1, 1, 1, 'unclaimed', now())`,
  )
  assert.deepEqual(await gaps(), [
    { day: 'smuggled', accountId: 34, accepted: 0, final: 0, inFlight: 1, gap: -1 },
  ])
})

test('only one of many concurrent workers checks, and none before a check is due', async () => {
  const now = new Date()
  const results = await Promise.all(Array.from({ length: 6 }, () => check(now, 30_000)))
  assert.equal(results.filter((result) => result !== null).length, 1)
  assert.equal(await check(new Date(now.getTime() + 29_000), 30_000), null)
  assert.notEqual(await check(new Date(now.getTime() + 30_000), 30_000), null)
})

test('counts consecutive checks with a gap over all workers', async () => {
  await book('20260101', 1, 1)
  assert.equal((await check())?.consecutiveGaps, 1)
  assert.equal((await check())?.consecutiveGaps, 2)
  await book('20260101', 1, -1)
  assert.equal((await check())?.consecutiveGaps, 0)
})

test('every worker exports the last result; only a second consecutive gap is logged', async () => {
  const lines: string[] = []
  const log = Object.assign(createLog('silent', 'test'), {
    error: (_: object, text: string) => lines.push(text),
  })
  await book('20260101', 1, 4)
  const [checking, exporting] = [testMetrics(), testMetrics()]
  const now = Date.now()
  const gapOf = async (metrics: typeof checking) => (await metrics.ledgerGap.get()).values[0]!.value
  await updateLedger({ database, metrics: checking, log, horizon }, new Date(now))
  await updateLedger({ database, metrics: exporting, log: silentLog, horizon }, new Date(now + 1_000))
  assert.deepEqual([await gapOf(checking), await gapOf(exporting)], [4, 4])
  assert.equal((await exporting.ledgerChecked.get()).values[0]!.value, now / 1000)
  assert.equal(lines.length, 0)
  await updateLedger({ database, metrics: checking, log, horizon }, new Date(now + 31_000))
  assert.equal(lines.length, 1)
  await book('20260101', 1, -4)
  await updateLedger({ database, metrics: exporting, log, horizon }, new Date(now + 62_000))
  await updateLedger({ database, metrics: checking, log, horizon }, new Date(now + 63_000))
  assert.deepEqual([await gapOf(checking), await gapOf(exporting)], [0, 0])
})

test('exports the age of the oldest open message and of the most overdue step', async () => {
  const now = new Date()
  const metrics = testMetrics()
  const read = async () => [
    Math.round((await metrics.oldestOpen.get()).values[0]!.value),
    Math.round((await metrics.overdue.get()).values[0]!.value),
  ]
  await updateLedger({ database, metrics, log: silentLog, horizon }, now)
  assert.deepEqual(await read(), [0, 0])
  const acceptedAt = now.getTime() - 90_000
  await recordJobs(database, acceptedJobs(1, { acceptedAt }), new Date(now.getTime() - 20_000))
  await recordJobs(database, acceptedJobs(1))
  await updateLedger({ database, metrics, log: silentLog, horizon }, now)
  assert.deepEqual(await read(), [90, 20])
})

test('the next check finds a lost message that was scheduled for a later day', async () => {
  const sendAt = Date.now() + 4 * 86_400_000
  await book(toKeyDay(new Date(sendAt)), 1, 1)
  assert.equal((await check())!.gap, 1)
})

test('checks that take longer are repeated less often', () => {
  assert.equal(intervalAfter(100, 30_000), 30_000)
  assert.equal(intervalAfter(3_000, 30_000), 60_000)
  assert.equal(intervalAfter(60_000, 30_000), 150_000)
})
