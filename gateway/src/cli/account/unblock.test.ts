/** A long unblock does not delay the block of another account. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runCommand } from '../../../test/support/command.ts'
import { createTestDatabase } from '../../../test/support/engines/database.ts'
import { acceptedJobs, createAccount, recordJobs } from '../../../test/support/fixtures.ts'
import { serviceUrl } from '../../../test/support/engines/services.ts'
import { waitsForLock } from '../../../test/support/engines/lock-wait.ts'
import { waitFor } from '../../../test/support/wait.ts'
import { inTransaction } from '../../platform/database/database.ts'
import { neverReleaseAt } from '../../records/waiting/waiting-step.ts'
import { holdSteps } from '../../records/waiting/write-waiting.ts'

const { database, url } = await createTestDatabase()
const environment = {
  POSTERN_DATABASE_URL: url,
  POSTERN_BROKER_URLS: serviceUrl('POSTERN_BROKER_URLS'),
  POSTERN_TOKEN_SECRET: 'a secret of the tests that is long enough',
}
async function account<Json>(...args: string[]): Promise<Json> {
  const { exitCode, stdout, stderr } = await runCommand(
    ...([environment, 'account', ...args, '--reason', 'a test', '--json'] as const),
  )
  assert.equal(exitCode, 0, stderr)
  return JSON.parse(stdout) as Json
}

test('another account can be blocked while held messages are released', async () => {
  const accountId = await createAccount(database, 'large')
  await createAccount(database, 'other')
  await account('block', 'large', '--hold', '--no-wait')
  const keys = await recordJobs(database, acceptedJobs(3, { accountId }))
  await holdSteps(
    database,
    keys.map((key) => ({
      ...key,
      accountId,
      routeId: '',
      lane: 'normal',
      parts: 1,
      tries: 0,
      releaseAt: neverReleaseAt,
      resumeAt: new Date(),
      reason: 'rule',
      rule: 'account-stopped',
    })),
  )
  let unblocking: Promise<{ resumed: number }> | undefined
  await inTransaction(database, async (transaction) => {
    await transaction.query('select from waiting where msg_key = $1 for update', [keys[0]!.msgKey])
    unblocking = account('unblock', 'large')
    await waitFor('the release to wait for the row', () => waitsForLock(database, 'update waiting'))
    await account('block', 'other', '--no-wait')
  })
  assert.equal((await unblocking!).resumed, 3)
  const held = await database.query('select from waiting where release_at = $1', [neverReleaseAt])
  assert.equal(held.rowCount, 0)
})
