import assert from 'node:assert/strict'
import { test } from 'node:test'
import { emptyOutbox } from '../../../test/support/pipeline/outbox.ts'
import { createTestDatabase } from '../../../test/support/engines/database.ts'
import {
  attempt,
  isInFlight,
  receiptFor,
  recordOne,
  reportCodes,
  smsStep,
} from '../../../test/support/fixtures.ts'
import { sumCounter, testMetrics } from '../../../test/support/silent-log.ts'
import { testScope } from '../../../test/support/pipeline/settle-scope.ts'
import { waitFor } from '../../../test/support/wait.ts'
import { recordAttempts, type AttemptRow } from '../../records/attempts/attempts.ts'
import type { StepKey } from '../../jobs/step-key.ts'
import { endSteps } from './end-steps.ts'
import type { SettleJob } from '../../jobs/jobs.ts'
import { inTransaction } from '../../platform/database/database.ts'
import { isTransient } from '../../platform/database/transient.ts'
import { settleBatch, type SettleResult, type SettledBatch } from './batch.ts'

const { database } = await createTestDatabase()
const metrics = testMetrics()
const failed = { result: 'failed', cause: 'phone-off', code: 'UNDELIV:003' } as const

const settleAll = (...jobs: SettleJob[]): Promise<SettledBatch> =>
  settleBatch(
    { database, metrics, outbox: emptyOutbox },
    jobs.map((job) => ({ job, isStored: false })),
    testScope(),
  )
const settle = async (...jobs: SettleJob[]): Promise<SettleResult[]> => (await settleAll(...jobs)).results
const lateCount = (): Promise<number> => sumCounter(metrics.receipts, { result: 'late' })
const doubleDeliveries = (): Promise<number> => sumCounter(metrics.doubleDeliveries)

/** Ends the step by its deadline. */
const expire = (key: StepKey): Promise<unknown> =>
  inTransaction(database, (transaction) =>
    endSteps(
      transaction,
      [{ ...key, cause: 'timeout', parts: 1, sentAt: new Date(), at: new Date() }],
      86_400,
    ),
  )

function toRows(key: StepKey, parts = 1): AttemptRow[] {
  return Array.from({ length: parts }, (_, index) =>
    attempt(key, { part: index + 1, parts, carrierId: `${key.step}-${key.msgKey}-${index + 1}` }),
  )
}

/** Creates a message at its second step; the first one was submitted in `parts` and got no receipt. */
async function createMessageAtSecondStep(
  parts = 1,
): Promise<{ first: StepKey; second: StepKey; rows: AttemptRow[] }> {
  const first = await recordOne(database, { steps: [smsStep, smsStep] })
  const rows = toRows(first, parts)
  await recordAttempts(database, rows)
  await expire(first)
  return { first, second: { ...first, step: 2 }, rows }
}

const readAttemptMarks = async (key: StepKey): Promise<unknown[]> => {
  const found = await database.query<{
    late: boolean
    delivered_twice: boolean
    result: string
    receipts: number
  }>(
    'select late, delivered_twice, result, receipts from attempts where msg_key = $1 and step = $2 order by part',
    [key.msgKey, key.step],
  )
  return found.rows.map(({ late, delivered_twice: deliveredTwice, result, receipts }) => [
    ...(late ? ['late'] : []),
    ...(deliveredTwice ? ['delivered twice'] : []),
    result,
    receipts,
  ])
}

test('a receipt after the close is stored as late, counted once, and changes nothing', async () => {
  const key = await recordOne(database)
  const [row] = toRows(key)
  await recordAttempts(database, [row!])
  await expire(key)
  const before = await lateCount()
  assert.deepEqual(await settle(receiptFor(row!), receiptFor(row!)), ['late', 'repeated'])
  assert.deepEqual(await settle(receiptFor(row!)), ['repeated'])
  assert.deepEqual(await readAttemptMarks(key), [['late', 'delivered', 3]])
  assert.equal((await lateCount()) - before, 1)
  assert.deepEqual(await reportCodes(database, key.msgKey), ['22000'])
})

test('a delivery receipt after the next step was submitted is a double delivery, and the flow continues', async () => {
  const { first, second, rows } = await createMessageAtSecondStep()
  await recordAttempts(database, toRows(second))
  const before = await doubleDeliveries()
  const { results, deliveredTwice } = await settleAll(receiptFor(rows[0]!))
  assert.deepEqual([results, deliveredTwice], [['late'], [first]])
  assert.deepEqual(await settle(receiptFor(rows[0]!)), ['repeated'])
  assert.deepEqual(await readAttemptMarks(first), [['late', 'delivered twice', 'delivered', 2]])
  assert.equal(await isInFlight(database, first.msgKey), true)
  await settle(receiptFor(toRows(second)[0]!))
  assert.deepEqual(await reportCodes(database, first.msgKey), ['22000', '10000'])
  assert.equal((await doubleDeliveries()) - before, 1)
})

test('a claimed step counts as submitted, even before the response of its carrier', async () => {
  const { first, rows } = await createMessageAtSecondStep()
  await database.query(`update in_flight set state = 'claimed' where msg_key = $1`, [first.msgKey])
  assert.deepEqual((await settleAll(receiptFor(rows[0]!))).deliveredTwice, [first])
})

test('a failure receipt after the next step was submitted is late and not a double delivery', async () => {
  const { first, second, rows } = await createMessageAtSecondStep()
  await recordAttempts(database, toRows(second))
  assert.deepEqual(
    await settleAll(receiptFor(rows[0]!, failed)).then(({ deliveredTwice }) => deliveredTwice),
    [],
  )
  assert.deepEqual(await readAttemptMarks(first), [['late', 'failed', 1]])
})

test('a next step that its carrier refused is not a double delivery', async () => {
  const { first, second, rows } = await createMessageAtSecondStep()
  await recordAttempts(database, [
    attempt(second, { outcome: 'refused', carrierId: null, cause: 'spam', code: '00000045' }),
  ])
  assert.deepEqual((await settleAll(receiptFor(rows[0]!))).deliveredTwice, [])
  assert.deepEqual(await readAttemptMarks(first), [['late', 'delivered', 1]])
})

test('a late delivery is a double delivery once the next step is delivered', async () => {
  const { first, second, rows } = await createMessageAtSecondStep()
  assert.deepEqual((await settleAll(receiptFor(rows[0]!))).deliveredTwice, [])
  const [row] = toRows(second)
  await recordAttempts(database, [row!])
  const { results, deliveredTwice } = await settleAll(receiptFor(row!))
  assert.deepEqual([results, deliveredTwice], [['settled'], [second]])
  assert.deepEqual(
    [await readAttemptMarks(first), await readAttemptMarks(second)],
    [[['late', 'delivered', 1]], [['delivered twice', 'delivered', 1]]],
  )
})

test('late parts are marked one by one, and the double delivery counts once', async () => {
  const { first, second, rows } = await createMessageAtSecondStep(3)
  await recordAttempts(database, toRows(second))
  const before = await doubleDeliveries()
  assert.deepEqual(await settle(receiptFor(rows[0]!), receiptFor(rows[1]!)), ['late', 'late'])
  assert.deepEqual(await settle(receiptFor(rows[2]!, failed)), ['late'])
  assert.deepEqual(await readAttemptMarks(first), [
    ['late', 'delivered twice', 'delivered', 1],
    ['late', 'delivered twice', 'delivered', 1],
    ['late', 'failed', 1],
  ])
  assert.equal((await doubleDeliveries()) - before, 1)
})

test('late parts of an old step do not add to parts of the current one', async () => {
  const { first, second, rows } = await createMessageAtSecondStep(2)
  const later = toRows(second, 2)
  await recordAttempts(database, later)
  assert.deepEqual(await settle(receiptFor(rows[0]!), receiptFor(later[0]!)), ['late', 'settled'])
  assert.deepEqual(await reportCodes(database, first.msgKey), [])
  await settle(receiptFor(later[1]!))
  assert.deepEqual(await reportCodes(database, first.msgKey), ['22000', '10000'])
})

test('a receipt is late if another worker ends the step concurrently', async () => {
  const [race, other] = [await recordOne(database), await recordOne(database)]
  const [row, unaffected] = [toRows(race)[0]!, toRows(other)[0]!]
  await recordAttempts(database, [row, unaffected])
  // The transaction of the deadline locks the in_flight row; the receipt is recorded in the meantime and waits for it.
  const holder = await database.connect()
  await holder.query('begin')
  await endSteps(
    holder,
    [{ ...race, cause: 'timeout', parts: 1, sentAt: new Date(), at: new Date() }],
    86_400,
  )
  const settling = settle(receiptFor(row), receiptFor(unaffected))
  await waitFor('the receipt to wait for the row', async () => {
    const blocked = await database.query(
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
    return blocked.rowCount !== 0
  })
  await holder.query('commit')
  holder.release()
  assert.deepEqual(await settling, ['late', 'settled'])
  assert.deepEqual(
    [await readAttemptMarks(race), await readAttemptMarks(other)],
    [[['late', 'delivered', 1]], [['delivered', 1]]],
  )
  assert.deepEqual(await reportCodes(database, race.msgKey), ['22000'])
})

test('concurrent part failures end the step once; the second receipt is late', async () => {
  const messages = await Promise.all(
    Array.from({ length: 20 }, async () => {
      const key = await recordOne(database)
      const rows = toRows(key, 2)
      await recordAttempts(database, rows)
      return { key, rows }
    }),
  )
  const settleWithRetry = async (job: SettleJob): Promise<SettleResult[]> => {
    for (;;) {
      try {
        return await settle(job)
      } catch (error) {
        if (!isTransient(error)) throw error
      }
    }
  }
  for (const { key, rows } of messages) {
    const results = await Promise.all(rows.map((row) => settleWithRetry(receiptFor(row, failed))))
    assert.deepEqual(results.flat().sort(), ['late', 'settled'])
    assert.deepEqual(await reportCodes(database, key.msgKey), ['22003'])
  }
})

test('a delivery receipt after the same step was sent again is a double delivery', async () => {
  const first = await recordOne(database)
  const [row] = toRows(first)
  await recordAttempts(database, [row!])
  await database.query('update in_flight set try = 2 where msg_key = $1', [first.msgKey])
  const again = attempt({ ...first, try: 2 }, { carrierId: `again-${first.msgKey}` })
  await recordAttempts(database, [again])
  assert.deepEqual((await settleAll(receiptFor(row!))).deliveredTwice, [first])
  assert.equal(await isInFlight(database, first.msgKey), true)
  assert.deepEqual(await settle(receiptFor(again)), ['settled'])
  assert.deepEqual(await reportCodes(database, first.msgKey), ['10000'])
})
