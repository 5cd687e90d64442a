import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestDatabase } from '../../../test/support/engines/database.ts'
import { attempt, receiptFor, recordOne } from '../../../test/support/fixtures.ts'
import { emptyOutbox } from '../../../test/support/pipeline/outbox.ts'
import { testScope } from '../../../test/support/pipeline/settle-scope.ts'
import { testMetrics } from '../../../test/support/silent-log.ts'
import { recordAttempts } from '../../records/attempts/attempts.ts'
import { settleBatch, type SettleResult } from './batch.ts'

const { database } = await createTestDatabase()

async function settle(...jobs: ReturnType<typeof receipt>[]): Promise<SettleResult[]> {
  const items = jobs.map((job) => ({ job, isStored: false }))
  return (await settleBatch({ database, metrics: testMetrics(), outbox: emptyOutbox }, items, testScope()))
    .results
}

test('a batch ends each receipt as settled, repeated, late or unmatched', async () => {
  const delivered = await submitted()
  const closed = await submitted()
  await database.query('delete from in_flight where msg_key = $1', [closed.msgKey])
  const results = await settle(receiptFor(delivered), receiptFor(delivered), receiptFor(closed), receipt())
  assert.deepEqual(results, ['settled', 'repeated', 'late', 'unmatched'])
})

test('a receipt whose part was matched by its id but is not written fails instead of waiting as unmatched', async () => {
  const row = await submitted()
  await database.query(`create function skip() returns trigger language plpgsql as 'begin return null; end'`)
  await database.query('create trigger skip before update on attempts for each row execute function skip()')
  await assert.rejects(settle(receiptFor(row)), /was matched by id and is not stored/)
  await database.query('drop trigger skip on attempts')
  assert.deepEqual(await settle(receiptFor(row)), ['settled'])
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
