/**
 * One API and one worker that begin as those of an earlier release: a simulated carrier with a fast and a slow route, a
 * slow route of the sandbox, an account that polls its reports and one that is pushed them.
 */
import { AccountClient } from '../support/processes/account-client.ts'
import type { Gateway } from '../support/processes/gateway.ts'
import { createAccountIn, posternIn } from '../support/processes/postern-command.ts'
import { projectRoot } from '../support/processes/program.ts'
import { simulatorErrors, type Simulator } from '../support/processes/simulator.ts'
import { TestInstallation } from '../support/processes/test-installation.ts'
import { migrateToNextRelease } from '../support/processes/next-release.ts'
import { waitFor } from '../support/wait.ts'
import { openWebhookReceiver, type WebhookReceiver } from './webhook-receiver.ts'

export interface UpgradedInstallation {
  readonly base: TestInstallation
  readonly api: Gateway
  readonly worker: Gateway
  readonly carrier: Simulator
  readonly receiver: WebhookReceiver
  readonly polled: AccountClient
  readonly pushed: AccountClient
  /** A command of the release that the installation has now. */
  postern(...args: string[]): Promise<string>
  /** Migrates to this release and starts its processes; those of the earlier one must be stopped. */
  upgrade(): Promise<void>
  disableSandbox(): Promise<void>
  /** Enables the disabled route, and lets it and the slow one send as fast as they can. */
  openRoutes(): Promise<void>
  close(failed: boolean): Promise<string[]>
}

const settings = {
  POSTERN_STEP_TTL_SECONDS: '300',
  POSTERN_WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
  POSTERN_WEBHOOK_RETRY_SECONDS: Array(60).fill('2').join(','),
}

export async function openInstallation(earlier: string): Promise<UpgradedInstallation> {
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
        ...{ id, channels: [channel], simulator: carrier, partsPerSecond },
        options: {
          ...{ window: 50, systemId: 'carrier', errors: simulatorErrors },
          ...{ reconnectMinMs: 100, reconnectMaxMs: 1_000 },
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
    // Settle cannot end while the reports are locked: the worker must not wait for it for long.
    const worker = await base.startGateway('worker', 'worker', { POSTERN_DRAIN_SECONDS: '5' })
    const api = await base.startGateway('api', 'api')
    await Promise.all([worker.untilReady(60_000), api.untilReady(60_000)])
    for (const account of accounts) clients.push(new AccountClient(api.url, account))
    for (const client of clients)
      await waitFor('the account to be known', async () => (await client.login()).httpStatus === 200)
    const [polled, pushed] = clients as [AccountClient, AccountClient]
    return {
      ...{ base, api, worker, carrier, receiver, polled, pushed, postern: command, close },
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
