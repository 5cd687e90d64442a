/**
 * Secrets are replaced in operation, one after the other, while clients send through two APIs and a receiver
 * records the pushes: the token key, the key and the password of an account, the secret of a webhook, and the
 * master key, for which every process is restarted with encrypted messages. No request may fail and no push may
 * be unsigned. Afterwards the replaced key, password and, after a leak, token must be rejected, and the previous
 * master key must be useless.
 */
import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Webhook } from 'standardwebhooks'
import { AccountClient, type Credentials, type Envelope } from '../support/processes/account-client.ts'
import { LoadBalancer } from '../support/processes/load-balancer.ts'
import { createAccount, postern, type Environment } from '../support/processes/postern-command.ts'
import { retryAfterThrottling } from '../support/processes/retry-after-throttling.ts'
import type { TestInstallation } from '../support/processes/test-installation.ts'
import { waitFor } from '../support/wait.ts'
import { openShippedInstallation } from './attack.ts'
import { runAttack, type AttackOutcome } from './outcome.ts'
import { openAttackReceiver, type AttackArrival } from './receiver.ts'

const sms = JSON.stringify({ from: '0234567890', to: '01012345678', text: 'x' })
const readyMs = 60_000
const why = ['--reason', 'rotation']

async function attack(installation: TestInstallation): Promise<AttackOutcome> {
  const findings: string[] = []
  const { environment, directory } = installation
  const master = (name: string): string => {
    writeFileSync(join(directory, name), randomBytes(32).toString('hex'))
    return `file:${join(directory, name)}`
  }
  const [first, second] = [master('master-1.key'), master('master-2.key')]
  const keys = { POSTERN_MASTER_KEY: second, POSTERN_PREVIOUS_MASTER_KEY: first }
  const command = (more: Environment, ...args: string[]): Promise<string> =>
    postern({ ...environment, ...more }, ...args, '--json')
  await installation.putRoute({ id: 'sandbox', channels: ['sms'] })
  const start = (role: 'api' | 'worker', n: number) =>
    installation.startGateway(role, `${role}-${n}`, { POSTERN_MASTER_KEY: first })
  const apis = [await start('api', 1), await start('api', 2)]
  const workers = [await start('worker', 1), await start('worker', 2)]
  const credentials = await createAccount(environment, 'shop')
  const { clientId } = credentials
  const added = JSON.parse(await command({}, 'account', 'key', 'add', clientId, '--name', 'test')) as {
    keyId: string
    key: string
  }
  await Promise.all([...apis, ...workers].map((gateway) => gateway.untilReady(readyMs)))
  const balancer = new LoadBalancer(apis, credentials, { connections: 4 })
  await balancer.start()
  const token = (await balancer.use((client) => client.login())).body.data!.token
  const receiver = await openAttackReceiver()
  const created = await balancer.use((client) =>
    client.call<Envelope & { data?: { secret: string; webhookId: string } }>(
      'POST',
      '/v1/webhook',
      JSON.stringify({ url: receiver.url }),
    ),
  )
  const webhook = created.body.data!
  const secrets = [webhook.secret]

  let bearer = added.key
  let password = credentials.password
  let sent = 0
  let ended = false
  // A client that requests a token every few seconds, within its limit, with the current password.
  let current = { token: '', until: 0 }
  const login = async (): Promise<string> => {
    if (performance.now() > current.until) {
      const { body } = await balancer.use((client) => client.requestToken({ clientId, password }))
      current = { token: body.data?.token ?? '', until: performance.now() + 3_000 }
    }
    return current.token
  }
  const authorizations: readonly (() => string | Promise<string>)[] = [() => token, () => bearer, login]
  const load = async (authorization: () => string | Promise<string>): Promise<void> => {
    while (!ended) {
      const value = `Bearer ${await authorization()}`
      // A busy machine may throttle; every other response but success is a finding.
      const { httpStatus, body } = await retryAfterThrottling(() =>
        balancer.use((client) => client.call<Envelope>('POST', '/v1/send/sms', sms, value)),
      )
      if (httpStatus !== 200) findings.push(`a send got ${httpStatus} ${body.code} ${body.result}`)
      sent++
      // The pushes keep up with this rate.
      await delay(20)
    }
  }
  const loads = authorizations.map((one) =>
    load(one).catch((error: unknown) => {
      if (!ended) findings.push(`a send got no response: ${(error as Error).message}`)
    }),
  )
  const further = (): Promise<unknown> => {
    const before = sent
    return waitFor('further sends', () => sent > before + 20, { timeoutMs: 60_000 })
  }
  await further()
  await command({}, 'token-key', 'rotate')
  await further()
  const rotated = JSON.parse(await command({}, 'account', 'key', 'rotate', clientId, added.keyId)) as {
    key: string
  }
  await further()
  bearer = rotated.key
  const renewed = JSON.parse(await command({}, 'account', 'password', clientId)) as Credentials
  await further()
  const replacedPassword = password
  password = renewed.password
  await further()
  // Restart one process after the other while the others serve.
  for (const gateway of [...workers, ...apis]) {
    await gateway.stop()
    gateway.start(keys)
    await gateway.untilReady(readyMs)
    await delay(200)
  }
  await further()
  const replaced = JSON.parse(await command(keys, 'webhook', 'rotate', webhook.webhookId)) as {
    secret: string
  }
  secrets.push(replaced.secret)
  await command(keys, 'secrets', 'rekey')
  await further()
  ended = true
  await Promise.all(loads)

  const isNew = ({ headers, body }: AttackArrival): boolean =>
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

  await command({}, 'account', 'key', 'revoke', clientId, added.keyId, ...why)
  await command({}, 'account', 'password', clientId, '--overlap-hours', '0', '--force', ...why)
  await command({}, 'token-key', 'rotate', '--leaked', ...why)
  const client = new AccountClient(apis[0]!.url, credentials)
  const codeOf = async (authorization: string): Promise<string> =>
    (await client.call<Envelope>('GET', '/v1/usage', undefined, `Bearer ${authorization}`)).body.code
  await waitFor('the revoked key to be rejected', async () => (await codeOf(added.key)) === 'A002')
  await waitFor('a token of the leaked key to be rejected', async () => (await codeOf(token)) === 'A002', {
    timeoutMs: 60_000,
  })
  for (const former of [replacedPassword, password])
    if ((await client.requestToken({ clientId, password: former })).httpStatus !== 401)
      findings.push('a replaced password still gets a token')
  client.close()
  balancer.close()
  const refused = await command({ POSTERN_MASTER_KEY: first }, 'webhook', 'rotate', webhook.webhookId).catch(
    () => 'refused',
  )
  if (refused !== 'refused') findings.push('the previous master key still decrypts secrets')
  return {
    figures: [
      `${sent} sends and ${receiver.arrivals.length} pushes during five rotations and the restart of four processes`,
    ],
    findings,
  }
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
  const installation = await openShippedInstallation({
    // Each process gets the current master key.
    POSTERN_MASTER_KEY: '',
    POSTERN_WEBHOOK_ALLOWED_NETWORKS: '127.0.0.2/32',
    POSTERN_ENCRYPT_MESSAGES: 'yes',
    // The drain delay that a load balancer needs.
    POSTERN_DRAIN_DELAY_SECONDS: '1',
  })
  let outcome: AttackOutcome = { figures: [], findings: ['the run did not finish'] }
  try {
    outcome = await attack(installation)
  } finally {
    await installation.close(outcome.findings.length > 0)
  }
  return { ...outcome, findings: [...outcome.findings, ...installation.unexpectedExits] }
})
