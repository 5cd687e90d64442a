/**
 * One account, two API processes: the limits of velocity hold for both together, whichever of them a message comes to. What is
 * accepted before a process has heard of the other's messages may exceed a limit, so the first part waits between two messages.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { AccountClient } from '../support/processes/account-client.ts'
import { createAccount, postern } from '../support/processes/postern-command.ts'
import { registerSenders } from '../support/processes/register-senders.ts'
import { TestInstallation } from '../support/processes/test-installation.ts'
import { waitFor } from '../support/wait.ts'

const from = '0212345678'
const perHour = 10
const perPrefix = 40

test('two processes accept together what the limits of velocity say', async (t) => {
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
  // They have heard of each other: each says so every two seconds.
  await pause(5_000)

  const send = async (nth: number, to: string): Promise<boolean> => {
    const { body } = await clients[nth % 2]!.send('sms', { from, to, text: 'hello' })
    if (body.code !== 'A000') assert.equal(body.code, 'A344', body.result)
    return body.code === 'A000'
  }
  let accepted = 0
  for (let n = 0; n < 3 * perHour; n++) {
    accepted += Number(await send(n, '01022220001'))
    await pause(250)
  }
  assert.equal(accepted, perHour, 'to one number, by turns')

  accepted = 0
  for (let n = 0; n < 3 * perPrefix; n++) {
    // All to the first process, then all to the second.
    accepted += Number(await send(n < perPrefix / 2 ? 0 : 1, `01033330${String(n).padStart(3, '0')}`))
    if (n === perPrefix / 2 - 1) await pause(1_000)
  }
  assert.equal(accepted, perPrefix, 'to one prefix, through one process after the other')

  const burst = await Promise.all(
    Array.from({ length: 8 * perHour }, async (_, n) => {
      await pause(n * 25)
      return send(n, '01044440001')
    }),
  )
  const inBurst = burst.filter(Boolean).length
  t.diagnostic(`${inBurst} of ${burst.length} messages in two seconds accepted, limit ${perHour}`)
  assert.ok(inBurst >= perHour && inBurst < 2 * perHour, String(inBurst))
  for (const client of clients) client.close()
  assert.deepEqual(installation.unexpectedExits, [])
  failed = false
})
