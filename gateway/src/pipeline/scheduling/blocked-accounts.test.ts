import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestAuditContext } from '../../../test/support/audit-context.ts'
import { createTestDatabase } from '../../../test/support/engines/database.ts'
import { acceptedJobs, createAccount, recordJobs } from '../../../test/support/fixtures.ts'
import { joinMembers } from '../../../test/support/membership.ts'
import { createMemoryLog } from '../../../test/support/memory-log.ts'
import { testMetrics } from '../../../test/support/silent-log.ts'
import { waitFor } from '../../../test/support/wait.ts'
import { loadBlockedAccounts, insertBlock } from '../../identity/accounts/blocks.ts'
import { inTransaction } from '../../platform/database/database.ts'
import { findAccountsWaiting } from '../../records/waiting/find-waiting.ts'
import { holdSteps } from '../../records/waiting/write-waiting.ts'
import { startBlockedAccounts } from './blocked-accounts.ts'

const { database } = await createTestDatabase()

test('accounts that wait are found by a few probes, however many are blocked', async () => {
  const accountId = await createAccount(database, 'waits')
  const other = await createAccount(database, 'waits too')
  const keys = await recordJobs(database, acceptedJobs(1_000, { accountId }))
  await holdSteps(
    database,
    keys.map((key, n) => ({
      ...key,
      accountId: n < 990 ? accountId : other,
      routeId: `route${n % 10}`,
      lane: 'normal',
      parts: 1,
      tries: 0,
      releaseAt: new Date(),
      reason: 'backlog',
    })),
  )
  const blocked = Array.from({ length: 5_000 }, (_, n) => other + n)
  await inTransaction(database, async (transaction) => {
    // Count this connection, including earlier work that it has not reported yet.
    const readCounts = async (): Promise<{ scans: number; read: number }> => {
      const { rows } = await transaction.query<{ scans: number; read: number }>(
        `select idx_scan::int as scans, idx_tup_fetch::int as read from pg_stat_xact_user_tables where relname = 'waiting'`,
      )
      return rows[0]!
    }
    const before = await readCounts()
    assert.deepEqual(await findAccountsWaiting(transaction, blocked, 'all'), [other])
    assert.deepEqual(await findAccountsWaiting(transaction, blocked, 'due'), [other])
    assert.deepEqual(await findAccountsWaiting(transaction, blocked.slice(1), 'all'), [])
    const after = await readCounts()
    const [scans, read] = [after.scans - before.scans, after.read - before.read]
    // Neither 50,000 probes nor the rows of accounts that are not blocked.
    assert.ok(scans > 0 && scans < 300 && read < 300, `${scans} scans, ${read} rows`)
  })
  await database.query(`delete from waiting where route_id like 'route%'`)
})

/** Creates a blocked account with waiting messages and returns their keys. */
async function createBlockedAccount(name: string, count: number): Promise<string[]> {
  const accountId = await createAccount(database, name)
  const keys = await recordJobs(database, acceptedJobs(count, { accountId }))
  await holdSteps(
    database,
    keys.map((key) => ({
      ...key,
      accountId,
      routeId: 'north',
      lane: 'normal',
      parts: 1,
      tries: 0,
      releaseAt: new Date(),
      reason: 'backlog',
    })),
  )
  await insertBlock(database, name, createTestAuditContext(), { backlog: 'close' })
  return keys.map(({ msgKey }) => msgKey)
}

test('a message that cannot be ended stays; the others of its account and other accounts end', async () => {
  const first = await createBlockedAccount('first', 60)
  const second = await createBlockedAccount('second', 3)
  const failing = first[7]!
  await database.query(`create function fail_report() returns trigger language plpgsql as
    $$ begin raise exception 'this report fails'; end $$`)
  await database.query(`create trigger failing before insert on reports for each row
    when (new.msg_key = '${failing}') execute function fail_report()`)
  const accounts = await loadBlockedAccounts(database)
  const { log, lines } = createMemoryLog()
  const task = startBlockedAccounts({
    database,
    membership: joinMembers(database),
    stopped: () => accounts,
    metrics: testMetrics(),
    log,
  })
  const open = async (): Promise<string[]> =>
    (
      await database.query<{ key: string }>('select msg_key as key from in_flight where msg_key = any ($1)', [
        [...first, ...second],
      ])
    ).rows.map(({ key }) => key)
  await waitFor('the others to end', async () => (await open()).length === 1, { timeoutMs: 20_000 })
  await task.stop()
  assert.deepEqual(await open(), [failing])
  assert.equal(lines.filter((line) => line.includes(failing)).length, 1)
})
