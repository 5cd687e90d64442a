import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestDatabase } from '../../../test/support/engines/database.ts'
import { attempt, recordOne } from '../../../test/support/fixtures.ts'
import { claimSteps, createClaim } from '../messages/claim.ts'
import { recordAttempts } from './attempts.ts'
import { findUnresolved } from './unresolved.ts'

const { database } = await createTestDatabase()

test('submissions of other routes do not use up the limit', async () => {
  const dueAt = new Date(Date.now() + 60_000)
  const keys = []
  for (const routeId of ['silent', 'silent', 'asked']) {
    const key = await recordOne(database, {}, dueAt)
    await claimSteps(database, [createClaim(key)])
    await recordAttempts(database, [attempt(key, { routeId })])
    keys.push(key)
  }
  const expected = keys[2]!.msgKey
  for (const range of [
    { keys: [{ fromKey: '', beforeKey: '~' }], due: [] },
    { keys: [], due: [{ from: new Date(0), before: new Date(dueAt.getTime() + 1), isLast: true }] },
  ]) {
    const routeIds = { response: [], receipt: ['asked'] }
    const found = await findUnresolved(database, { ...range, routeIds, limit: 1 })
    assert.deepEqual(
      found.map(({ row }) => row.msgKey),
      [expected],
    )
  }
})
