/**
 * Attack: recorded requests, tokens and pushes are sent again. A repeated send must stay one message, a
 * revoked token and one of another cell must be rejected, an acknowledgement must end one batch only, and the
 * time and body of a push must be unforgeable.
 */
import { Webhook } from 'standardwebhooks'
import { AccountClient, type Envelope, type SendResponse } from '../support/processes/account-client.ts'
import { createAccount, postern } from '../support/processes/postern-command.ts'
import { query } from '../support/processes/scratch-database.ts'
import { waitFor } from '../support/wait.ts'
import { runTargetAttack } from './attack.ts'
import { openAttackReceiver } from './receiver.ts'

const sms = JSON.stringify({ from: '0234567890', to: '01012345678', text: 'x' })
const settings = { POSTERN_WEBHOOK_ALLOWED_NETWORKS: '127.0.0.2/32' }

await runTargetAttack(settings, async ({ installation, url, attacker, wrong, report }) => {
  const { environment, databaseUrl } = installation
  await installation.putRoute({ id: 'sandbox', channels: ['sms'] })
  const worker = await installation.startGateway('worker', 'worker')
  const credentials = await createAccount(environment, 'victim')
  const victim = new AccountClient(url, credentials)
  const token = (await victim.login()).body.data!.token
  await worker.untilReady()
  const receiver = await openAttackReceiver()
  try {
    const made = await victim.call<Envelope & { data?: { secret: string } }>(
      'POST',
      '/v1/webhook',
      JSON.stringify({ url: receiver.url }),
    )
    const { secret } = made.body.data!

    const key = { 'idempotency-key': 'order-1' }
    const send = (body: string): Promise<{ httpStatus: number; body: SendResponse }> =>
      victim.call('POST', '/v1/send/sms', body, `Bearer ${token}`, key)
    const responses = await Promise.all(Array.from({ length: 20 }, () => send(sms)))
    const keys = new Set(responses.map(({ body }) => body.msgKey))
    if (keys.size !== 1 || keys.has(undefined)) wrong(`20 copies of a send got ${keys.size} message keys`)
    const other = await send(sms.replace('"x"', '"y"'))
    if (other.httpStatus === 200) wrong('the key of a send was accepted with another body')
    const push = await waitFor('the push', () => receiver.arrivals[0])
    const rows = await query<{ n: number }>(databaseUrl, 'select count(*)::int as n from messages')
    if (rows[0]!.n !== 1) wrong(`${rows[0]!.n} messages were recorded for 20 copies of one send`)

    const signer = new Webhook(secret)
    const headers = Object.fromEntries(
      ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => [
        name,
        String(push.headers[name]),
      ]),
    )
    const verifies = (body: string, changes: Record<string, string>): boolean => {
      try {
        signer.verify(body, { ...headers, ...changes })
        return true
      } catch {
        return false
      }
    }
    if (!verifies(push.body, {})) wrong('a push does not verify with the secret of its webhook')
    const later = String(Number(headers['webhook-timestamp']) + 1)
    const old = String(Number(headers['webhook-timestamp']) - 3_600)
    if (verifies(push.body, { 'webhook-timestamp': later })) wrong('a push verifies with another time')
    if (verifies(push.body, { 'webhook-timestamp': old })) wrong('a push verifies with an old time')
    if (verifies(push.body, { 'webhook-id': 'another' })) wrong('a push verifies with another id')
    if (verifies(push.body.replace('1', '2'), {})) wrong('a push verifies with another body')

    const batch = await waitFor('a report', async () => {
      const { body } = await victim.poll()
      return body.data !== undefined && body.data.report.length > 0 ? body.data : undefined
    })
    await victim.acknowledge(batch.reportId)
    await victim.call('POST', '/v1/send/sms', sms)
    const next = await waitFor('the next report', async () => {
      await victim.acknowledge(batch.reportId)
      const { body } = await victim.poll()
      return body.data !== undefined && body.data.report.length > 0 ? body.data : undefined
    })
    await victim.acknowledge(batch.reportId)
    const again = await victim.poll()
    if (again.body.data?.reportId !== next.reportId) wrong('a repeated acknowledgement ended another batch')

    // Characters 24 and 25 of a token name its cell.
    const elsewhere = `${token.slice(0, 24)}${token.slice(24, 26) === 'B1' ? 'C1' : 'B1'}${token.slice(26)}`
    const moved = await attacker.call<Envelope>('GET', '/v1/usage', undefined, `Bearer ${elsewhere}`)
    if (moved.body.code !== 'A002') wrong(`a token with another cell got ${moved.body.code}`)
    await postern(environment, 'account', 'revoke-tokens', credentials.clientId)
    await waitFor('the revocation', async () => {
      const { body } = await attacker.call<Envelope>('GET', '/v1/usage', undefined, `Bearer ${token}`)
      return body.code === 'A002'
    })
    report(
      '20 copies of a send, 4 changed pushes, 3 acknowledgements, tokens of another cell and revoked ones',
    )
  } finally {
    receiver.close()
  }
})
