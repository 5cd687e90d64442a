/** `postern message show` and `find` read encrypted messages over read-only connections. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { runCommand } from '../../../test/support/command.ts'
import { createTestDatabase } from '../../../test/support/engines/database.ts'
import { acceptedJob, createAccount, inAnHour } from '../../../test/support/fixtures.ts'
import { ensureSealed } from '../../jobs/sealed.ts'
import { Encryption } from '../../platform/encryption/encryption.ts'
import { localMasterKey } from '../../platform/encryption/master-key.ts'
import { messageCipher } from '../../platform/encryption/message-cipher.ts'
import { recordMessages } from '../../records/messages/record.ts'

const { database, url } = await createTestDatabase()
const masterKey = randomBytes(32)
const environment = {
  POSTERN_DATABASE_URL: url,
  POSTERN_TOKEN_SECRET: 'x'.repeat(32),
  POSTERN_MASTER_KEY: 'env:TEST_MASTER_KEY',
  TEST_MASTER_KEY: masterKey.toString('hex'),
}

async function storeEncrypted(accountId: number, to: string): Promise<string> {
  const current = localMasterKey(masterKey)
  await messageCipher.open(database, new Encryption({ current, readable: [current] }), { sealing: true })
  const job = await ensureSealed(acceptedJob({ accountId, to }))
  await recordMessages(database, [job], inAnHour)
  messageCipher.close()
  return job.msgKey
}

async function command(setting: string, ...args: string[]): Promise<string> {
  const { exitCode, stdout, stderr } = await runCommand(
    { ...environment, POSTERN_ENCRYPT_MESSAGES: setting },
    ...['message', ...args, '--json'],
  )
  messageCipher.close()
  assert.equal(exitCode, 0, stderr)
  return stdout
}

test('an encrypted message is shown and found even after encryption was disabled', async () => {
  const to = '01012345678'
  const msgKey = await storeEncrypted(await createAccount(database, 'sealed'), to)
  const stored = await database.query<{ row: string }>('select m::text as row from messages m')
  assert.equal(stored.rows.length, 1)
  assert.ok(!stored.rows[0]!.row.includes(to))
  for (const setting of ['yes', 'no']) {
    const hidden = await command(setting, 'show', msgKey)
    assert.ok(hidden.includes(msgKey) && !hidden.includes(to))
    assert.ok((await command(setting, 'show', msgKey, '--reveal', '--reason', 'a test')).includes(to))
    const found = await command(setting, 'find', 'sealed', to, '--reason', 'a test')
    const { items } = JSON.parse(found) as { items: { msgKey: string }[] }
    assert.deepEqual(
      items.map((message) => message.msgKey),
      [msgKey],
    )
  }
})
