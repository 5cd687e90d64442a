/** The operator's webhook commands, as an operator runs them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { atEnd } from '../../test/support/cleanup.ts'
import { createTestDatabase } from '../../test/support/database.ts'
import { createAccount } from '../../test/support/fixtures.ts'
import { openReceiver } from '../../test/webhooks/receiver.ts'
import { writeReports } from '../../test/webhooks/reports.ts'
import { UsageError } from './command.ts'
import { webhook } from './webhook.ts'
import { readWebhookSettings } from './webhook-settings.ts'

const { database, url: databaseUrl } = await createTestDatabase()
const settings = {
  POSTERN_DATABASE_URL: databaseUrl,
  POSTERN_TOKEN_SECRET: 'x'.repeat(32),
  POSTERN_WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
}

/** What it prints. The test runner's own words, which are bytes, pass. */
async function run(...args: string[]): Promise<string> {
  const own = process.stdout.write.bind(process.stdout)
  const before = { ...process.env }
  let printed = ''
  process.stdout.write = (chunk: string | Uint8Array): boolean => {
    if (typeof chunk !== 'string') return own(chunk)
    printed += chunk
    return true
  }
  Object.assign(process.env, settings)
  try {
    await webhook.run(args)
    return printed
  } finally {
    process.stdout.write = own
    process.env = before
  }
}

test('a webhook is added, listed, tried out, changed, replayed and removed', async () => {
  const accountId = await createAccount(database, 'shop')
  const receiver = await openReceiver()
  atEnd(() => receiver.close())
  const added = await run('add', '--account', 'shop', '--url', receiver.url, '--name', 'main')
  const id = /^webhook {2}(\S+)$/m.exec(added)![1]!
  assert.match(added, /^secret {3}whsec_/m)
  assert.match(await run('list'), new RegExp(`${id} +shop +enabled +0 +0 +0 +${receiver.url}`))
  assert.match(await run('test', id), /^acknowledged with 200/)
  assert.match(receiver.arrivals[0]!.eventId, /^test-/)
  await run('set', id, '--per-second', '7', '--no-enabled')
  assert.match(await run('show', id), /perSecond +7[\s\S]*disabledReason +owner/)
  assert.match(await run('rotate', id, '--keep-hours', '1'), /whsec_.*\nThe one before signs too until/)
  const [key] = await writeReports(database, accountId, 1)
  assert.match(await run('replay', id, '--msg-key', key!), /1 reports are pushed again/)
  assert.match(await run('deliveries', id), new RegExp(`not acknowledged: ${key!}-1 after 0 tries`))
  await run('remove', id)
  assert.match(await run('list', '--account', 'shop'), /there are no webhooks/)
})

test('a mistake is told in one line that says what to do', async () => {
  await createAccount(database, 'careless')
  const told = async (...args: string[]): Promise<string> => {
    const error = await run(...args).catch((caught: unknown) => caught)
    assert.ok(error instanceof UsageError, String(error))
    return error.message
  }
  assert.match(
    await told('add', '--account', 'careless', '--url', 'http://10.0.0.1/'),
    /its address is not public/,
  )
  assert.match(
    await told('show', 'nothing'),
    /there is no webhook 'nothing'; `postern webhook list` shows them/,
  )
  assert.match(
    await told('add', '--account', 'nobody', '--url', 'https://example.com'),
    /there is no account 'nobody'/,
  )
})

test('refuses settings out of their range', () => {
  for (const [option, value] of [
    ['per-second', '0'],
    ['concurrency', '101'],
    ['timeout', 'x'],
    ['acknowledgement', 'yes'],
  ] as const)
    assert.throws(() => readWebhookSettings({ [option]: value }), new RegExp(`--${option} wants`))
  assert.deepEqual(readWebhookSettings({ timeout: '9', notices: false }), {
    timeoutSeconds: 9,
    notices: false,
  })
})
