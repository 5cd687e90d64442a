/**
 * A plan for matching receipts that was created while the day was empty must still use the index when the day
 * is full.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestDatabase } from '../../../test/support/engines/database.ts'
import { acceptedJob, attempt, receiptFor } from '../../../test/support/fixtures.ts'
import { matchScope } from '../../../test/support/pipeline/settle-scope.ts'
import { recordAttempts } from './attempts.ts'
import { matchById } from './match.ts'

const { database } = await createTestDatabase()

const attempts = Array.from({ length: 3_000 }, (_, n) => {
  const { msgKey } = acceptedJob()
  const recipient = `0101000${String(n).padStart(4, '0')}`
  return attempt({ msgKey, step: 0, try: 1 }, { carrierId: `id-${n}`, recipient })
})

test('receipts of a day that was empty at planning are found by the index', async () => {
  const client = await database.connect()
  try {
    await client.query("set plan_cache_mode = 'force_generic_plan'")
    await matchById(client, [receiptFor(attempts[0]!)], matchScope())
    await recordAttempts(database, attempts)
    const receipts = attempts.slice(0, 300).map((row) => receiptFor(row))
    const found = await matchById(client, receipts, matchScope())
    assert.equal(found.filter((part) => part !== null).length, receipts.length)
    const { notBefore, before } = matchScope()
    const explain = `explain (format json) execute "match-by-id"('{0}', '{0}', '{north}', '{north}', '{an-id}',
      '{12345678}', '{true}', '${notBefore}', '${before}', '{north}', true)`
    for (const planned of ['while it was empty', 'before it was analyzed']) {
      const plan = await client.query<{ 'QUERY PLAN': unknown }>(explain)
      assert.doesNotMatch(JSON.stringify(plan.rows), /Materialize|Seq Scan|_pkey/, planned)
      await client.query('discard plans')
    }
  } finally {
    client.release()
  }
})
