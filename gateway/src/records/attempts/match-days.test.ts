/**
 * Searching a receipt's attempt reads only the days on which messages can have been sent, however many days
 * scheduled messages have.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestDatabase } from '../../../test/support/engines/database.ts'
import { acceptedJob, attempt, receiptFor, recordOne } from '../../../test/support/fixtures.ts'
import { matchScope, testScope } from '../../../test/support/pipeline/settle-scope.ts'
import { findParts } from '../../pipeline/settle/match.ts'
import { toKeyDay, ensureDay } from '../partitions.ts'
import { recordAttempts } from './attempts.ts'
import { matchById, matchUnknown } from './match.ts'

const { database } = await createTestDatabase()
const now = new Date()
const dayMs = 86_400_000

test('only yesterday and today are searched for a receipt if partitions of later days exist', async () => {
  for (let offset = 2; offset <= 61; offset++)
    await ensureDay(database, new Date(now.getTime() + offset * dayMs))
  const { msgKey } = acceptedJob()
  const receipt = receiptFor(attempt({ msgKey, step: 1, try: 1 }))
  const client = await database.connect()
  try {
    await matchById(client, [receipt], matchScope())
    await matchUnknown(client, [receipt], matchScope())
    const days = `'${toKeyDay(now, -1)}', '${toKeyDay(now, 1)}'`
    for (const execute of [
      `"match-by-id"('{0}', '{0}', '{north}', '{north}', '{an-id}', '{12345678}', '{true}', ${days}, '{north}', true)`,
      `"match-unknown"('{0}', '{1}', '{north}', '{12345678}', '{~}', '{now}', ${days})`,
    ]) {
      const plan = await client.query<{ 'QUERY PLAN': unknown }>(`explain (format json) execute ${execute}`)
      const found = new Set(JSON.stringify(plan.rows).match(/"attempts_\d{8}"/g))
      assert.deepEqual(
        [...found].sort(),
        [`"attempts_${toKeyDay(now, -1)}"`, `"attempts_${toKeyDay(now)}"`],
        execute,
      )
    }
  } finally {
    client.release()
  }
})

test('finds the part of a message scheduled for today, and one of a later day only by the last search', async () => {
  const scheduled = await recordOne(database, { acceptedAt: now.getTime() - 20 * dayMs, ...keyOf(now) })
  const ahead = await recordOne(database, keyOf(new Date(now.getTime() + 3 * dayMs)))
  for (const key of [scheduled, ahead]) await recordAttempts(database, [attempt(key)])
  // Before a receipt is matched by its recipient, all stored days are searched for its id.
  const match = async (key: typeof ahead, isStored: boolean): Promise<string | undefined> => {
    const receipt = { job: receiptFor(attempt(key)), isStored }
    return (await findParts(database, [receipt], testScope())).get(receipt)?.msgKey
  }
  assert.equal(await match(scheduled, false), scheduled.msgKey)
  assert.equal(await match(ahead, false), undefined)
  assert.equal(await match(ahead, true), ahead.msgKey)
})

function keyOf(at: Date): { readonly msgKey: string } {
  return { msgKey: acceptedJob({ acceptedAt: at.getTime() }).msgKey }
}
