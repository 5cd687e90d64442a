/**
 * Attack: values from clients move the cursor, rewrite the screen, set the window title or reorder a line.
 * The output of the operator's commands must contain no control or bidirectional character except line feeds,
 * as text and as JSON.
 */
import { runCommand } from '../support/command.ts'
import { createAccount } from '../support/processes/postern-command.ts'
import type { Envelope, SendResponse } from '../support/processes/account-client.ts'
import { AccountClient } from '../support/processes/account-client.ts'
import { waitFor } from '../support/wait.ts'
import { runTargetAttack } from './attack.ts'

/** Erase the screen, window title, C1 controls, bidirectional override, a forged line, backspaces, DEL. */
const evil = '\u001b[2J\u001b]0;owned\u0007\u009b31m\u202egnp.exe\u2066\r\nroot: ok\b\b\u007f'
// oxlint-disable-next-line no-control-regex -- the test searches for them
const controls = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/

await runTargetAttack({}, async ({ installation, url, attacker, wrong, report }) => {
  const { environment } = installation
  await installation.putRoute({ id: 'sandbox', channels: ['sms'] })
  const worker = await installation.startGateway('worker', 'worker')
  await worker.untilReady()
  const post = (
    path: string,
    body: object,
  ): Promise<{ body: SendResponse & { data?: { webhookId: string } } }> =>
    attacker.call('POST', path, JSON.stringify(body))
  const sent = await post('/v1/send/sms', {
    from: '0234567890',
    to: '01012345678',
    text: `x ${evil}`,
    ref: evil,
  })
  const plain = await post('/v1/send/sms', { from: '0234567890', to: '01012345678', text: 'x', ref: 'plain' })
  const webhook = await post('/v1/webhook', { url: 'https://example.com/hook', name: evil })
  const named = await createAccount(environment, `shop ${evil}`).catch(() => undefined)
  const client = named === undefined ? undefined : new AccountClient(url, named)
  if (client !== undefined) await client.login()
  const msgKey = sent.body.msgKey ?? plain.body.msgKey!
  await waitFor('a report', async () => {
    const { body } = await attacker.call<Envelope>('GET', `/v1/message/${msgKey}`)
    return body.code === 'A000'
  })
  const commands = [
    ['account', 'list'],
    ['webhook', 'list'],
    ['message', 'show', msgKey],
    ['sender', 'list'],
    ['parked', 'list'],
    ['route', 'list'],
    ['ledger', 'check'],
    ...(webhook.body.data === undefined ? [] : [['webhook', 'show', webhook.body.data.webhookId]]),
    ...(named === undefined
      ? []
      : [
          ['account', 'show', named.clientId],
          ['account', 'key', 'list', named.clientId],
        ]),
    // Errors repeat their input.
    ['account', 'show', `nobody ${evil}`],
    ['message', 'show', `nothing ${evil}`],
    ['sender', 'show', 'nobody', evil],
  ]
  let outputs = 0
  for (const command of commands) {
    for (const asJson of [false, true]) {
      const args = asJson ? [...command, '--json'] : command
      const { stdout, stderr } = await runCommand(environment, ...args)
      const output = stdout + stderr
      outputs++
      const found = controls.exec(output)
      if (found !== null)
        wrong(
          `postern ${command.slice(0, 2).join(' ')} prints U+${found[0].charCodeAt(0).toString(16).padStart(4, '0')}${asJson ? ' as JSON' : ''}`,
        )
      if (/^root: ok/m.test(output)) wrong(`postern ${command.slice(0, 2).join(' ')} prints a forged line`)
    }
  }
  report(
    `${outputs} outputs; accepted by the API: ref ${sent.body.code}, name of a webhook ${webhook.body.code}, name of an account ${named === undefined ? 'refused' : 'yes'}`,
  )
})
