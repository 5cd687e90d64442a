/**
 * A plan for recording receipts that was created while the day was empty must still use the index when the
 * day is full.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestDatabase } from '../../../test/support/engines/database.ts'
import { acceptedJob, attempt, receiptFor } from '../../../test/support/fixtures.ts'
import { recordAttempts } from './attempts.ts'
import { recordResults } from './results.ts'

const { database } = await createTestDatabase()

test('receipts of a day that was analyzed while empty are recorded through the index', async () => {
  const attempts = Array.from({ length: 200 }, (_, n) =>
    attempt({ msgKey: acceptedJob().msgKey, step: 1, try: 1 }, { carrierId: `id-${n}` }),
  )
  const results = attempts.map((matched) => ({ matched, receipt: receiptFor(matched), count: 1 }))
  await database.query('vacuum analyze attempts')
  const client = await database.connect()
  try {
    await recordResults(client, results)
    await recordAttempts(database, attempts)
    assert.equal((await recordResults(client, results)).size, results.length)
    const { rows } = await client.query<{ 'QUERY PLAN': unknown }>(
      `explain (format json) execute "record-results"('{0}', '{key}', '{1}', '{1}', '{1}', '{delivered}', '{delivered}', '{DELIVRD}',
        '{2026-03-04}', '{2026-03-04}', '{1}', '{id}', '{false}', '${attempts[0]!.msgKey}')`,
    )
    assert.doesNotMatch(JSON.stringify(rows), /Materialize|Seq Scan/)
  } finally {
    client.release()
  }
})
