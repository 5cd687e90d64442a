import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestDatabase } from '../../../test/support/engines/database.ts'
import { attempt, receiptFor, recordOne } from '../../../test/support/fixtures.ts'
import { emptyOutbox } from '../../../test/support/pipeline/outbox.ts'
import { testScope } from '../../../test/support/pipeline/settle-scope.ts'
import { testMetrics } from '../../../test/support/silent-log.ts'
import { recordAttempts } from '../../records/attempts/attempts.ts'
import { moveReceipt, receiptTransitions, settleBatch } from './batch.ts'

const { database } = await createTestDatabase()

test('a receipt cannot skip a state', () => {
  const received = { state: 'received' as const, item: { job: receipt(), byRecipient: false } }
  // @ts-expect-error The table has no such transition.
  assert.throws(() => moveReceipt(received, 'settled'))
  assert.equal(moveReceipt(received, 'unmatched').state, 'unmatched')
})

test('a batch leaves its receipts in the end states of the table, and reaches all of them', async () => {
  const delivered = await submitted()
  const closed = await submitted()
  const settle = async (...jobs: ReturnType<typeof receipt>[]) => {
    const items = jobs.map((job) => ({ job, byRecipient: false }))
    return (await settleBatch({ database, metrics: testMetrics(), outbox: emptyOutbox }, items, testScope()))
      .results
  }
  await database.query('delete from in_flight where msg_key = $1', [closed.msgKey])
  const results = await settle(receiptFor(delivered), receiptFor(delivered), receiptFor(closed), receipt())
  assert.deepEqual(results, ['settled', 'repeated', 'late', 'unmatched'])
  const ends = Object.entries(receiptTransitions).filter(([, next]) => next.length === 0)
  assert.deepEqual(ends.map(([state]) => state).sort(), results.toSorted())
})

async function submitted(): Promise<ReturnType<typeof attempt>> {
  const row = attempt(await recordOne(database))
  await recordAttempts(database, [row])
  return row
}

/** The receipt of a part that was never submitted. */
function receipt(): ReturnType<typeof receiptFor> {
  return receiptFor(attempt({ msgKey: '0'.repeat(32), step: 1, try: 1 }))
}
