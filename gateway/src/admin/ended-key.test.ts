/** A key that is replaced during a request leads to a refusal, not to an internal error. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestAdmin } from '../../test/support/http/admin.ts'
import { waitFor } from '../../test/support/wait.ts'
import { inTransaction } from '../platform/database/database.ts'

const admin = await createTestAdmin()
const { database } = admin

test('the second of two concurrent replacements of a key is refused', async () => {
  const waiting = async (): Promise<number> => {
    const { rows } = await database.query<{ count: number }>(
      `select count(*)::int as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
    return rows[0]!.count
  }
  const { both } = await inTransaction(database, async (transaction) => {
    await transaction.query('lock table operators in share row exclusive mode')
    const requests = [1, 2].map(() => admin.call('support', 'POST', '/admin/v1/me/key/rotate', {}))
    await waitFor('both to wait', async () => (await waiting()) === 2)
    return { both: Promise.all(requests) }
  })
  const answers = (await both).map(({ body }) => body)
  assert.deepEqual(answers.map(({ code }) => code).sort(), ['forbidden', 'success'])
  assert.match(
    answers.find(({ code }) => code === 'forbidden')!.detail,
    /was just replaced or revoked, use the new one/,
  )
})
