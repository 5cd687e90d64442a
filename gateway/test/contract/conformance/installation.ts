import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { openOmniPeer, type OmniPeer } from '../connector-conformance/omni-peer.ts'
import { createAccount, postern } from '../../support/processes/postern-command.ts'
import { query } from '../../support/processes/scratch-database.ts'
import type { Gateway } from '../../support/processes/gateway.ts'
import { simulatorErrors, type Simulator } from '../../support/processes/simulator.ts'
import { TestInstallation } from '../../support/processes/test-installation.ts'
import { waitFor } from '../../support/wait.ts'
import { copyAccounts, copyNames, type AccountName } from './accounts.ts'
import { ConformanceClient } from './api.ts'

export const tokenRequestsPerMinute = 150

/**
 * Shared installation of the suite: a gateway in all roles, a simulated SMSC for SMS and international, the
 * sandbox for the other channels, and a peer that records the messages of the account `relayed`.
 */
export interface ConformanceInstallation {
  readonly base: TestInstallation
  readonly gateway: Gateway
  readonly simulator: Simulator
  /** Service that receives the messages of the account `relayed`. */
  readonly peer: OmniPeer
  readonly accounts: Readonly<Record<AccountName, ConformanceClient>>
}

let opened: Promise<ConformanceInstallation> | undefined

/** Returns the open installation. */
export async function getConformanceInstallation(): Promise<ConformanceInstallation> {
  assert(opened !== undefined, 'the installation is not open')
  return opened
}

export async function getAccountClient(name: AccountName): Promise<ConformanceClient> {
  return (await getConformanceInstallation()).accounts[name]
}

export async function sql<Row extends Record<string, unknown>>(
  text: string,
  values: unknown[] = [],
): Promise<Row[]> {
  return query<Row>((await getConformanceInstallation()).base.databaseUrl, text, values)
}

export async function openConformanceInstallation(): Promise<void> {
  opened ??= open()
  await opened
}

/** Closes the installation and returns process failures. */
export async function closeConformanceInstallation(failed: boolean): Promise<string[]> {
  const { base, accounts, peer } = await getConformanceInstallation()
  for (const api of Object.values(accounts)) api.close()
  await peer.close()
  const exits = base.unexpectedExits
  const late = await base.close(failed || exits.length > 0)
  return [...exits, ...late.map((name) => `${name} did not stop on SIGTERM`)]
}

async function open(): Promise<ConformanceInstallation> {
  const base = await TestInstallation.open({
    POSTERN_TOKEN_REQUESTS_PER_MINUTE: String(tokenRequestsPerMinute),
  })
  try {
    return await setUp(base)
  } catch (error) {
    await base.close(true)
    throw error
  }
}

async function setUp(base: TestInstallation): Promise<ConformanceInstallation> {
  const simulator = await base.startSimulator('smsc', '--record', '--receipt-delay-ms', '20')
  const peer = await openOmniPeer()
  const [gateway, { clientId, password }] = await Promise.all([
    base.startGateway('all', 'gateway', { POSTERN_FILE_FOLDER: `${base.directory}/files` }),
    createAccount(base.environment, 'main'),
    base.putRoute({
      id: 'texts',
      channels: ['sms', 'international'],
      simulator,
      options: { errors: simulatorErrors, receiptUtcOffsetMinutes: 0 },
    }),
    base.putRoute({ id: 'sandbox', channels: ['mms', 'rcs', 'alimtalk', 'friendtalk', 'brandmessage'] }),
  ])
  await copyAccounts(base.databaseUrl, clientId)
  await Promise.all([putPeerRoute(base, peer), setTemplateKinds(base), importRanges(base)])
  await gateway.untilReady()
  await waitFor('the routes', async () => (await gateway.metric('postern_route_linked')) === 3, {
    timeoutMs: 10_000,
  })
  const copies = copyNames.map(
    (name) => [name, new ConformanceClient(gateway.url, { clientId: name, password })] as const,
  )
  const accounts = Object.fromEntries([
    ['main', new ConformanceClient(gateway.url, { clientId, password })],
    ...copies,
  ]) as Record<AccountName, ConformanceClient>
  for (const [name, api] of Object.entries(accounts)) {
    await waitFor(`account ${name}`, async () => (await api.login()).httpStatus === 200, {
      timeoutMs: 10_000,
      everyMs: 300,
    })
  }
  return { base, gateway, simulator, peer, accounts }
}

function putPeerRoute(base: TestInstallation, peer: OmniPeer): Promise<void> {
  const channels = ['sms', 'mms', 'rcs', 'alimtalk', 'friendtalk', 'brandmessage']
  const options = { ...peer.options, window: 100, responseTimeoutMs: 10_000, pollIntervalMs: 50 }
  const flags = ['--accounts', 'relayed,plain', '--priority', '10']
  return base.putRoute({ id: 'peer', protocol: 'omni', channels, options, flags })
}

export const toTemplateId = (kind: string): string => `UBR.${kind}`

async function setTemplateKinds({ environment }: TestInstallation): Promise<void> {
  const put = (kind: string): Promise<string> =>
    postern(environment, 'route', 'templates', 'put', toTemplateId(kind), '--kind', kind)
  await Promise.all(['Free', 'Description', 'Cell', 'Image'].map(put))
}

/** Number prefix of a mobile carrier. Other test recipients do not start with it. */
export const lguPrefix = '0109'

async function importRanges({ environment, directory }: TestInstallation): Promise<void> {
  const file = `${directory}/ranges.csv`
  await writeFile(file, `${lguPrefix},10003\n`)
  await postern(environment, 'route', 'ranges', 'import', file)
}
