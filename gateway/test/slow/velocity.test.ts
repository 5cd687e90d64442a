import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AccountClient } from '../support/processes/account-client.ts'
import { createAccount, postern } from '../support/processes/postern-command.ts'
import { registerSenders } from '../support/processes/register-senders.ts'
import { TestInstallation } from '../support/processes/test-installation.ts'
import { waitFor } from '../support/wait.ts'

const from = '0212345678'
const perHour = 10
const perPrefix = 40

test('two API processes together accept no more than the velocity limits', async (t) => {
  const installation = await TestInstallation.open()
  let failed = true
  t.after(() => installation.close(failed))
  const { environment } = installation
  const credentials = await createAccount(environment, 'fast')
  await registerSenders(installation, credentials.clientId, [['number', from]])
  const reason = ['--reason', 'a test']
  for (const rule of ['recipient-velocity', 'prefix-velocity'])
    await postern(environment, 'trust', 'enable', rule, ...reason)
  const limits = ['--recipient-per-hour', String(perHour), '--prefix-per-10-minutes', String(perPrefix)]
  await postern(environment, 'protection', 'set', credentials.clientId, ...limits, ...reason)
  const gateways = await Promise.all(['one', 'two'].map((name) => installation.startGateway('api', name)))
  await Promise.all(gateways.map((gateway) => gateway.untilReady(120_000)))
  const clients = gateways.map(({ url }) => new AccountClient(url, credentials))
  for (const client of clients)
    await waitFor('a token', async () => (await client.login()).httpStatus === 200)

  const sendAll = async (recipients: readonly string[]): Promise<number> => {
    const codes = await Promise.all(
      recipients.map(async (to, nth) => {
        const { body } = await clients[nth % 2]!.send('sms', { from, to, text: 'hello' })
        return body.code
      }),
    )
    assert.deepEqual(
      codes.filter((code) => code !== 'A000' && code !== 'A344'),
      [],
    )
    return codes.filter((code) => code === 'A000').length
  }
  const toOneNumber = Array.from({ length: 3 * perHour }, () => '01022220001')
  assert.equal(await sendAll(toOneNumber), perHour)
  // A prefix refills by one message in 15 seconds.
  const toOnePrefix = Array.from({ length: 3 * perPrefix }, (_, n) => `01033330${String(n).padStart(3, '0')}`)
  const accepted = await sendAll(toOnePrefix)
  assert.ok(accepted >= perPrefix && accepted <= perPrefix + 2, String(accepted))
  for (const client of clients) client.close()
  assert.deepEqual(installation.unexpectedExits, [])
  failed = false
})
