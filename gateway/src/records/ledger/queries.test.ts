import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestDatabase } from '../../../test/support/engines/database.ts'
import { acceptedJobs, createAccount, readAccountLedger, recordJobs } from '../../../test/support/fixtures.ts'
import { closeMessages } from '../messages/close.ts'
import { inTransaction, type Queryable } from '../../platform/database/database.ts'
import { foldLedger } from './fold.ts'
import { appendToLedger, countByDay, readLedger, countOpenMessages } from './queries.ts'

const { database } = await createTestDatabase()

async function runSome(accountId: number, accepted: number, closed: number): Promise<string[]> {
  const keys = await recordJobs(database, acceptedJobs(accepted, { accountId }))
  const endedSteps = keys
    .slice(0, closed)
    .map((key) => ({ ...key, cause: 'delivered' as const, parts: 1, sentAt: new Date(), at: new Date() }))
  await inTransaction(database, (transaction) => closeMessages(transaction, endedSteps))
  return keys.map(({ msgKey }) => msgKey)
}

test('a lost row shows as a gap', async () => {
  const keys = await runSome(32, 5, 2)
  await database.query('delete from in_flight where msg_key = any($1)', [keys.slice(3)])
  assert.deepEqual(await readAccountLedger(database, 32), { accepted: 5, final: 2, inFlight: 1, gap: 2 })
})

test('a message closed twice shows as a gap', async () => {
  await runSome(35, 3, 3)
  await appendToLedger(database, 'closed', [{ day: '20260101', accountId: 35, count: 1 }])
  assert.equal((await readAccountLedger(database, 35)).gap, -1)
  await appendToLedger(database, 'accepted', [{ day: '20260101', accountId: 35, count: 1 }])
})

test('names the account', async () => {
  const id = await createAccount(database, 'ledgered')
  await runSome(id, 1, 0)
  const row = (await readLedger(database)).find(({ accountId }) => accountId === id)
  assert.equal(row!.clientId, 'ledgered')
})

test('counts keys by account and day', () => {
  const message = (day: string, accountId: number) => ({ msgKey: `${day}000000000XXX`, accountId })
  assert.deepEqual(
    countByDay([
      message('20260101', 1),
      message('20260101', 2),
      message('20260102', 1),
      message('20260101', 1),
    ]),
    [
      { day: '20260101', accountId: 1, count: 2 },
      { day: '20260101', accountId: 2, count: 1 },
      { day: '20260102', accountId: 1, count: 1 },
    ],
  )
})

test('sums are correct at every moment while several fold and others write', async () => {
  const writing = new AbortController()
  const seen: number[] = []
  const folding = [1, 2, 3].map(async () => {
    while (!writing.signal.aborted) await foldLedger(database)
  })
  const reading = (async () => {
    while (!writing.signal.aborted) seen.push((await readAccountLedger(database, 37)).gap)
  })()
  await Promise.all(
    [1, 2, 3].map(async () => {
      for (let n = 0; n < 15; n++) await runSome(37, 4, 3)
    }),
  )
  writing.abort()
  await Promise.all([...folding, reading])
  assert.ok(seen.length > 5)
  assert.deepEqual(new Set(seen), new Set([0]))
  assert.deepEqual(await readAccountLedger(database, 37), { accepted: 180, final: 135, inFlight: 45, gap: 0 })
})

test('the open messages of an account are counted by index over both row kinds', async () => {
  await runSome(61, 5, 2)
  await foldLedger(database)
  await runSome(61, 2, 1)
  assert.equal(await countOpenMessages(database, 61), 4)
  const plan = await inTransaction(database, async (transaction) => {
    // The table of a test is so small that reading all of it is always cheaper.
    await transaction.query('set local enable_seqscan = off')
    const lines: string[] = []
    const explaining = {
      query: async (text: string, values: unknown[]) => {
        const { rows } = await transaction.query<{ 'QUERY PLAN': string }>(`explain ${text}`, values)
        lines.push(...rows.map((row) => row['QUERY PLAN']))
        return { rows: [{ open: 0 }] }
      },
    }
    await countOpenMessages(explaining as unknown as Queryable, 61)
    return lines.join('\n')
  })
  assert.match(plan, /ledger_appended/)
  assert.match(plan, /ledger_folded/)
  assert.doesNotMatch(plan, /Seq Scan/)
})
