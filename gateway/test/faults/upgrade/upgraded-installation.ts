import { AccountClient } from '../../support/processes/account-client.ts'
import type { Gateway } from '../../support/processes/gateway.ts'
import { createAccountIn, posternIn } from '../../support/processes/postern-command.ts'
import { projectRoot } from '../../support/processes/program.ts'
import { simulatorErrors, type Simulator } from '../../support/processes/simulator.ts'
import { TestInstallation } from '../../support/processes/test-installation.ts'
import { migrateToNextRelease } from '../../support/processes/next-release.ts'
import { waitFor } from '../../support/wait.ts'
import { openWebhookReceiver, type WebhookReceiver } from './webhook-receiver.ts'

/**
 * An API and a worker, first of an earlier release, with a fast and a slow route to a simulated carrier, a
 * slow sandbox route, an account that polls reports and an account with a webhook.
 */
export interface UpgradedInstallation {
  readonly base: TestInstallation
  readonly api: Gateway
  readonly worker: Gateway
  readonly carrier: Simulator
  readonly receiver: WebhookReceiver
  readonly polled: AccountClient
  readonly pushed: AccountClient
  /** Runs a command of the current release of the installation. */
  postern(...args: string[]): Promise<string>
  /** Migrates to this release and starts its processes. Processes of the earlier release must be stopped. */
  upgrade(): Promise<void>
  disableSandbox(): Promise<void>
  /** Enables the disabled route and removes the rate limits of both slow routes. */
  openRoutes(): Promise<void>
  close(failed: boolean): Promise<string[]>
}

const settings = {
  POSTERN_STEP_TTL_SECONDS: '300',
  POSTERN_WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
  POSTERN_WEBHOOK_RETRY_SECONDS: Array(60).fill('2').join(','),
}

export async function openUpgradedInstallation(earlier: string): Promise<UpgradedInstallation> {
  const base = await TestInstallation.open(settings, {}, { earlier })
  const receiver = await openWebhookReceiver()
  const clients: AccountClient[] = []
  const close = async (failed: boolean): Promise<string[]> => {
    for (const client of clients) client.close()
    const late = await base.close(failed)
    await receiver.close()
    return late
  }
  const command = (...args: string[]): Promise<string> => posternIn(base.root, base.environment, ...args)
  try {
    const late = ['--late-ms', '75000', '--receipt-delay-ms', '1500']
    const carrier = await base.startSimulator('smsc', '--record', ...late)
    const putRoute = (id: string, channel: string, partsPerSecond: number): Promise<void> =>
      base.putRoute({
        id,
        channels: [channel],
        simulator: carrier,
        partsPerSecond,
        options: {
          window: 50,
          systemId: 'carrier',
          errors: simulatorErrors,
          reconnectMinMs: 100,
          reconnectMaxMs: 1_000,
        },
      })
    await putRoute('fast', 'sms', 0)
    await putRoute('slow', 'international', 1)
    const putSandbox = (partsPerSecond: number): Promise<void> =>
      base.putRoute({ id: 'sandbox', channels: ['alimtalk'], partsPerSecond })
    await putSandbox(1)
    const accounts = []
    for (const name of ['polled', 'pushed'])
      accounts.push(await createAccountIn(base.root, base.environment, name))
    await command('webhook', 'add', accounts[1]!.clientId, '--url', receiver.url)
    // Settle cannot finish while reports are locked, so the drain time of the worker is short.
    const worker = await base.startGateway('worker', 'worker', { POSTERN_DRAIN_SECONDS: '5' })
    const api = await base.startGateway('api', 'api')
    await Promise.all([worker.untilReady(60_000), api.untilReady(60_000)])
    for (const account of accounts) clients.push(new AccountClient(api.url, account))
    for (const client of clients)
      await waitFor('the account to be known', async () => (await client.login()).httpStatus === 200)
    const [polled, pushed] = clients as [AccountClient, AccountClient]
    return {
      base,
      api,
      worker,
      carrier,
      receiver,
      polled,
      pushed,
      postern: command,
      close,
      async upgrade() {
        base.useThisRelease()
        await base.migrate()
        await migrateToNextRelease(base.databaseUrl)
        for (const gateway of [worker, api]) {
          gateway.changeRoot(projectRoot)
          gateway.start()
        }
        await Promise.all([worker.untilReady(60_000), api.untilReady(60_000)])
      },
      async disableSandbox() {
        await command('route', 'disable', 'sandbox')
      },
      async openRoutes() {
        await putRoute('slow', 'international', 0)
        await putSandbox(0)
        await command('route', 'enable', 'sandbox')
      },
    }
  } catch (error) {
    await close(true)
    throw error
  }
}
