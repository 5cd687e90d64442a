import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestDatabase } from '../../../test/support/engines/database.ts'
import { attempt, longStep, receiptFor, recordOne } from '../../../test/support/fixtures.ts'
import { matchScope } from '../../../test/support/pipeline/settle-scope.ts'
import { recordAttempts, type AttemptRow } from './attempts.ts'
import type { StepKey } from '../../jobs/step-key.ts'
import type { ReceiptJob } from '../../jobs/jobs.ts'
import { matchById } from './match.ts'
import { findFullyDelivered, recordResults } from './results.ts'

const { database } = await createTestDatabase()

const resultOf = (row: AttemptRow, overrides: Partial<ReceiptJob> = {}, count = 1) => ({
  matched: { ...row },
  receipt: receiptFor(row, overrides),
  count,
})
const findDelivered = async (keys: readonly StepKey[]): Promise<ReadonlySet<string>> =>
  (await findFullyDelivered(database, keys)).complete

async function stored(row: AttemptRow): Promise<unknown[]> {
  const found = await database.query<{
    result: string
    cause: string
    receipt_code: string
    receipts: number
  }>('select result, cause, receipt_code, receipts from attempts where msg_key = $1 and part = $2', [
    row.msgKey,
    row.part,
  ])
  const { result, cause, receipt_code, receipts } = found.rows[0]!
  return [result, cause, receipt_code, receipts]
}

test('a receipt never undoes a refusal', async () => {
  const key = await recordOne(database)
  const row = attempt(key, { outcome: 'refused', carrierId: null, cause: 'bad-number', code: '0000000b' })
  await recordAttempts(database, [row])
  await recordResults(database, [resultOf(row)])
  assert.deepEqual((await stored(row)).slice(0, 2), ['failed', 'bad-number'])
})

test('a part with a lost response takes its id from the receipt', async () => {
  const key = await recordOne(database)
  const row = attempt(key, { outcome: 'unknown', carrierId: null, code: 'timeout' })
  await recordAttempts(database, [row])
  await recordResults(database, [resultOf(row, { carrierId: '00AB7' })])
  const [match] = await matchById(database, [receiptFor(row, { carrierId: 'ab7' })], matchScope())
  assert.equal(match?.msgKey, key.msgKey)
})

test('a message of which a part is not recorded yet is not fully delivered', async () => {
  const key = await recordOne(database, { steps: [longStep] })
  const row = attempt(key, { part: 1, parts: 2 })
  await recordAttempts(database, [row])
  await recordResults(database, [resultOf(row)])
  assert.equal((await findDelivered([key])).size, 0)
})
