/** The periodic check: one worker at a time, every account and day, the same values on every worker. */
import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { createLog } from '../../platform/log.ts'
import { createTestDatabase } from '../../../test/support/database.ts'
import { countStatements } from '../../../test/support/count-statements.ts'
import { foldLedger } from './fold.ts'
import { acceptedJobs, recordJobs } from '../../../test/support/fixtures.ts'
import { quietLog, testMetrics } from '../../../test/support/silent-log.ts'
import { inTransaction } from '../../platform/database.ts'
import { dayOf } from '../partitions.ts'
import { checkLedger, intervalAfter } from './check.ts'
import { findGaps } from './find-gaps.ts'
import { appendToLedger } from './queries.ts'
import { updateLedgerMetrics } from './ledger-metrics.ts'

const { database } = await createTestDatabase()
const gaps = () => inTransaction(database, (transaction) => findGaps(transaction))
const check = (now = new Date(), maxAgeMs = 0) => checkLedger(database, now, maxAgeMs)
const horizon = { read: () => Promise.resolve(null) }
const book = (day: string, accountId: number, count: number): Promise<void> =>
  appendToLedger(database, 'accepted', [{ day, accountId, count }])

beforeEach(() => database.query('truncate ledger, in_flight, ledger_checks'))

test('finds nothing while messages are in flight', async () => {
  await recordJobs(database, acceptedJobs(7, { accountId: 3 }))
  assert.deepEqual(await gaps(), [])
  assert.deepEqual((await check())?.check.gap, 0)
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
  assert.equal((await check())?.check.gap, 5)
})

test('a message missing in the ledger is found, whatever its key looks like', async () => {
  await database.query(
    `insert into in_flight (msg_key, account_id, channel, msg_type, step, steps, try, state, due_at)
     values ('smuggled', 34, 'sms', 'SM', 1, 1, 1, 'unclaimed', now())`,
  )
  assert.deepEqual(await gaps(), [
    { day: 'smuggled', accountId: 34, accepted: 0, final: 0, inFlight: 1, gap: -1 },
  ])
})

test('of many concurrent workers one checks, and none before a check is due', async () => {
  const now = new Date()
  const found = await Promise.all(Array.from({ length: 6 }, () => check(now, 30_000)))
  assert.equal(found.filter((one) => one !== null).length, 1)
  assert.equal(await check(new Date(now.getTime() + 29_000), 30_000), null)
  assert.notEqual(await check(new Date(now.getTime() + 30_000), 30_000), null)
})

test('counts the checks in a row that found a gap, over all workers, and starts again after one without', async () => {
  await book('20260101', 1, 1)
  assert.equal((await check())?.check.consecutiveGaps, 1)
  assert.equal((await check())?.check.consecutiveGaps, 2)
  await book('20260101', 1, -1)
  assert.equal((await check())?.check.consecutiveGaps, 0)
})

test('every worker exports the last result, and an error is logged only for the second gap in a row', async () => {
  const lines: string[] = []
  const log = Object.assign(createLog('silent', 'test'), {
    error: (_: object, text: string) => lines.push(text),
  })
  await book('20260101', 1, 4)
  const [checking, looking] = [testMetrics(), testMetrics()]
  const now = Date.now()
  const gapOf = async (metrics: typeof checking) => (await metrics.ledgerGap.get()).values[0]!.value
  await updateLedgerMetrics({ database, metrics: checking, log, horizon }, new Date(now))
  await updateLedgerMetrics({ database, metrics: looking, log: quietLog, horizon }, new Date(now + 1_000))
  assert.deepEqual([await gapOf(checking), await gapOf(looking)], [4, 4])
  assert.equal((await looking.ledgerChecked.get()).values[0]!.value, now / 1000)
  assert.equal(lines.length, 0)
  await updateLedgerMetrics({ database, metrics: checking, log, horizon }, new Date(now + 31_000))
  assert.equal(lines.length, 1)
  await book('20260101', 1, -4)
  await updateLedgerMetrics({ database, metrics: looking, log, horizon }, new Date(now + 62_000))
  await updateLedgerMetrics({ database, metrics: checking, log, horizon }, new Date(now + 63_000))
  assert.deepEqual([await gapOf(checking), await gapOf(looking)], [0, 0])
})

test('exports the age of the oldest open message and of the most overdue step', async () => {
  const now = new Date()
  const metrics = testMetrics()
  const read = async () => [
    Math.round((await metrics.oldestOpen.get()).values[0]!.value),
    Math.round((await metrics.overdue.get()).values[0]!.value),
  ]
  await updateLedgerMetrics({ database, metrics, log: quietLog, horizon }, now)
  assert.deepEqual(await read(), [0, 0])
  const acceptedAt = now.getTime() - 90_000
  await recordJobs(database, acceptedJobs(1, { acceptedAt }), new Date(now.getTime() - 20_000))
  await recordJobs(database, acceptedJobs(1))
  await updateLedgerMetrics({ database, metrics, log: quietLog, horizon }, now)
  assert.deepEqual(await read(), [90, 20])
})

const dayMs = 86_400_000
/** A row per message, as messages scheduled for the day have. */
async function schedule(offset: number, count: number): Promise<void> {
  const day = dayOf(new Date(), offset)
  await database.query(
    `insert into in_flight (msg_key, account_id, channel, msg_type, step, steps, try, state, due_at)
     select $1 || lpad(n::text, 20, '0'), 1, 'sms', 'SM', 1, 1, 1, 'unclaimed', now() + interval '90 days'
       from generate_series(1, $2) n`,
    [day, count],
  )
  await book(day, 1, count)
}

test('a check reads the messages that are being sent and one day of scheduled ones, however many are scheduled', async () => {
  for (let offset = 1; offset <= 60; offset++) await schedule(offset, 100)
  await recordJobs(database, acceptedJobs(7, { accountId: 3 }))
  await foldLedger(database)
  const counted = countStatements(database)
  for (let n = 1; n <= 5; n++) {
    assert.equal((await checkLedger(counted.database, new Date(), 0))?.check.gap, 0)
    assert.ok(counted.rowsRead('in_flight') <= n * (7 + 100 + 2), `${counted.rowsRead('in_flight')} rows`)
  }
})

test('a gap of a scheduled day is found within as many checks as there are such days, and stays until it is gone', async () => {
  for (const offset of [1, 2, 3, 4, 5]) await schedule(offset, 10)
  await foldLedger(database)
  const { rows } = await database.query<{ msg_key: string }>(
    `delete from in_flight where msg_key = (select max(msg_key) from in_flight where msg_key < $1) returning msg_key`,
    [dayOf(new Date(), 5)],
  )
  assert.equal(rows[0]!.msg_key.slice(0, 8), dayOf(new Date(), 4))
  const found: number[] = []
  for (let n = 0; n < 9; n++) found.push((await check())!.check.gap)
  assert.deepEqual(found, [0, 0, 0, 1, 1, 1, 1, 1, 1])
  assert.equal((await check())!.check.consecutiveGaps, 7)
  await book(dayOf(new Date(), 4), 1, -1)
  assert.equal((await check())!.check.consecutiveGaps, 0)
})

test('a day without its messages, and messages after the last possible day, are found', async () => {
  await schedule(3, 1)
  await schedule(80, 1)
  await foldLedger(database)
  assert.equal((await check())!.check.gap, 0)
  assert.equal((await check())!.check.gap, 0)
  await database.query('truncate in_flight')
  const found = [(await check())!.check.gap, (await check())!.check.gap]
  assert.deepEqual(found, [1, 2])
  // When the day comes it belongs to what every check reads.
  assert.equal((await check(new Date(Date.now() + 4 * dayMs)))!.check.gap, 2)
})

test('a check that takes long is repeated less often', () => {
  assert.equal(intervalAfter({ tookMs: 100 }, 30_000), 30_000)
  assert.equal(intervalAfter({ tookMs: 3_000 }, 30_000), 60_000)
  assert.equal(intervalAfter({ tookMs: 60_000 }, 30_000), 150_000)
})
