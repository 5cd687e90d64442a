import assert from 'node:assert/strict'
import { test } from 'node:test'
import { insertBatch } from '../../../test/support/batches.ts'
import { createTestAdmin } from '../../../test/support/http/admin.ts'
import { createAccount, recordOne } from '../../../test/support/fixtures.ts'
import { waitFor } from '../../../test/support/wait.ts'
import { inTransaction } from '../../platform/database/database.ts'

const admin = await createTestAdmin()
const { database } = admin
await recordOne(database, { accountId: await createAccount(database, 'shop') })
const url = '/admin/v1/ledger/accounts'

test('concurrent comparisons share one connection, and lists are not blocked', async () => {
  const waiting = async (): Promise<number> => {
    const { rows } = await database.query<{ count: number }>(
      `select count(*)::int as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
    return rows[0]!.count
  }
  const { compared, waitingConnections } = await inTransaction(database, async (transaction) => {
    await transaction.query('lock table in_flight in access exclusive mode')
    const comparisons = Array.from({ length: 7 }, () => admin.call('viewer', 'GET', url))
    await waitFor('a comparison', async () => (await waiting()) > 0)
    const accounts = await admin.get<{ items: object[] }>('operator', '/admin/v1/accounts')
    assert.equal(accounts.items.length, 1)
    return { compared: Promise.all(comparisons), waitingConnections: await waiting() }
  })
  assert.equal(waitingConnections, 1)
  for (const { status, body } of await compared) assert.equal(status, 200, body.detail)
})

test('a batch whose messages were lost is listed', async () => {
  const accountId = await createAccount(database, 'mailer')
  const { batchKey } = await insertBatch(database, accountId, { state: 'running', messages: 2 })
  const { batches } = await admin.get<{ batches: object[] }>('viewer', url)
  assert.deepEqual(batches, [
    { batchId: batchKey, accountId, lines: 0, countedLines: 2, messages: 2, open: 0, closed: 0 },
  ])
})

test('a later comparison reads again', async () => {
  const accepted = async (): Promise<number> =>
    (await admin.get<{ accounts: { accepted: number }[] }>('viewer', url)).accounts[0]!.accepted
  assert.equal(await accepted(), 1)
  const { rows } = await database.query<{ id: number }>(`select id from accounts where client_id = 'shop'`)
  await recordOne(database, { accountId: rows[0]!.id })
  assert.equal(await accepted(), 2)
})
