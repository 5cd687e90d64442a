/** Results on parts: the first final receipt decides, the others are counted, and a step is complete with all its parts. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestDatabase } from '../../../test/support/database.ts'
import { attempt, longStep, receiptFor, recordOne } from '../../../test/support/fixtures.ts'
import { matchScope } from '../../../test/support/settle-scope.ts'
import { recordAttempts, type AttemptRow } from './attempts.ts'
import type { StepKey } from '../../jobs/step-key.ts'
import type { ReceiptJob } from '../../jobs/jobs.ts'
import { matchById } from './match.ts'
import { stepId } from '../../jobs/step-key.ts'
import { findFullyDelivered, recordResults, type PartResult } from './results.ts'

const { database } = await createTestDatabase()

async function submitted(parts: number): Promise<{ key: StepKey; rows: AttemptRow[] }> {
  const key = await recordOne(database, { steps: [longStep] })
  const rows = Array.from({ length: parts }, (_, index) => attempt(key, { part: index + 1, parts }))
  await recordAttempts(database, rows)
  return { key, rows }
}

const resultOf = (row: AttemptRow, overrides: Partial<ReceiptJob> = {}, count = 1) => ({
  matched: { ...row },
  receipt: receiptFor(row, overrides),
  count,
})
/** Indexes of those that were the first of their part. */
const firstsOf = async (results: readonly PartResult[]): Promise<number[]> =>
  [...(await recordResults(database, results))]
    .filter(([, { first }]) => first)
    .map(([result]) => results.indexOf(result))
const wholeOf = async (keys: readonly StepKey[]): Promise<ReadonlySet<string>> =>
  (await findFullyDelivered(database, keys)).complete
const failed = { result: 'failed', cause: 'no-subscriber', code: 'UNDELIV:001' } as const

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

test('the first receipt decides, later ones are counted and change nothing', async () => {
  const row = (await submitted(1)).rows[0]!
  assert.deepEqual(await firstsOf([resultOf(row, failed)]), [0])
  assert.deepEqual(await firstsOf([resultOf(row)]), [])
  assert.deepEqual(await stored(row), ['failed', 'no-subscriber', 'UNDELIV:001', 2])
})

test('several receipts of one part in one batch are one first receipt', async () => {
  const row = (await submitted(1)).rows[0]!
  assert.deepEqual(await firstsOf([resultOf(row, {}, 3)]), [0])
  assert.deepEqual(await firstsOf([resultOf(row, {}, 2)]), [])
  assert.deepEqual(await stored(row), ['delivered', 'delivered', 'DELIVRD:000', 5])
})

test('reports which receipts of a batch were the first of their part', async () => {
  const [one, two] = [(await submitted(1)).rows[0]!, (await submitted(1)).rows[0]!]
  await recordResults(database, [resultOf(one)])
  assert.deepEqual(await firstsOf([resultOf(one), resultOf(two)]), [1])
})

test('of two workers with the same receipt exactly one was the first', async () => {
  const row = (await submitted(1)).rows[0]!
  const firsts = await Promise.all([1, 2, 3].map(() => firstsOf([resultOf(row)])))
  assert.equal(firsts.filter((first) => first.includes(0)).length, 1)
  assert.equal((await stored(row))[3], 3)
})

test('a receipt never undoes a refusal', async () => {
  const key = await recordOne(database)
  const row = attempt(key, { outcome: 'refused', carrierId: null, cause: 'bad-number', code: '0000000b' })
  await recordAttempts(database, [row])
  await recordResults(database, [resultOf(row)])
  assert.deepEqual((await stored(row)).slice(0, 2), ['failed', 'bad-number'])
})

test('a lost answer takes its id from the receipt, so that a repeated one finds its own part', async () => {
  const key = await recordOne(database)
  const row = attempt(key, { outcome: 'unknown', carrierId: null, code: 'timeout' })
  await recordAttempts(database, [row])
  await recordResults(database, [resultOf(row, { carrierId: '00AB7' })])
  const [match] = await matchById(database, [receiptFor(row, { carrierId: 'ab7' })], matchScope())
  assert.equal(match?.msgKey, key.msgKey)
})

test('a message is fully delivered when every part is, and not before', async () => {
  const { key, rows } = await submitted(3)
  assert.equal((await wholeOf([key])).size, 0)
  await recordResults(database, [resultOf(rows[0]!), resultOf(rows[2]!)])
  assert.equal((await wholeOf([key])).size, 0)
  await recordResults(database, [resultOf(rows[1]!)])
  assert.deepEqual(await wholeOf([key]), new Set([stepId(key)]))
})

test('a message that occurs several times in one batch is still complete', async () => {
  const { key, rows } = await submitted(3)
  await recordResults(
    database,
    rows.map((row) => resultOf(row)),
  )
  assert.deepEqual(await wholeOf([key, key, key]), new Set([stepId(key)]))
})

test('a failed part keeps a message from being fully delivered', async () => {
  const { key, rows } = await submitted(2)
  await recordResults(database, [resultOf(rows[0]!), resultOf(rows[1]!, failed)])
  assert.equal((await wholeOf([key])).size, 0)
})

test('a message of which a part is not recorded yet is not fully delivered', async () => {
  const key = await recordOne(database, { steps: [longStep] })
  const row = attempt(key, { part: 1, parts: 2 })
  await recordAttempts(database, [row])
  await recordResults(database, [resultOf(row)])
  assert.equal((await wholeOf([key])).size, 0)
})

test('parts of two steps of one message are never added up', async () => {
  const { key, rows } = await submitted(2)
  const later = { ...key, step: 2 }
  const second = [1, 2].map((part) =>
    attempt(later, { part, parts: 2, carrierId: `2-${key.msgKey}-${part}` }),
  )
  await recordAttempts(database, second)
  await recordResults(database, [resultOf(rows[0]!), resultOf(second[0]!)])
  assert.equal((await wholeOf([key, later])).size, 0)
  await recordResults(database, [resultOf(second[1]!)])
  assert.deepEqual(await wholeOf([key, later]), new Set([stepId(later)]))
})
