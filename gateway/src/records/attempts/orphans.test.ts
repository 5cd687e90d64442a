import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { createTestDatabase } from '../../../test/support/engines/database.ts'
import { receipt } from '../../../test/support/fixtures.ts'
import type { ReceiptJob } from '../../jobs/jobs.ts'
import { inTransaction } from '../../platform/database/database.ts'
import { advanceOrphans, dropOldOrphans, removeOrphans, storeOrphans, claimOrphans } from './orphans.ts'

const { database } = await createTestDatabase()
const now = new Date()
const later = (seconds: number): Date => new Date(now.getTime() + seconds * 1_000)

beforeEach(async () => {
  await database.query('truncate orphan_receipts')
})

test('a receipt is returned exactly as stored, and not before it is due', async () => {
  const job = receipt({ carrierId: '00Ab', code: 'DELIVRD:"\\' })
  await storeOrphans(database, [job], later(2))
  assert.deepEqual(await claimOrphans(database, later(1), 10), [])
  const [orphan] = await claimOrphans(database, later(2), 10)
  assert.deepEqual(orphan!.receipt, job)
})

test('the delay doubles with each try, up to an hour', async () => {
  await storeOrphans(database, [receipt()], now)
  const waits: number[] = []
  let at = now
  for (let n = 0; n < 14; n++) {
    assert.equal((await claimOrphans(database, at, 10)).length, 1)
    const { rows } = await database.query<{ retry_at: Date }>('select retry_at from orphan_receipts')
    waits.push((rows[0]!.retry_at.getTime() - at.getTime()) / 1_000)
    at = rows[0]!.retry_at
  }
  assert.deepEqual(waits.slice(0, 5), [2, 4, 8, 16, 32])
  assert.deepEqual(waits.slice(-2), [3_600, 3_600])
})

test('late-recorded parts make recent orphans due immediately, older ones not', async () => {
  await storeOrphans(database, [receipt({ carrierId: 'new' })], later(59))
  await storeOrphans(database, [receipt({ carrierId: 'old' })], later(61))
  await advanceOrphans(database, now)
  const due = await claimOrphans(database, now, 10)
  assert.deepEqual(
    due.map((orphan) => (orphan.receipt as ReceiptJob).carrierId),
    ['new'],
  )
})

test('early retries of a receipt do not lengthen its delay', async () => {
  await storeOrphans(database, [receipt()], later(2))
  for (let n = 0; n < 10; n++) {
    await advanceOrphans(database, now)
    assert.equal((await claimOrphans(database, now, 10)).length, 1)
  }
  assert.equal((await claimOrphans(database, later(4), 10)).length, 1)
})

test('a removed orphan is not returned again', async () => {
  await storeOrphans(database, [receipt(), receipt()], now)
  const orphans = await claimOrphans(database, now, 10)
  await removeOrphans(database, [orphans[0]!.id])
  assert.deepEqual(
    (await claimOrphans(database, later(9_999), 10)).map(({ id }) => id),
    [orphans[1]!.id],
  )
})

test('two workers never take the same orphan', async () => {
  await storeOrphans(
    database,
    Array.from({ length: 10 }, () => receipt()),
    now,
  )
  await inTransaction(database, async (transaction) => {
    const first = await claimOrphans(transaction, now, 6)
    const second = await inTransaction(database, (other) => claimOrphans(other, now, 100))
    assert.deepEqual([first.length, second.length], [6, 4])
  })
})

test('drops orphans that are more than three days old, and no others', async () => {
  const day = 86_400_000
  const receipts = [2.9, 3.1, 4].map((days) => receipt({ receivedAt: now.getTime() - days * day }))
  await storeOrphans(database, receipts, now)
  assert.equal(await dropOldOrphans(database, now), 2)
  assert.equal((await claimOrphans(database, now, 10)).length, 1)
})
