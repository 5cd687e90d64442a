import assert from 'node:assert/strict'
import { test } from 'node:test'
import { emptyOutbox } from '../../../test/support/pipeline/outbox.ts'
import { createTestDatabase } from '../../../test/support/engines/database.ts'
import {
  acceptedJob,
  attempt,
  isInFlight,
  readAccountLedger,
  longStep,
  receiptFor,
  receipt,
  recordJobs,
  reportCodes,
  verdict,
} from '../../../test/support/fixtures.ts'
import { testMetrics } from '../../../test/support/silent-log.ts'
import { testScope } from '../../../test/support/pipeline/settle-scope.ts'
import { waitFor } from '../../../test/support/wait.ts'
import { recordAttempts, type AttemptRow } from '../../records/attempts/attempts.ts'
import type { StepKey } from '../../jobs/step-key.ts'
import type { SettleJob } from '../../jobs/jobs.ts'
import { isTransient } from '../../platform/database/transient.ts'
import { settleBatch, type SettleResult } from './batch.ts'

const { database } = await createTestDatabase()
const metrics = testMetrics()

async function settle(jobs: readonly SettleJob[], isStored = false): Promise<SettleResult[]> {
  const items = jobs.map((job) => ({ job, isStored }))
  return (await settleBatch({ database, metrics, outbox: emptyOutbox }, items, testScope())).results
}

/** Settles like the stage: a deadlock aborts one of two batches, which is then retried. */
async function settleWithRetries(jobs: readonly SettleJob[]): Promise<SettleResult[]> {
  for (;;) {
    try {
      return await settle(jobs)
    } catch (error) {
      if (!isTransient(error)) throw error
    }
  }
}

async function submitted(
  parts: number,
  overrides: Partial<AttemptRow> = {},
  accountId = 1,
): Promise<{ key: StepKey; rows: AttemptRow[] }> {
  const [key] = await recordJobs(database, [acceptedJob({ accountId, steps: [longStep] })])
  const rows = Array.from({ length: parts }, (_, index) =>
    attempt(key!, { part: index + 1, parts, ...overrides }),
  )
  await recordAttempts(database, rows)
  return { key: key!, rows }
}

const failed = { result: 'failed', cause: 'phone-off', code: 'UNDELIV:003' } as const

test('a delivered receipt closes a message of one part with 10000', async () => {
  const { key, rows } = await submitted(1)
  assert.deepEqual(await settle([receiptFor(rows[0]!)]), ['settled'])
  assert.deepEqual(await reportCodes(database, key.msgKey), ['10000'])
})

test('a failed receipt closes with the code of its cause', async () => {
  const { key, rows } = await submitted(1)
  await settle([receiptFor(rows[0]!, failed)])
  assert.deepEqual(await reportCodes(database, key.msgKey), ['22003'])
})

test('all receipts of a message of several parts in one batch close it', async () => {
  const { key, rows } = await submitted(3)
  assert.deepEqual(await settle(rows.map((row) => receiptFor(row))), ['settled', 'settled', 'settled'])
  assert.deepEqual(await reportCodes(database, key.msgKey), ['10000'])
  assert.equal(await isInFlight(database, key.msgKey), false)
})

test('receipts of several parts that arrive one by one close it with the last', async () => {
  const { key, rows } = await submitted(3)
  for (const row of [rows[2]!, rows[0]!]) {
    await settle([receiptFor(row)])
    assert.deepEqual(await reportCodes(database, key.msgKey), [])
  }
  await settle([receiptFor(rows[1]!)])
  assert.deepEqual(await reportCodes(database, key.msgKey), ['10000'])
})

test('one failed part fails the message immediately, and the others change nothing', async () => {
  const { key, rows } = await submitted(3)
  await settle([receiptFor(rows[0]!), receiptFor(rows[1]!, failed)])
  assert.deepEqual(await reportCodes(database, key.msgKey), ['22003'])
  assert.deepEqual(await settle([receiptFor(rows[2]!)]), ['late'])
  assert.deepEqual(await reportCodes(database, key.msgKey), ['22003'])
})

test('the first of several failed parts in one batch decides, in any order', async () => {
  const causes = ['phone-off', 'no-subscriber', 'spam'] as const
  for (const order of [
    [0, 1, 2],
    [2, 1, 0],
    [1, 2, 0],
  ]) {
    const { key, rows } = await submitted(3)
    await settle(order.map((n) => receiptFor(rows[n]!, { ...failed, cause: causes[n]! })))
    assert.deepEqual(await reportCodes(database, key.msgKey), ['22003'])
  }
})

test('a repeated receipt is distinguished from a first one, in one batch and later', async () => {
  const { key, rows } = await submitted(1)
  assert.deepEqual(await settle([receiptFor(rows[0]!), receiptFor(rows[0]!)]), ['settled', 'repeated'])
  assert.deepEqual(await settle([receiptFor(rows[0]!, failed)]), ['repeated'])
  assert.deepEqual(await reportCodes(database, key.msgKey), ['10000'])
})

test('the first of contradicting receipts in one batch counts', async () => {
  const { key, rows } = await submitted(1)
  await settle([receiptFor(rows[0]!, failed), receiptFor(rows[0]!)])
  assert.deepEqual(await reportCodes(database, key.msgKey), ['22003'])
})

test('a receipt that matches nothing is reported as unmatched and affects no other', async () => {
  const { key, rows } = await submitted(1)
  assert.deepEqual(await settle([receipt(), receiptFor(rows[0]!)]), ['unmatched', 'settled'])
  assert.deepEqual(await reportCodes(database, key.msgKey), ['10000'])
})

test('a verdict closes with its code, once', async () => {
  const { key } = await submitted(1)
  assert.deepEqual(await settle([verdict(key), verdict(key, { cause: 'no-route' })]), ['settled', 'settled'])
  assert.deepEqual(await reportCodes(database, key.msgKey), ['23003'])
})

test('an unknown part is settled by its recipient only if allowed', async () => {
  const lost = { outcome: 'unknown', carrierId: null, recipient: '01088887777' } as const
  const { key, rows } = await submitted(1, lost)
  const receipt = receiptFor(rows[0]!, { carrierId: 'unknown-id' })
  assert.deepEqual(await settle([receipt]), ['unmatched'])
  assert.deepEqual(await settle([receipt], true), ['settled'])
  assert.deepEqual(await reportCodes(database, key.msgKey), ['10000'])
})

test('an outcome recorded after receipts were assigned leaves other parts matchable', async () => {
  const lost = { outcome: 'unknown', carrierId: null, recipient: '01088886666' } as const
  const { key, rows } = await submitted(3, lost)
  const accepted = rows.map((row) =>
    attempt(key, { ...row, outcome: 'accepted', carrierId: `late-${row.part}` }),
  )
  const receiptOf = (part: number) => receiptFor(accepted[part - 1]!)
  // The receipt of the last part is assigned to the first one: nothing distinguishes them yet.
  assert.deepEqual(await settle([receiptOf(3)], true), ['settled'])
  await recordAttempts(database, accepted)
  assert.deepEqual(await settle([receiptOf(3)]), ['repeated'])
  assert.deepEqual(await settle([receiptOf(1), receiptOf(2)]), ['settled', 'settled'])
  assert.deepEqual(await reportCodes(database, key.msgKey), ['10000'])
})

test('an outcome without an id keeps the id set by a receipt', async () => {
  const lost = { outcome: 'unknown', carrierId: null, recipient: '01088884444' } as const
  const { key, rows } = await submitted(2, lost)
  const receipts = ['r1', 'r2'].map((carrierId) => receiptFor(rows[0]!, { carrierId }))
  assert.deepEqual(await settle([receipts[0]!], true), ['settled'])
  await recordAttempts(
    database,
    rows.map((row) => attempt(key, { ...row, outcome: 'accepted', carrierId: '' })),
  )
  assert.deepEqual(await settle([receipts[0]!]), ['repeated'])
  assert.deepEqual(await settle([receipts[1]!], true), ['settled'])
  assert.deepEqual(await reportCodes(database, key.msgKey), ['10000'])
})

test('two workers that match the same part for two receipts of unknown ids write one of them', async () => {
  const lost = { outcome: 'unknown', carrierId: null, recipient: '01088885555' } as const
  const { key, rows } = await submitted(2, lost)
  const holder = await database.connect()
  await holder.query('begin')
  await holder.query('select from attempts where msg_key = $1 for update', [key.msgKey])
  const receipts = ['x1', 'y2'].map((carrierId) => receiptFor(rows[0]!, { carrierId }))
  const both = receipts.map((receipt) => settle([receipt], true))
  await waitFor('both to wait', async () => {
    const waiting = await database.query<{ n: number }>(
      `select count(*) as n from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
    )
    return waiting.rows[0]!.n === 2
  })
  await holder.query('commit')
  holder.release()
  const results = (await Promise.all(both)).flat()
  assert.deepEqual(results.toSorted(), ['settled', 'unmatched'])
  assert.deepEqual(await settle([receipts[results.indexOf('unmatched')]!], true), ['settled'])
  assert.deepEqual(await reportCodes(database, key.msgKey), ['10000'])
})

test('the time of a report is never before the submission nor after the receipt was received', async () => {
  const submittedAt = new Date(Date.now() - 60_000)
  const receivedAt = Date.now() - 1_000
  for (const [at, expected] of [
    [submittedAt.getTime() - 30_000, submittedAt.getTime()],
    [receivedAt + 3_600_000, receivedAt],
    [receivedAt - 5_000, receivedAt - 5_000],
  ] as const) {
    const { key, rows } = await submitted(1, { submittedAt })
    await settle([receiptFor(rows[0]!, { at, receivedAt })])
    const { rows: reports } = await database.query<{ sent_at: Date; reported_at: Date }>(
      'select sent_at, reported_at from reports where msg_key = $1',
      [key.msgKey],
    )
    assert.deepEqual(reports, [{ sent_at: submittedAt, reported_at: new Date(expected) }])
  }
})

test('two workers with the last two receipts of one message close it exactly once', async () => {
  const messages = await Promise.all(Array.from({ length: 25 }, () => submitted(2, {}, 41)))
  for (const { key, rows } of messages) {
    await Promise.all(rows.map((row) => settleWithRetries([receiptFor(row)])))
    assert.deepEqual(await reportCodes(database, key.msgKey), ['10000'])
  }
  assert.deepEqual(await readAccountLedger(database, 41), { accepted: 25, final: 25, inFlight: 0, gap: 0 })
})

test('two workers with the same receipts in opposite order close every message exactly once', async () => {
  const messages = await Promise.all(Array.from({ length: 40 }, () => submitted(2, {}, 42)))
  const receipts = messages.flatMap(({ rows }) => rows.map((row) => receiptFor(row)))
  const results = await Promise.all([
    settleWithRetries(receipts),
    settleWithRetries([...receipts].reverse()),
    settleWithRetries(receipts),
  ])
  assert.equal(results.flat().filter((result) => result === 'settled').length, receipts.length)
  assert.deepEqual(await readAccountLedger(database, 42), { accepted: 40, final: 40, inFlight: 0, gap: 0 })
})
