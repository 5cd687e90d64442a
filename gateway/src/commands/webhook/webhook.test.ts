/** The operator's webhook commands, as an operator runs them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Command } from 'commander'
import { atEnd } from '../../../test/support/cleanup.ts'
import { runCommand } from '../../../test/support/command.ts'
import { createTestDatabase } from '../../../test/support/database.ts'
import { createAccount } from '../../../test/support/fixtures.ts'
import { openReceiver } from '../../../test/webhooks/receiver.ts'
import { writeReports } from '../../../test/webhooks/reports.ts'
import type { WebhookSettings } from '../../webhooks/webhook.ts'
import { UsageError } from '../errors.ts'
import { toWebhookSettings, webhookOptions } from './settings.ts'

const { database, url: databaseUrl } = await createTestDatabase()
const environment = {
  POSTERN_DATABASE_URL: databaseUrl,
  POSTERN_TOKEN_SECRET: 'x'.repeat(32),
  POSTERN_WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
}

async function run(...args: string[]): Promise<string> {
  const { exitCode, stdout, stderr } = await runCommand(environment, 'webhook', ...args)
  assert.equal(exitCode, 0, stderr)
  return stdout
}

test('a webhook is added, listed, tested, changed, replayed and removed', async () => {
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
  assert.match(
    await run('rotate', id, '--keep-hours', '1'),
    /whsec_.*\nThe previous secret signs as well until/,
  )
  const [key] = await writeReports(database, accountId, 1)
  assert.match(await run('replay', id, '--msg-key', key!), /1 reports are pushed again/)
  assert.match(await run('deliveries', id), new RegExp(`not acknowledged: ${key!}-1 after 0 tries`))
  await run('remove', id)
  assert.match(await run('list', '--account', 'shop'), /there are no webhooks/)
})

test('an error is one line that says what to do', async () => {
  await createAccount(database, 'careless')
  const failure = async (exitCode: number, ...args: string[]): Promise<string> => {
    const output = await runCommand(environment, 'webhook', ...args)
    assert.deepEqual([output.exitCode, output.stdout], [exitCode, ''])
    return output.stderr
  }
  assert.match(
    await failure(1, 'add', '--account', 'careless', '--url', 'http://10.0.0.1/'),
    /^postern webhook add: .*its address is not public.*\n$/,
  )
  assert.match(
    await failure(1, 'show', 'nothing'),
    /^postern webhook show: there is no webhook 'nothing'; `postern webhook list` lists them\n$/,
  )
  assert.match(
    await failure(1, 'add', '--account', 'nobody', '--url', 'https://example.com'),
    /there is no account 'nobody'/,
  )
  assert.match(await failure(2, 'replay', 'some'), /give exactly one of --msg-key/)
})

test('refuses settings out of their range', () => {
  const read = (...args: string[]): Partial<WebhookSettings> => {
    const command = new Command()
    for (const option of webhookOptions()) command.addOption(option)
    return toWebhookSettings(command.parse(args, { from: 'user' }).opts())
  }
  for (const [option, value] of [
    ['per-second', '0'],
    ['concurrency', '101'],
    ['timeout', 'x'],
    ['acknowledgement', 'yes'],
    ['name', 'x'.repeat(101)],
  ] as const)
    assert.throws(
      () => read(`--${option}`, value),
      (error) => error instanceof UsageError && error.message.startsWith(`--${option} must`),
    )
  assert.deepEqual(read('--timeout', '9', '--no-notices'), { timeoutSeconds: 9, notices: false })
})
