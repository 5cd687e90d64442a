import { AccountClient, type Credentials, type Envelope } from '../support/processes/account-client.ts'
import type { Gateway } from '../support/processes/gateway.ts'
import { createAccount, postern } from '../support/processes/postern-command.ts'
import { registerSenders } from '../support/processes/register-senders.ts'
import { simulatorErrors, type Simulator } from '../support/processes/simulator.ts'
import type { TestInstallation } from '../support/processes/test-installation.ts'
import { waitFor } from '../support/wait.ts'

/**
 * Deadline of a step. It determines the duration of the run, because silent recipients reach it. It must
 * exceed the time to submit all parts: the carrier throttles one text in sixteen, which slows the routes down.
 */
export const stepTtlSeconds = 28

/** Sender number of the run. */
export const from = '0212345678'

/** Options of a route to a simulated SMSC. */
export const linkOptions = {
  window: 100,
  errors: simulatorErrors,
  receiptUtcOffsetMinutes: 0,
  responseTimeoutMs: 2_500,
  throttleRetryMs: 20,
  reconnectMinMs: 50,
  reconnectMaxMs: 100,
}

/** One cell: an API, a worker and a simulated carrier, with two accounts. */
export interface E2eSystem {
  readonly installation: TestInstallation
  readonly simulator: Simulator
  readonly api: Gateway
  readonly worker: Gateway
  readonly credentials: Credentials
  /** Account without permission to poll. */
  readonly noPollCredentials: Credentials
}

/** Starts a cell. The installation must set POSTERN_STEP_TTL_SECONDS to `stepTtlSeconds`. */
export async function startSystem(installation: TestInstallation): Promise<E2eSystem> {
  const simulator = await installation.startSimulator(
    'smsc',
    ...['--record', '--slow-ms', '800', '--late-ms', '3000', '--receipt-delay-ms', '20'],
  )
  const [api, worker, credentials, silent] = await Promise.all([
    installation.startGateway('api', 'api'),
    installation.startGateway('worker', 'worker'),
    createSender(installation),
    createAccount(installation.environment, 'silent', '--no-polling'),
    installation.putRoute({ id: 'domestic', channels: ['sms'], simulator, options: linkOptions }),
    installation.putRoute({ id: 'overseas', channels: ['international'], simulator, options: linkOptions }),
  ])
  const system = { installation, simulator, api, worker, credentials, noPollCredentials: silent }
  await untilReady(system)
  await untilRegistered(system)
  return system
}

/** Creates an account that can send from the number of the run, also abroad. */
async function createSender(installation: TestInstallation): Promise<Credentials> {
  const credentials = await createAccount(installation.environment, 'e2e', '--part-counts')
  const { clientId } = credentials
  await registerSenders(installation, clientId, [['number', from]])
  await postern(
    installation.environment,
    ...['protection', 'set', clientId, '--countries', 'US', '--reason', 'a test'],
  )
  return credentials
}

/** Waits until the API applies the sender registration, which takes up to two seconds. */
async function untilRegistered({ api, credentials }: Pick<E2eSystem, 'api' | 'credentials'>): Promise<void> {
  const client = await createLoggedInClient(api.url, credentials)
  const body = JSON.stringify({ from, to: '+14150007358', text: 'hello' })
  const isAccepted = async (): Promise<boolean> =>
    (await client.call<Envelope>('POST', '/v1/send/international?dryRun=true', body)).body.code === 'A000'
  await waitFor('the senders to be known', isAccepted, { timeoutMs: 60_000, everyMs: 200 })
  client.close()
}

export async function untilReady({ api, worker }: Pick<E2eSystem, 'api' | 'worker'>): Promise<void> {
  await Promise.all([api.untilReady(), worker.untilReady()])
  await waitFor('both routes to be linked', async () => (await worker.metric('postern_route_linked')) === 2, {
    timeoutMs: 60_000,
  })
}

/** Creates a client and logs it in. */
export async function createLoggedInClient(url: string, credentials: Credentials): Promise<AccountClient> {
  const client = new AccountClient(url, credentials)
  await waitFor('the account to be known', async () => (await client.login()).httpStatus === 200, {
    timeoutMs: 60_000,
    everyMs: 200,
  })
  return client
}
