/**
 * One installation for the whole suite: a gateway in all its roles, a simulated SMSC for text messages, the sandbox for
 * every other channel, and the accounts that tests act as. The messages of one account leave through a service that
 * records them whole.
 */
import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { openOmniPeer, type OmniPeer } from '../connector-conformance/omni-peer.ts'
import { createAccount, postern } from '../support/processes/postern-command.ts'
import { query } from '../support/processes/scratch-database.ts'
import type { Gateway } from '../support/processes/gateway.ts'
import { simulatorErrors, type Simulator } from '../support/processes/simulator.ts'
import { TestInstallation } from '../support/processes/test-installation.ts'
import { waitFor } from '../support/wait.ts'
import { copyAccounts, copyNames, type AccountName } from './accounts.ts'
import { Api } from './api.ts'

export const tokenRequestsPerMinute = 150

export interface ConformanceInstallation {
  readonly base: TestInstallation
  readonly gateway: Gateway
  readonly simulator: Simulator
  /** The service that the messages of the account `relayed` leave through. */
  readonly peer: OmniPeer
  readonly accounts: Readonly<Record<AccountName, Api>>
}

let opened: Promise<ConformanceInstallation> | undefined

/** The installation; it must be open. */
export async function conformanceInstallation(): Promise<ConformanceInstallation> {
  assert(opened !== undefined, 'the installation is not open')
  return opened
}

export async function account(name: AccountName): Promise<Api> {
  return (await conformanceInstallation()).accounts[name]
}

/** Reads or changes the gateway's tables. */
export async function sql<Row extends Record<string, unknown>>(
  text: string,
  values: unknown[] = [],
): Promise<Row[]> {
  return query<Row>((await conformanceInstallation()).base.databaseUrl, text, values)
}

export async function openInstallation(): Promise<void> {
  opened ??= open()
  await opened
}

/** Closes it and returns what went wrong with the processes. */
export async function closeInstallation(failed: boolean): Promise<string[]> {
  const { base, accounts, peer } = await conformanceInstallation()
  for (const api of Object.values(accounts)) api.close()
  await peer.close()
  const surprises = base.unexpectedExits
  const late = await base.close(failed || surprises.length > 0)
  return [...surprises, ...late.map((name) => `${name} did not stop on SIGTERM`)]
}

async function open(): Promise<ConformanceInstallation> {
  const base = await TestInstallation.open({
    POSTERN_TOKEN_REQUESTS_PER_MINUTE: String(tokenRequestsPerMinute),
  })
  try {
    return await furnish(base)
  } catch (error) {
    await base.close(true)
    throw error
  }
}

async function furnish(base: TestInstallation): Promise<ConformanceInstallation> {
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
  await Promise.all([putPeerRoute(base, peer), nameTemplates(base), importRanges(base)])
  await gateway.untilReady()
  await waitFor('the routes', async () => (await gateway.metric('postern_route_linked')) === 3, {
    timeoutMs: 10_000,
  })
  const copies = copyNames.map((name) => [name, new Api(gateway.url, { clientId: name, password })] as const)
  const accounts = Object.fromEntries([
    ['main', new Api(gateway.url, { clientId, password })],
    ...copies,
  ]) as Record<AccountName, Api>
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
  const flags = ['--accounts', 'relayed', '--priority', '10']
  return base.putRoute({ id: 'peer', protocol: 'omni', channels, options, flags })
}

/** Template IDs by kind, as the operator has named them. */
export const templateIdOf = (kind: string): string => `UBR.${kind}`

async function nameTemplates({ environment }: TestInstallation): Promise<void> {
  const put = (kind: string): Promise<string> =>
    postern(environment, 'route', 'templates', 'put', templateIdOf(kind), '--kind', kind)
  await Promise.all(['Free', 'Description', 'Cell', 'Image'].map(put))
}

/** Numbers that belong to a mobile carrier; no other recipient of a test begins like this. */
export const numbersOfLgu = '0109'

async function importRanges({ environment, directory }: TestInstallation): Promise<void> {
  const file = `${directory}/ranges.csv`
  await writeFile(file, `${numbersOfLgu},10003\n`)
  await postern(environment, 'route', 'ranges', 'import', file)
}
