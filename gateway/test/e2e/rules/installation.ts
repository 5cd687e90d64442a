import pg from 'pg'
import type { AccountClient, Credentials } from '../../support/processes/account-client.ts'
import type { Gateway } from '../../support/processes/gateway.ts'
import { maxSkewSeconds, MovedClock } from '../../support/processes/moved-clock.ts'
import { createAccount, postern } from '../../support/processes/postern-command.ts'
import { startPrivatePostgres } from '../../support/processes/private-postgres.ts'
import { registerSenders } from '../../support/processes/register-senders.ts'
import type { Simulator } from '../../support/processes/simulator.ts'
import { TestInstallation } from '../../support/processes/test-installation.ts'
import { createLoggedInClient, linkOptions } from '../system.ts'

export const from = '0212345678'
/** Registered sender that is blocked during the night. */
export const blockedLater = '0233334444'
export const suppressed = '01000008888'

/**
 * Installation with trust rules enabled and a clock at 07:30 in Korea, which is night for advertisements. It
 * has a separate PostgreSQL, because all processes follow its clock.
 */
export interface RulesInstallation {
  readonly carrier: Simulator
  /** Account whose advertisements wait at night. */
  readonly holdingClient: AccountClient
  /** Account whose advertisements are rejected at night. */
  readonly rejectingClient: AccountClient
  readonly command: (...args: string[]) => Promise<string>
  /** Sets the clock to just after 08:00. */
  readonly moveToMorning: () => Promise<void>
  /** Closes the installation and returns process failures. */
  readonly close: (failed: boolean) => Promise<string[]>
}

const dayMs = 86_400_000
/** End of the night for advertisements: 08:00 in Korea, as a time of day in UTC. */
const nightEndMs = 23 * 3_600_000

export async function openRulesInstallation(): Promise<RulesInstallation> {
  const morning = Math.ceil((Date.now() + dayMs - nightEndMs) / dayMs) * dayMs + nightEndMs
  const clock = new MovedClock(morning - 30 * 60_000)
  const postgres = await startPrivatePostgres(clock.postgresEnvironment)
  const installation = await TestInstallation.open(
    { POSTERN_MAX_CLOCK_SKEW_SECONDS: String(maxSkewSeconds) },
    clock.environment,
    { keepsRules: true, serverUrl: postgres.url },
  )
  const { environment } = installation
  const command = (...args: string[]): Promise<string> =>
    postern(environment, ...args, '--reason', 'a test of the rules')
  const carrier = await installation.startSimulator('smsc-rules', '--record', '--receipt-delay-ms', '20')
  const [holding, refusing] = await Promise.all([
    prepareHolding(installation, command),
    prepareRefusing(installation),
    installation.putRoute({
      id: 'rules',
      channels: ['sms', 'international'],
      simulator: carrier,
      options: linkOptions,
    }),
  ])
  const gateway = await installation.startGateway('all', 'all-rules')
  await gateway.untilReady(60_000)
  const clients = [
    await createLoggedInClient(gateway.url, holding),
    await createLoggedInClient(gateway.url, refusing),
  ] as const
  return {
    carrier,
    holdingClient: clients[0],
    rejectingClient: clients[1],
    command,
    moveToMorning: () => move(installation, clock, morning, gateway),
    async close(failed) {
      for (const client of clients) client.close()
      const found = installation.unexpectedExits
      const late = await installation.close(failed || found.length > 0)
      await postgres.stop()
      clock.remove()
      return [...found, ...late.map((name) => `${name} did not stop on SIGTERM`)]
    },
  }
}

/** Creates the account `holding` with its settings. */
async function prepareHolding(
  installation: TestInstallation,
  command: (...args: string[]) => Promise<string>,
): Promise<Credentials> {
  const credentials = await createAccount(installation.environment, 'holding')
  const { clientId } = credentials
  await Promise.all([
    registerSenders(installation, clientId, [
      ['number', from],
      ['number', blockedLater],
    ]),
    command('trust', 'quiet-hours', 'set', '--account', clientId, '--night', 'hold'),
    command('suppression', 'add', suppressed, '--account', clientId),
    (async () => {
      const links = ['--links', 'listed', '--link-domains', 'shop.kr']
      await command('protection', 'set', clientId, '--countries', 'US', ...links)
      await command('protection', 'cap', clientId, '--class', 'international', '--day', '1')
    })(),
  ])
  return credentials
}

async function prepareRefusing(installation: TestInstallation): Promise<Credentials> {
  const credentials = await createAccount(installation.environment, 'refusing')
  await registerSenders(installation, credentials.clientId, [['number', from]])
  return credentials
}

async function move(
  { databaseUrl }: TestInstallation,
  clock: MovedClock,
  morning: number,
  gateway: Gateway,
): Promise<void> {
  const database = new pg.Pool({ connectionString: databaseUrl, max: 1 })
  try {
    await clock.moveTo(morning + 5_000, database, [gateway])
  } finally {
    await database.end()
  }
}
