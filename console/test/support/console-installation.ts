/**
 * A complete installation for browser tests: a gateway in one process with its admin port, an SMPP carrier, the
 * sandbox, optionally a route whose carrier is down, and an operator of each role. Requires `npx vite build console`.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { StaffRole } from '../../../gateway/src/identity/operators/rights.ts'
import { AccountClient } from '../../../gateway/test/support/processes/account-client.ts'
import { choosePort } from '../../../tools/engines/free-ports.ts'
import { createAccount } from '../../../gateway/test/support/processes/postern-command.ts'
import { TestInstallation } from '../../../gateway/test/support/processes/test-installation.ts'
import { addOperators } from './operators.ts'

export interface ConsoleInstallation {
  /** URL of the console and the admin API. */
  readonly url: string
  /** URL of the client API. */
  readonly apiUrl: string
  readonly installation: TestInstallation
  /** Operator keys by role; each operator is named after its role. */
  readonly keys: Readonly<Record<StaffRole, string>>
  readonly client: AccountClient
  /** Sends about this many messages per second until `close`. */
  startTraffic(perSecond: number): void
  close(failed: boolean): Promise<void>
}

export interface ConsoleOptions {
  /** Adds a second SMPP route without a carrier. */
  readonly brokenRoute?: boolean
  /** Omits the routes of the carrier and the sandbox. */
  readonly noRoutes?: boolean
  /** Behaviour of the carrier and settings of its route. */
  readonly carrier?: CarrierOptions
  /** Returns additional settings of the gateway for the URL of the console. */
  readonly settings?: (url: string) => Promise<Readonly<Record<string, string>>>
}

export interface CarrierOptions {
  readonly channels?: readonly string[]
  /** Arguments of the simulator. */
  readonly args?: readonly string[]
  /** Options of the route. */
  readonly options?: Readonly<Record<string, unknown>>
  readonly partsPerSecond?: number
}

export async function openConsole({
  brokenRoute = false,
  noRoutes = false,
  carrier: { channels = ['sms', 'international'], args = [], ...route } = {},
  settings = () => Promise.resolve({}),
}: ConsoleOptions = {}): Promise<ConsoleInstallation> {
  if (!existsSync(join(import.meta.dirname, '../../dist/index.html')))
    throw new Error('the console is not built; run `npx vite build console` first')
  const adminPort = await choosePort()
  const url = `http://127.0.0.1:${adminPort}`
  const installation = await TestInstallation.open()
  const { environment, databaseUrl } = installation
  if (!noRoutes) {
    const carrier = await installation.startSimulator('carrier', '--receipt-delay-ms', '300', ...args)
    await installation.putRoute({ id: 'carrier-a', channels, simulator: carrier, ...route })
    await installation.putRoute({
      id: 'sandbox',
      channels: ['mms', 'rcs', 'alimtalk', 'friendtalk', 'brandmessage'],
    })
  }
  if (brokenRoute)
    await installation.putRoute({
      id: 'carrier-b',
      channels: ['international'],
      protocol: 'smpp',
      options: { host: '127.0.0.1', port: await choosePort(), systemId: 'carrier-b' },
    })
  const gateway = await installation.startGateway('all', 'gateway', {
    // One process with the rights of API, worker and commands.
    POSTERN_DATABASE_URL: databaseUrl,
    POSTERN_PRIVILEGED_DATABASE_USER: 'warn',
    POSTERN_ADMIN_PORT: String(adminPort),
    POSTERN_SANDBOX_PHONES: 'yes',
    ...(await settings(url)),
  })
  // Commands require a key once an operator exists, so the account is created first.
  const client = new AccountClient(gateway.url, await createAccount(environment, 'Shop'))
  const keys = await addOperators(databaseUrl)
  await gateway.untilReady(120_000)
  await client.login()
  let traffic: NodeJS.Timeout | undefined
  return {
    url,
    apiUrl: gateway.url,
    installation,
    keys,
    client,
    startTraffic(perSecond) {
      let count = 0
      traffic = setInterval(() => {
        count += 1
        // The carrier delivers all of them, because only endings that start with 00 can select another result.
        const to = `0101234${1_000 + (count % 9_000)}`
        client.send('sms', { from: '15880000', to, text: `Message ${count}` }).catch(() => undefined)
      }, 1_000 / perSecond)
    },
    async close(failed) {
      clearInterval(traffic)
      client.close()
      await installation.close(failed)
    },
  }
}
