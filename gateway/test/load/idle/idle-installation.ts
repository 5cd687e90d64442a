/**
 * An installation with many SMPP routes and accounts, two workers and an API. Routes and accounts are written
 * to the database directly, because a command for each would take longer than the measurement.
 */
import { openDatabase, type Database } from '../../../src/platform/database/database.ts'
import { upsertRoute } from '../../../src/carriers/routes/queries.ts'
import { AccountClient } from '../../support/processes/account-client.ts'
import type { Gateway } from '../../support/processes/gateway.ts'
import { createAccount } from '../../support/processes/postern-command.ts'
import { TestInstallation, type InstallationOptions } from '../../support/processes/test-installation.ts'
import { testRoute } from '../../support/routes.ts'
import { silentLog } from '../../support/silent-log.ts'
import { printProgress, withProgress } from '../../support/measure/progress.ts'
import { waitFor } from '../../support/wait.ts'

export interface IdleInstallation {
  readonly base: TestInstallation
  readonly database: Database
  readonly api: Gateway
  /** The current workers. */
  readonly workers: readonly Gateway[]
  readonly client: AccountClient
  /** Stops a worker, starts another one and resolves when all routes are linked. */
  replaceWorker(): Promise<void>
  close(failed: boolean): Promise<string[]>
}

/**
 * Returns the prefix of the nth route's recipients. Only the first route gets traffic in the single-route run.
 */
export const createRoutePrefix = (route: number): string => `010${String(route).padStart(3, '0')}`

const linkMs = 180_000

export async function openIdleInstallation(
  routes: number,
  accounts: number,
  options: InstallationOptions = {},
): Promise<IdleInstallation> {
  const base = await TestInstallation.open({}, {}, options)
  const database = openDatabase(base.databaseUrl, silentLog, { connections: 2 })
  let client: AccountClient | undefined
  const workers: Gateway[] = []
  const close = async (failed: boolean): Promise<string[]> => {
    client?.close()
    await database.end()
    return base.close(failed)
  }
  try {
    const carriers = await Promise.all(
      ['smsc-1', 'smsc-2'].map((name) => base.startSimulator(name, '--receipt-delay-ms', '100')),
    )
    await insertAccounts(database, accounts)
    const ids = Array.from({ length: routes }, (_, index) => `carrier-${index}`)
    for (const [index, id] of ids.entries()) {
      const options = {
        host: '127.0.0.1',
        port: carriers[index % carriers.length]!.port,
        systemId: id,
        window: 50,
      }
      await upsertRoute(database, testRoute(id, { options, prefixes: [createRoutePrefix(index)] }))
    }
    printProgress(`${routes} routes and ${accounts} accounts written`)
    const credentials = await createAccount(base.environment, 'sender')
    const api = await base.startGateway('api', 'api')
    for (const name of ['worker-1', 'worker-2']) workers.push(await base.startGateway('worker', name))
    const untilLinked = (): Promise<unknown> =>
      withProgress(
        waitFor(
          'all routes to be linked',
          async () =>
            (await Promise.all(workers.map(linkedRoutes))).reduce((sum, n) => sum + n, 0) === routes,
          { timeoutMs: linkMs, everyMs: 500 },
        ),
        () => 'waiting until all routes are linked',
      )
    await Promise.all([api, ...workers].map((gateway) => gateway.untilReady(linkMs)))
    await untilLinked()
    client = new AccountClient(api.url, credentials, { connections: 16 })
    await client.login()
    return {
      base,
      database,
      api,
      workers,
      client,
      close,
      async replaceWorker() {
        await workers.pop()!.stop()
        const another = await base.startGateway('worker', 'worker-3')
        workers.push(another)
        await another.untilReady(linkMs)
        await untilLinked()
      },
    }
  } catch (error) {
    await close(true)
    throw error
  }
}

/** Returns the number of routes that this worker is linked to. */
export function linkedRoutes(worker: Gateway): Promise<number> {
  return worker.metric('postern_route_linked')
}

export async function insertAccounts(database: Database, accounts: number): Promise<void> {
  await database.query(
    `with added as (
       insert into accounts (client_id, name) select 'idle-' || n, 'idle ' || n from generate_series(1, $1::int) as n returning id)
     insert into credentials (account_id, key_id, kind, hash, created_by)
     select id, 'IDLE' || lpad(id::text, 8, '0'), 'password', '-', 'test' from added`,
    [accounts],
  )
}
