/** Polling: the same batch until it is deleted, in order, nothing skipped, with concurrent writers and pollers. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { jumpClockAhead } from '../../../test/support/clock-jump.ts'
import { createTestDatabase } from '../../../test/support/database.ts'
import { acceptedJob } from '../../../test/support/fixtures.ts'
import { quietLog } from '../../../test/support/silent-log.ts'
import { isSettled, waitFor } from '../../../test/support/wait.ts'
import { Clock, clock } from '../../platform/clock.ts'
import { inTransaction, openDatabase, type Queryable } from '../../platform/database.ts'
import { dayOf, ensureDay } from '../partitions.ts'
import { maxBatchSize, pollingLifetimeMs, pollReports } from './poll.ts'
import { acknowledgeBatch, findReports, insertReports, type NewReport } from './queries.ts'

const { database, url } = await createTestDatabase()
let lastAccount = 100

function report(accountId: number, ref: string): NewReport {
  return {
    msgKey: acceptedJob().msgKey,
    step: 1,
    accountId,
    serviceType: 'SMS',
    msgType: 'SM',
    sentAt: new Date(),
    reportedAt: new Date(),
    reportCode: '10000',
    reportText: 'Delivered',
    carrier: '10000',
    parts: 1,
    ref,
  }
}

/** Reports with the refs `from`, `from + 1` and so on. */
async function write(accountId: number, count: number, from = 1, into?: Queryable): Promise<void> {
  const reports = Array.from({ length: count }, (_, index) => report(accountId, String(from + index)))
  if (into !== undefined) await insertReports(into, reports)
  else await inTransaction(database, (transaction) => insertReports(transaction, reports))
}

const poll = async (accountId: number, inMs?: number) => {
  const time =
    inMs === undefined ? clock : new Clock({ wallMs: () => Date.now() + inMs, monotonicMs: () => 0 })
  const { reportId, rows } = await pollReports(database, accountId, maxBatchSize, time)
  return { reportId, refs: rows.map((row) => Number(row.ref)) }
}
const upTo = (last: number, first = 1): number[] =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index)

test('nothing to deliver is an empty id and no records', async () => {
  assert.deepEqual(await poll(++lastAccount), { reportId: '', refs: [] })
})

test('returns the same batch until it is deleted, whatever is written meanwhile', async () => {
  const account = ++lastAccount
  await write(account, 3)
  const first = await poll(account)
  assert.match(first.reportId, /^\d{17}[0-9A-Z]{11}$/)
  assert.deepEqual(first.refs, [1, 2, 3])
  await write(account, 2, 4)
  assert.deepEqual(await poll(account), first)
  assert.equal(await acknowledgeBatch(database, account, first.reportId), true)
  const second = await poll(account)
  assert.notEqual(second.reportId, first.reportId)
  assert.deepEqual(second.refs, [4, 5])
  await acknowledgeBatch(database, account, second.reportId)
  assert.deepEqual(await poll(account), { reportId: '', refs: [] })
})

test('hands out at most 1000 records, in the order they were written', async () => {
  const account = ++lastAccount
  for (let from = 1; from <= 1_201; from += 400) await write(account, 400, from)
  const first = await poll(account)
  assert.deepEqual(first.refs, upTo(maxBatchSize))
  assert.deepEqual(await poll(account), first)
  await acknowledgeBatch(database, account, first.reportId)
  assert.deepEqual((await poll(account)).refs, upTo(1_600, 1_001))
})

test('two concurrent pollers of one account get the same batch', async () => {
  const account = ++lastAccount
  await write(account, 5)
  const batches = await Promise.all([1, 2, 3, 4].map(() => poll(account)))
  for (const batch of batches) assert.deepEqual(batch, batches[0])
})

test('a batch is deleted once, by its own account, under its own id', async () => {
  const [account, other] = [++lastAccount, ++lastAccount]
  await write(account, 2)
  const { reportId } = await poll(account)
  assert.equal(await acknowledgeBatch(database, other, reportId), false)
  assert.equal(await acknowledgeBatch(database, account, 'another'), false)
  assert.equal(await acknowledgeBatch(database, account, ''), false)
  const deleted = await Promise.all([1, 2, 3].map(() => acknowledgeBatch(database, account, reportId)))
  assert.equal(deleted.filter(Boolean).length, 1)
})

test('accounts never see each other’s reports', async () => {
  const [one, two] = [++lastAccount, ++lastAccount]
  const mixed = [report(one, '1'), report(two, '10'), report(one, '2'), report(two, '11')]
  await inTransaction(database, (transaction) => insertReports(transaction, mixed))
  assert.deepEqual((await poll(one)).refs, [1, 2])
  assert.deepEqual((await poll(two)).refs, [10, 11])
})

test('never skips a record whose writer commits later than the writer after it', async () => {
  const account = ++lastAccount
  const slow = await database.connect()
  await slow.query('begin')
  await write(account, 2, 1, slow)
  const fast = write(account, 2, 3)
  await waitFor('the second writer to wait for the first', async () => {
    const waiting = await database.query(
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
    return waiting.rowCount === 1
  })
  assert.equal(await isSettled(fast), false)
  assert.deepEqual(await poll(account), { reportId: '', refs: [] })
  await slow.query('commit')
  slow.release()
  await fast
  assert.deepEqual((await poll(account)).refs, [1, 2, 3, 4])
})

test('a failed writer leaves no gap in the order', async () => {
  const account = ++lastAccount
  await assert.rejects(
    inTransaction(database, async (transaction) => {
      await write(account, 2, 90, transaction)
      throw new Error('killed')
    }),
  )
  await write(account, 2)
  assert.deepEqual((await poll(account)).refs, [1, 2])
})

test('every record is delivered exactly once while many write and one polls', async () => {
  const account = ++lastAccount
  const written = new AbortController()
  const seen: number[] = []
  const writers = Promise.all(
    [0, 1, 2, 3].map(async (writer) => {
      for (let n = 0; n < 25; n++) await write(account, 3, writer * 1_000 + n * 3)
    }),
  ).then(() => written.abort())
  for (;;) {
    const last = written.signal.aborted
    const { reportId, refs } = await poll(account)
    seen.push(...refs)
    if (reportId !== '') await acknowledgeBatch(database, account, reportId)
    else if (last) break
  }
  await writers
  assert.equal(seen.length, 300)
  assert.equal(new Set(seen).size, 300)
})

test('many accounts in one batch never deadlock their writers', async () => {
  const accounts = Array.from({ length: 20 }, () => ++lastAccount)
  await Promise.all(
    [1, 2, 3, 4].map(async (n) => {
      const order = n % 2 === 0 ? accounts : [...accounts].reverse()
      for (let turn = 0; turn < 5; turn++) {
        await inTransaction(database, (transaction) =>
          insertReports(
            transaction,
            order.map((account) => report(account, '1')),
          ),
        )
      }
    }),
  )
  assert.equal((await poll(accounts[7]!)).refs.length, 20)
})

test('deleting a batch writes one row, whatever its size', async () => {
  const account = ++lastAccount
  await write(account, 1_000)
  const { reportId, refs } = await poll(account)
  assert.equal(refs.length, 1_000)
  // A session of its own: a used one may not have reported the counts of its earlier transactions yet.
  const session = openDatabase(url, quietLog, { connections: 1 })
  await inTransaction(session, async (transaction) => {
    await acknowledgeBatch(transaction, account, reportId)
    const { rows } = await transaction.query<{ relname: string; written: number }>(
      `select relname, n_tup_ins + n_tup_upd + n_tup_del as written from pg_stat_xact_user_tables
        where n_tup_ins + n_tup_upd + n_tup_del > 0`,
    )
    assert.deepEqual(rows, [{ relname: 'report_polls', written: 1 }])
  })
  await session.end()
})

test('records leave the polling queue after three days', async () => {
  const account = ++lastAccount
  await write(account, 2)
  assert.deepEqual((await poll(account, pollingLifetimeMs - 60_000)).refs, [1, 2])
  assert.deepEqual(await poll(account, pollingLifetimeMs + 1_000), { reportId: '', refs: [] })
})

test("records stay in the polling queue when PostgreSQL's clock jumps ahead", async (t) => {
  const account = ++lastAccount
  await write(account, 2)
  jumpClockAhead(t)
  assert.deepEqual((await poll(account)).refs, [1, 2])
})

test('a batch that expired while it was held is replaced by newer reports', async () => {
  const account = ++lastAccount
  await write(account, 2)
  const { reportId } = await poll(account)
  await database.query(`update reports set created_at = now() - interval '4 days' where account_id = $1`, [
    account,
  ])
  await write(account, 1, 3)
  const next = await poll(account)
  assert.deepEqual(next.refs, [3])
  assert.notEqual(next.reportId, reportId)
  assert.equal(await acknowledgeBatch(database, account, reportId), false)
})

const dayMs = 86_400_000

/** Creates the partitions that retention and messages scheduled 61 days ahead need. */
async function createManyDays(): Promise<void> {
  for (let offset = -30; offset <= 62; offset++)
    await ensureDay(database, new Date(Date.now() + offset * dayMs), ['reports'])
}

test('a poll scans the index of recent days, and of all days when a number is missing there', async () => {
  await createManyDays()
  const account = ++lastAccount
  await write(account, 3)
  const session = openDatabase(url, quietLog, { connections: 1 })
  const poll = () =>
    inTransaction(session, async (transaction) => {
      const { reportId, rows } = await pollReports(transaction, account)
      const { rows: scans } = await transaction.query<{ indexed: number; sequential: number }>(
        `select count(*) filter (where idx_scan > 0) as indexed, count(*) filter (where seq_scan > 0) as sequential
           from pg_stat_xact_user_tables where relname like 'reports_2%'`,
      )
      return { reportId, refs: rows.map((row) => Number(row.ref)), ...scans[0]! }
    })
  const recent = await poll()
  assert.deepEqual([recent.refs, recent.indexed, recent.sequential], [[1, 2, 3], 5, 0])
  await acknowledgeBatch(database, account, recent.reportId)
  // Its message was scheduled and cancelled before its day.
  const scheduled = report(account, '5')
  const cancelled = { ...scheduled, msgKey: dayOf(new Date(), 60) + scheduled.msgKey.slice(8) }
  await inTransaction(database, (transaction) =>
    insertReports(transaction, [report(account, '4'), cancelled, report(account, '6')]),
  )
  const all = await poll()
  assert.deepEqual([all.refs, all.sequential], [[4, 5, 6], 0])
  await session.end()
})

test('skips any number of expired records without reading them, once', async () => {
  const account = ++lastAccount
  for (let from = 1; from <= 20_000; from += 5_000) await write(account, 5_000, from)
  await database.query(`update reports set created_at = now() - interval '4 days' where account_id = $1`, [
    account,
  ])
  await write(account, 3, 20_001)
  const session = openDatabase(url, quietLog, { connections: 1 })
  await inTransaction(session, async (transaction) => {
    const { rows } = await pollReports(transaction, account)
    assert.deepEqual(
      rows.map((row) => Number(row.ref)),
      [20_001, 20_002, 20_003],
    )
    const read = await transaction.query<{ n: number }>(
      `select sum(idx_tup_fetch)::int as n from pg_stat_xact_user_tables where relname like 'reports_2%'`,
    )
    assert.ok(read.rows[0]!.n < 1_200, `${read.rows[0]!.n} rows were read`)
  })
  const state = await database.query('select acked_seq from report_polls where account_id = $1', [account])
  assert.deepEqual(state.rows, [{ acked_seq: 20_000 }])
  await session.end()
})

test('after a poll that finds only expired records the next one begins after them', async () => {
  const account = ++lastAccount
  await write(account, 1_500)
  await database.query(`update reports set created_at = now() - interval '4 days' where account_id = $1`, [
    account,
  ])
  assert.deepEqual(await poll(account), { reportId: '', refs: [] })
  const state = await database.query('select acked_seq from report_polls where account_id = $1', [account])
  assert.deepEqual(state.rows, [{ acked_seq: 1_500 }])
  await write(account, 1, 2_000)
  assert.deepEqual((await poll(account)).refs, [2_000])
})

test('an inquiry touches one index of one partition', async () => {
  const account = ++lastAccount
  const written = report(account, '1')
  await inTransaction(database, (transaction) => insertReports(transaction, [written]))
  const session = openDatabase(url, quietLog, { connections: 1 })
  await inTransaction(session, async (transaction) => {
    const found = await findReports(transaction, account, written.msgKey, new Date(0))
    assert.equal(found.length, 1)
    const { rows } = await transaction.query<{ relname: string; idx_scan: number }>(
      `select relname, idx_scan from pg_stat_xact_user_tables where idx_scan + seq_scan > 0`,
    )
    assert.deepEqual(rows, [{ relname: `reports_${written.msgKey.slice(0, 8)}`, idx_scan: 1 }])
  })
  await session.end()
})
