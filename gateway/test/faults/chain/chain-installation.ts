import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AccountClient } from '../../support/processes/account-client.ts'
import type { Gateway } from '../../support/processes/gateway.ts'
import { createAccount, postern } from '../../support/processes/postern-command.ts'
import type { Simulator } from '../../support/processes/simulator.ts'
import { TestInstallation } from '../../support/processes/test-installation.ts'
import { uploadImage } from '../../support/processes/upload-image.ts'
import { waitFor } from '../../support/wait.ts'
import type { ChainFiles } from './messages.ts'

const textChannels = ['sms', 'international']
const richChannels = ['mms', 'rcs', 'alimtalk', 'friendtalk', 'brandmessage']

export interface ChainOptions {
  /** Number of workers per installation; with 0, one process has all roles. */
  readonly workers: number
  /** Step deadline of the far installation. That of the near one is three times as long. */
  readonly stepTtlSeconds: number
  /** Options of the route between the installations. */
  readonly route?: Readonly<Record<string, unknown>>
}

/**
 * Two separate installations in a row. Clients send to the near one, whose only route is the far one, which
 * has a simulated carrier for texts and the sandbox for other channels.
 */
export interface Chain {
  readonly near: TestInstallation
  readonly far: TestInstallation
  readonly carrier: Simulator
  /** All gateway processes, named after their installation and role. */
  readonly gateways: readonly Gateway[]
  /** Client of the near installation. */
  readonly client: AccountClient
  readonly files: ChainFiles
  /** Closes the chain and returns unexpected exits and processes that had to be killed. */
  close(failed: boolean): Promise<string[]>
}

export async function openChain(options: ChainOptions): Promise<Chain> {
  const folder = mkdtempSync(join(tmpdir(), 'postern-chain-'))
  const open = (name: string, ttlSeconds: number): Promise<TestInstallation> =>
    TestInstallation.open({
      POSTERN_STEP_TTL_SECONDS: String(ttlSeconds),
      POSTERN_FILE_FOLDER: join(folder, name),
      POSTERN_SEND_LIMIT: '0',
    })
  const [near, far] = await Promise.all([
    open('near', options.stepTtlSeconds * 3),
    open('far', options.stepTtlSeconds),
  ])
  const closeAll = async (failed: boolean): Promise<string[]> => {
    const unexpected = [...near.unexpectedExits, ...far.unexpectedExits]
    const late = [await near.close(failed), await far.close(failed)].flat()
    rmSync(folder, { recursive: true, force: true })
    return [...unexpected, ...late.map((name) => `${name} did not stop on SIGTERM`)]
  }
  try {
    return await build(near, far, options, closeAll)
  } catch (error) {
    await closeAll(true)
    throw error
  }
}

async function build(
  near: TestInstallation,
  far: TestInstallation,
  { workers, route }: ChainOptions,
  closeAll: Chain['close'],
): Promise<Chain> {
  const carrier = await far.startSimulator('smsc', '--record', '--record-limit', '100000')
  const start = (installation: TestInstallation, name: string): Promise<Gateway[]> =>
    Promise.all([
      installation.startGateway(workers === 0 ? 'all' : 'api', `${name}-api`),
      ...Array.from({ length: workers }, (_, index) =>
        installation.startGateway('worker', `${name}-worker-${index + 1}`),
      ),
    ])
  const [upstream, customer, nearGateways, farGateways] = await Promise.all([
    createAccount(far.environment, 'reseller'),
    createAccount(near.environment, 'customer'),
    start(near, 'near'),
    start(far, 'far'),
    far.putRoute({
      id: 'carrier',
      channels: textChannels,
      simulator: carrier,
      options: { errors: { '001': 'no-subscriber' }, reconnectMinMs: 100, reconnectMaxMs: 500 },
    }),
    far.putRoute({ id: 'sandbox', channels: richChannels }),
  ])
  const link = {
    url: farGateways[0]!.url,
    clientId: upstream.clientId,
    password: upstream.password,
    results: 'stream',
    idempotency: true,
    reconnectMinMs: 100,
    reconnectMaxMs: 1_000,
    ...route,
  }
  await postern(
    near.environment,
    ...[
      'route',
      'put',
      'upstream',
      '--protocol',
      'omni',
      '--channels',
      [...textChannels, ...richChannels].join(','),
    ],
    ...['--options', JSON.stringify(link)],
  )
  const gateways = [...nearGateways, ...farGateways]
  await Promise.all(gateways.map((gateway) => gateway.untilReady(60_000)))
  const client = new AccountClient(nearGateways[0]!.url, customer)
  await waitFor('the account to be known', async () => (await client.login()).httpStatus === 200)
  await waitFor(
    'the link between the installations',
    async () => {
      const links = await Promise.all(nearGateways.map((gateway) => gateway.metric('postern_route_linked')))
      return links.some((linked) => linked > 0)
    },
    { timeoutMs: 30_000 },
  )
  const { url } = nearGateways[0]!
  const [mms, friendtalk] = await Promise.all(
    ['MMS', 'FRIENDTALK/FI'].map((service) => uploadImage(url, client, service)),
  )
  const files = { fileKey: mms!.fileKey!, imgUrl: friendtalk!.imgUrl! }
  return {
    near,
    far,
    carrier,
    gateways,
    client,
    files,
    close(failed) {
      client.close()
      return closeAll(failed)
    },
  }
}
