import { toReference, type PartKey } from '../../../src/carriers/connectors/reference.ts'
import { openDatabase } from '../../../src/platform/database/database.ts'
import { upsertRoute } from '../../../src/carriers/routes/queries.ts'
import type { Route } from '../../../src/carriers/routes/route.ts'
import { AccountClient, type Credentials } from '../../support/processes/account-client.ts'
import { createAccountIn } from '../../support/processes/postern-command.ts'
import { query } from '../../support/processes/scratch-database.ts'
import { TestInstallation } from '../../support/processes/test-installation.ts'
import { printProgress } from '../../support/measure/progress.ts'
import { testRoute } from '../../support/routes.ts'
import { silentLog } from '../../support/silent-log.ts'
import { waitFor } from '../../support/wait.ts'
import { lostEnding, sendLookupMessages, silentEnding } from './load.ts'
import { openReferenceCarrier, type ReferenceCarrier } from './reference-carrier.ts'

export interface LookupCase {
  readonly carrier: string
  readonly missing: 'response' | 'receipt'
  readonly submitted: number
  /** Number of submissions with a result before their deadline. */
  readonly resolved: number
  /** Median seconds from submission to result; null without results. */
  readonly p50: number | null
  readonly p99: number | null
}

export interface LookupsResult {
  readonly cases: readonly LookupCase[]
  readonly sentTwice: number
  /** Number of messages without exactly one report. */
  readonly unfinished: number
  /**
   * Submissions without a result that the carrier asked by reference has received. Submissions lost with a killed worker are not
   * counted.
   */
  readonly unresolved: number
}

export interface LookupsOptions {
  /** Number of lost responses per carrier. */
  readonly lost: number
  /** Time limit of a message. With 120 s, lookups run 10 s and 40 s after a lost response and 60 s and 20 s before the limit. */
  readonly ttlSeconds: number
}

const readyMs = 180_000
const maxRunMs = 1_800_000
const providerModule = new URL('reference-provider.ts', import.meta.url)

/**
 * Sends messages with lost responses or receipts to three carriers with real processes and kills the worker
 * with SIGKILL. One carrier supports lookups by our reference, one by its own ID, and one none.
 */
export async function measureLookups({ lost, ttlSeconds }: LookupsOptions): Promise<LookupsResult> {
  const installation = await TestInstallation.open(
    { POSTERN_STEP_TTL_SECONDS: String(ttlSeconds), POSTERN_SEND_LIMIT: '0' },
    { NODE_OPTIONS: `--import=${providerModule.href}` },
  )
  const carrier = await openReferenceCarrier()
  let failed = true
  try {
    const found = await run(installation, carrier, lost)
    failed = false
    return { ...found, sentTwice: found.sentTwice + carrier.repeated() }
  } finally {
    await installation.close(failed)
    carrier.close()
  }
}

export function checkLookups({ sentTwice, unfinished, unresolved }: LookupsResult): string[] {
  return [
    ...(sentTwice === 0 ? [] : [`${sentTwice} submissions were sent twice`]),
    ...(unfinished === 0 ? [] : [`${unfinished} messages do not have exactly one report`]),
    ...(unresolved === 0 ? [] : [`${unresolved} submissions that the carrier knows were not resolved`]),
  ]
}

async function run(
  installation: TestInstallation,
  { url, knows }: ReferenceCarrier,
  lost: number,
): Promise<LookupsResult> {
  const simulators = await Promise.all(
    ['asked-by-id', 'not-asked'].map((name) =>
      installation.startSimulator(name, '--record', '--record-limit', '1000000'),
    ),
  )
  const smpp = { registeredDelivery: 0, window: 500, responseTimeoutMs: 2_000 }
  const link = (n: number) => ({ host: '127.0.0.1', port: simulators[n]!.port, systemId: 'postern' })
  const routes = [
    { id: 'asked-by-reference', protocol: 'by-reference', options: { url } },
    { id: 'asked-by-id', protocol: 'smpp', options: { ...link(0), ...smpp, lookup: true } },
    { id: 'not-asked', protocol: 'smpp', options: { ...link(1), ...smpp } },
  ]
  const accounts = []
  for (const route of routes) accounts.push(await putRoute(installation, route))
  const [api, worker] = await Promise.all([
    installation.startGateway('api', 'api'),
    installation.startGateway('worker', 'worker'),
  ])
  await Promise.all([api, worker].map((gateway) => gateway.untilReady(readyMs)))
  const clients = accounts.map((credentials) => new AccountClient(api.url, credentials))
  for (const client of clients) await client.login()
  printProgress('sending')
  let isKilled = false
  const killOnce = async (fraction: number): Promise<void> => {
    if (fraction < 0.5 || isKilled) return
    isKilled = true
    printProgress('kill -9 worker')
    await worker.kill()
    worker.start()
  }
  const sent = await Promise.all(
    clients.map((client) => sendLookupMessages(client, lost, (fraction) => void killOnce(fraction))),
  )
  const { databaseUrl } = installation
  await untilEnded(
    databaseUrl,
    sent.reduce((sum, count) => sum + count),
  )
  const duplicates = await Promise.all(simulators.map((simulator) => simulator.duplicates()))
  return {
    cases: await readCases(databaseUrl),
    sentTwice: duplicates.flat().reduce((sum, { count }) => sum + count - 1, 0),
    unfinished: await countUnfinished(databaseUrl),
    unresolved: (await readUnresolved(databaseUrl)).filter(knows).length,
  }
}

async function untilEnded(databaseUrl: string, sent: number): Promise<void> {
  const areEnded = async (): Promise<boolean> => {
    const [row] = await query<{ recorded: number; open: number }>(
      databaseUrl,
      'select (select count(*)::int from messages) as recorded, (select count(*)::int from in_flight) as open',
    )
    const { recorded, open } = row!
    printProgress(`${recorded} of ${sent} messages recorded, ${open} open`)
    return recorded === sent && open === 0
  }
  await waitFor('the last message', areEnded, { timeoutMs: maxRunMs, everyMs: 5_000 })
}

/**
 * Stores a route for a new account in the database, because the command does not know the test connector
 * kind.
 */
async function putRoute(
  { root, environment, databaseUrl }: TestInstallation,
  route: Pick<Route, 'id' | 'protocol' | 'options'>,
): Promise<Credentials> {
  const credentials = await createAccountIn(root, environment, route.id)
  const database = openDatabase(databaseUrl, silentLog, { connections: 1 })
  try {
    const { rows } = await database.query<{ id: number }>('select id from accounts where client_id = $1', [
      credentials.clientId,
    ])
    await upsertRoute(database, testRoute(route.id, { ...route, accounts: [rows[0]!.id] }))
    return credentials
  } finally {
    await database.end()
  }
}

function readCases(databaseUrl: string): Promise<LookupCase[]> {
  return query<LookupCase>(
    databaseUrl,
    `select route_id as carrier, case when outcome = 'unknown' then 'response' else 'receipt' end as missing,
            count(*)::int as submitted, count(result)::int as resolved,
            percentile_disc(0.5) within group (order by extract(epoch from received_at - submitted_at))::float8 as p50,
            percentile_disc(0.99) within group (order by extract(epoch from received_at - submitted_at))::float8 as p99
       from (select *, right(recipient, 4) as ending from attempts where not late) a
      where ending = '${lostEnding}' or ending = '${silentEnding}'
      group by 1, 2 order by 1, 2`,
  )
}

async function readUnresolved(databaseUrl: string): Promise<string[]> {
  const rows = await query<PartKey>(
    databaseUrl,
    `select msg_key as "msgKey", step, try, part from attempts where route_id = 'asked-by-reference' and result is null`,
  )
  return rows.map(toReference)
}

async function countUnfinished(databaseUrl: string): Promise<number> {
  const [row] = await query<{ unfinished: number }>(
    databaseUrl,
    `select count(*)::int as unfinished from messages m where (select count(*) from reports r where r.msg_key = m.msg_key) <> 1`,
  )
  return row!.unfinished
}
