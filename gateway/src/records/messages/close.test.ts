import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestDatabase } from '../../../test/support/engines/database.ts'
import {
  acceptedJobs,
  isInFlight,
  readAccountLedger,
  recordJobs,
  recordOne,
  reportCodes,
} from '../../../test/support/fixtures.ts'
import { inTransaction } from '../../platform/database/database.ts'
import type { StepKey } from '../../jobs/step-key.ts'
import { closeMessages, type EndedStep } from './close.ts'

const { database } = await createTestDatabase()
const sentAt = new Date('2026-01-02T03:04:05Z')
const at = new Date('2026-01-02T03:04:09Z')
const endedStep = (key: StepKey, overrides: Partial<EndedStep> = {}): EndedStep => ({
  ...key,
  cause: 'delivered',
  parts: 1,
  sentAt,
  at,
  ...overrides,
})
const close = async (endedSteps: readonly EndedStep[]): Promise<string[]> => {
  const closed = await inTransaction(database, (transaction) => closeMessages(transaction, endedSteps))
  return closed.map(({ code }) => code)
}

test('many workers that concurrently close the same messages close each exactly once', async () => {
  const keys = await recordJobs(database, acceptedJobs(60, { accountId: 24 }))
  const closed = await Promise.all(
    [1, 2, 3, 4].map(async (n) => {
      const mine = n % 2 === 0 ? keys : [...keys].reverse()
      for (;;) {
        try {
          return await close(mine.map((key) => endedStep(key)))
        } catch (error) {
          // Opposite orders can deadlock; settle retries such a batch.
          if ((error as { code?: string }).code !== '40P01') throw error
        }
      }
    }),
  )
  assert.equal(closed.flat().length, 60)
  assert.deepEqual(await readAccountLedger(database, 24), { accepted: 60, final: 60, inFlight: 0, gap: 0 })
  const reports = await database.query<{ seq: number }>(
    'select seq from reports where account_id = 24 order by seq',
  )
  assert.deepEqual(
    reports.rows.map((row) => row.seq),
    Array.from({ length: 60 }, (_, index) => index + 1),
  )
})

test('a rolled back close has no effect', async () => {
  const key = await recordOne(database, { accountId: 25 })
  await assert.rejects(
    inTransaction(database, async (transaction) => {
      await closeMessages(transaction, [endedStep(key)])
      throw new Error('the process is killed here')
    }),
  )
  assert.equal(await isInFlight(database, key.msgKey), true)
  assert.deepEqual(await reportCodes(database, key.msgKey), [])
  assert.deepEqual(await readAccountLedger(database, 25), { accepted: 1, final: 0, inFlight: 1, gap: 0 })
})
