/**
 * The four secrets that are replaced in operation, one after the other, while a client sends and a receiver verifies: the key
 * that signs tokens, the key of an account, the secret of a webhook and the master key. No request fails, no push is unsigned,
 * and afterwards the replaced ones are refused.
 */
import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Webhook } from 'standardwebhooks'
import { AccountClient, type Envelope } from '../support/processes/account-client.ts'
import { createAccount, postern } from '../support/processes/postern-command.ts'
import { TestInstallation } from '../support/processes/test-installation.ts'
import { waitFor } from '../support/wait.ts'
import { runAttack, type Outcome } from './outcome.ts'
import { openReceiver, type Arrival } from './receiver.ts'

const sms = JSON.stringify({ from: '0234567890', to: '01012345678', text: 'x' })

async function attack(installation: TestInstallation): Promise<Outcome> {
  const findings: string[] = []
  const { environment, directory } = installation
  const master = (name: string): string => {
    writeFileSync(join(directory, name), randomBytes(32).toString('hex'))
    return `file:${join(directory, name)}`
  }
  await installation.putRoute({ id: 'sandbox', channels: ['sms'] })
  const [first, second] = [master('master-1.key'), master('master-2.key')]
  // As every process is restarted before the master key is replaced: both keys are known.
  const keys = { POSTERN_MASTER_KEY: second, POSTERN_PREVIOUS_MASTER_KEY: first }
  await postern({ ...environment, POSTERN_MASTER_KEY: first }, 'secrets', 'rekey')
  const [api, worker] = [
    await installation.startGateway('api', 'api', keys),
    await installation.startGateway('worker', 'worker', keys),
  ]
  const credentials = await createAccount(environment, 'shop')
  const { clientId } = credentials
  const account = (...args: string[]): Promise<string> =>
    postern(environment, 'account', 'key', ...args, '--json')
  const added = JSON.parse(await account('add', clientId)) as { keyId: string; key: string }
  await Promise.all([api.untilReady(), worker.untilReady()])
  const client = new AccountClient(api.url, credentials)
  const token = (await client.login()).body.data!.token
  const receiver = await openReceiver()
  const created = await client.call<Envelope & { data?: { secret: string; webhookId: string } }>(
    'POST',
    '/v1/webhook',
    JSON.stringify({ url: receiver.url }),
  )
  const webhook = created.body.data!
  const secrets = [webhook.secret]

  let bearer = added.key
  let sent = 0
  let ended = false
  const load = async (authorization: () => string): Promise<void> => {
    while (!ended) {
      const { httpStatus, body } = await client.call<Envelope>(
        'POST',
        '/v1/send/sms',
        sms,
        `Bearer ${authorization()}`,
      )
      if (httpStatus !== 200) findings.push(`a send was answered ${httpStatus} ${body.code} ${body.result}`)
      sent++
      // Pushes keep up with this rate, which their receiver verifies one by one.
      await delay(20)
    }
  }
  const loads = [load(() => token), load(() => bearer)].map((one) =>
    one.catch((error: unknown) => {
      if (!ended) findings.push(`a send got no answer: ${(error as Error).message}`)
    }),
  )
  const further = (): Promise<unknown> => {
    const before = sent
    return waitFor('further sends', () => sent > before + 20)
  }
  await further()
  await postern(environment, 'token-key', 'rotate')
  await further()
  const rotated = JSON.parse(await account('rotate', clientId, added.keyId)) as { key: string }
  await further()
  bearer = rotated.key
  await further()
  const replaced = JSON.parse(
    await postern({ ...environment, ...keys }, 'webhook', 'rotate', webhook.webhookId, '--json'),
  ) as { secret: string }
  secrets.push(replaced.secret)
  await further()
  await postern({ ...environment, ...keys }, 'secrets', 'rekey')
  await further()
  ended = true
  await Promise.all(loads)
  const isNew = ({ headers, body }: Arrival): boolean =>
    verifies(replaced.secret, headers as Record<string, string>, body)
  await waitFor('a push that the new secret signs', () => receiver.arrivals.some(isNew), {
    timeoutMs: 60_000,
  })
  receiver.close()
  const unsigned = receiver.arrivals.filter(
    ({ headers, body }) =>
      !secrets.some((secret) => verifies(secret, headers as Record<string, string>, body)),
  )
  if (unsigned.length > 0) findings.push(`${unsigned.length} pushes verify with neither secret`)
  await account('revoke', clientId, added.keyId)
  await waitFor('the revocation', async () => {
    const { body } = await client.call<Envelope>('GET', '/v1/usage', undefined, `Bearer ${added.key}`)
    return body.code === 'A002'
  })
  return { figures: [`${sent} sends and ${receiver.arrivals.length} pushes during four rotations`], findings }
}

function verifies(secret: string, headers: Record<string, string>, body: string): boolean {
  try {
    new Webhook(secret).verify(body, headers)
    return true
  } catch {
    return false
  }
}

await runAttack(async () => {
  const installation = await TestInstallation.open({ POSTERN_WEBHOOK_ALLOWED_NETWORKS: '127.0.0.2/32' })
  let outcome: Outcome = { figures: [], findings: ['it did not end'] }
  try {
    outcome = await attack(installation)
  } finally {
    await installation.close(outcome.findings.length > 0)
  }
  return { ...outcome, findings: [...outcome.findings, ...installation.unexpectedExits] }
})
