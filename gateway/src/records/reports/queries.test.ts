import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestDatabase } from '../../../test/support/engines/database.ts'
import { createReport as report, testReports } from '../../../test/support/pipeline/feeds.ts'
import { silentLog } from '../../../test/support/silent-log.ts'
import { inTransaction, openDatabase } from '../../platform/database/database.ts'
import { acknowledgeBatch, pollFeed } from '../feed/poll.ts'
import { toKeyDay, ensureDay } from '../partitions.ts'
import { findMessageReports, insertReports, reportFeed } from './queries.ts'

const { database, url } = await createTestDatabase()
let lastAccount = 100

const write = (accountId: number, count: number, from = 1): Promise<void> =>
  inTransaction(database, (transaction) => testReports.write(transaction, accountId, count, from))

const poll = async (accountId: number) => {
  const { batchId, rows } = await pollFeed(database, reportFeed, accountId)
  return { batchId, refs: rows.map((row) => Number(row.ref)) }
}

const dayMs = 86_400_000

/** Creates the partitions that retention and messages scheduled 61 days ahead need. */
async function createManyDays(): Promise<void> {
  for (let offset = -30; offset <= 62; offset++)
    await ensureDay(database, new Date(Date.now() + offset * dayMs), ['reports'])
}

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

test('a batch that expired while it was held is replaced by newer reports', async () => {
  const account = ++lastAccount
  await write(account, 2)
  const { batchId } = await poll(account)
  await database.query(`update reports set created_at = now() - interval '4 days' where account_id = $1`, [
    account,
  ])
  await write(account, 1, 3)
  const next = await poll(account)
  assert.deepEqual(next.refs, [3])
  assert.notEqual(next.batchId, batchId)
  assert.equal(await acknowledgeBatch(database, reportFeed, account, batchId), false)
})

test('a poll scans recent days, and all days only if a number is missing', async () => {
  await createManyDays()
  const account = ++lastAccount
  await write(account, 3)
  const session = openDatabase(url, silentLog, { connections: 1 })
  const poll = () =>
    inTransaction(session, async (transaction) => {
      const { batchId, rows } = await pollFeed(transaction, reportFeed, account)
      const { rows: scans } = await transaction.query<{ indexed: number; sequential: number }>(
        `select count(*) filter (where idx_scan > 0) as indexed, count(*) filter (where seq_scan > 0) as sequential
           from pg_stat_xact_user_tables where relname like 'reports_2%'`,
      )
      return { batchId, refs: rows.map((row) => Number(row.ref)), ...scans[0]! }
    })
  const recent = await poll()
  // Five days: from three days ago until tomorrow.
  assert.deepEqual([recent.refs, recent.indexed, recent.sequential], [[1, 2, 3], 5, 0])
  await acknowledgeBatch(database, reportFeed, account, recent.batchId)
  // Its message was scheduled and cancelled before its day.
  const scheduled = report(account, '5')
  const cancelled = { ...scheduled, msgKey: toKeyDay(new Date(), 60) + scheduled.msgKey.slice(8) }
  await inTransaction(database, (transaction) =>
    insertReports(transaction, [report(account, '4'), cancelled, report(account, '6')]),
  )
  const all = await poll()
  assert.deepEqual([all.refs, all.sequential], [[4, 5, 6], 0])
  await session.end()
})

test('skips any number of expired records after reading one page of them', async () => {
  const account = ++lastAccount
  for (let from = 1; from <= 20_000; from += 5_000) await write(account, 5_000, from)
  await database.query(`update reports set created_at = now() - interval '4 days' where account_id = $1`, [
    account,
  ])
  await write(account, 3, 20_001)
  const session = openDatabase(url, silentLog, { connections: 1 })
  await inTransaction(session, async (transaction) => {
    const { rows } = await pollFeed(transaction, reportFeed, account)
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

test('a poll that finds only expired records advances past them', async () => {
  const account = ++lastAccount
  await write(account, 1_500)
  await database.query(`update reports set created_at = now() - interval '4 days' where account_id = $1`, [
    account,
  ])
  assert.deepEqual(await poll(account), { batchId: '', refs: [] })
  const state = await database.query('select acked_seq from report_polls where account_id = $1', [account])
  assert.deepEqual(state.rows, [{ acked_seq: 1_500 }])
  await write(account, 1, 2_000)
  assert.deepEqual((await poll(account)).refs, [2_000])
})

test('an inquiry touches one index of one partition', async () => {
  const account = ++lastAccount
  const written = report(account, '1')
  await inTransaction(database, (transaction) => insertReports(transaction, [written]))
  const session = openDatabase(url, silentLog, { connections: 1 })
  await inTransaction(session, async (transaction) => {
    const found = await findMessageReports(transaction, account, written.msgKey, new Date(0))
    assert.equal(found.length, 1)
    const { rows } = await transaction.query<{ relname: string; idx_scan: number }>(
      `select relname, idx_scan from pg_stat_xact_user_tables where idx_scan + seq_scan > 0`,
    )
    assert.deepEqual(rows, [{ relname: `reports_${written.msgKey.slice(0, 8)}`, idx_scan: 1 }])
  })
  await session.end()
})
