/**
 * Measures the cost of scheduled messages with the outbox of one process on a real database: polling for due
 * steps while all of them are for later, and the order in which due steps leave when one account's
 * advertisements and another's one-time codes are due at the same minute. Routes have no capacity, so that
 * every released step becomes part of its route's backlog.
 */
import { createSchedulingSettingsTable } from '../../../src/identity/accounts/scheduling-settings.ts'
import type { Lane } from '../../../src/channels/lane.ts'
import { createTopology } from '../../../src/jobs/queues.ts'
import { createOutbox } from '../../../src/pipeline/scheduling/outbox.ts'
import { openDatabase, type Database } from '../../../src/platform/database/database.ts'
import { maintainPartitions } from '../../../src/records/partitions.ts'
import { findWaitingLanes } from '../../../src/records/waiting/find-waiting.ts'
import { upsertRoute } from '../../../src/carriers/routes/queries.ts'
import { createRouter } from '../../../src/carriers/routes/router.ts'
import { RouteStates } from '../../../src/carriers/routes/states.ts'
import { createRouteTable } from '../../../src/carriers/routes/table.ts'
import { createDatabase, dropDatabase } from '../../support/processes/scratch-database.ts'
import { migrate } from '../../../src/platform/database/migrate.ts'
import { testRoute } from '../../support/routes.ts'
import { allowEverything } from '../../support/policy.ts'
import { silentLog, testMetrics } from '../../support/silent-log.ts'
import { loadBacklog } from '../fairness/backlog.ts'
import { ordinaryRecipient } from '../steady-load.ts'

export interface ScheduledOptions {
  readonly messages: number
  /** Number of accounts with messages for later. */
  readonly accounts: number
}

export interface ScheduledResult {
  /** Milliseconds per poll with an empty table. */
  readonly emptyPollMs: number
  readonly laterPollMs: number
  /** Steps released before the last one-time code. */
  readonly beforeCodes: number
  /** Seconds from the start of the sweep until the last one-time code is released. */
  readonly codesSeconds: number
  /** Steps of the small account among the first released steps of the bulk lane. */
  readonly smallServed: number
  /** Steps released per second. */
  readonly releasedPerSecond: number
}

export const codeCount = 200
/** Advertisements of a second, small account. */
export const smallAccountSteps = 500

const pollCount = 50
const codesAccount = 900_001
const smallAccount = 900_002
const largeAccount = 900_003
const routeId = 'scheduled'

export async function measureScheduled(
  serverUrl: string,
  { messages, accounts }: ScheduledOptions,
): Promise<ScheduledResult> {
  const name = `postern_scheduled_${process.pid}`
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  await createDatabase(serverUrl, name)
  const database = openDatabase(url.href, silentLog, { connections: 6 })
  try {
    await migrate(database)
    await maintainPartitions(database, 30, new Date())
    const emptyPollMs = await timePoll(database)
    await scheduleLater(database, messages, accounts)
    const laterPollMs = await timePoll(database)
    await load(database, largeAccount, 'bulk', messages)
    await load(database, smallAccount, 'bulk', smallAccountSteps)
    await load(database, codesAccount, 'urgent', codeCount)
    await database.query(
      `update waiting set route_id = '', reason = 'scheduled' where route_id = $1 and account_id >= $2`,
      [routeId, codesAccount],
    )
    return { emptyPollMs, laterPollMs, ...(await measureOrder(database)) }
  } finally {
    await database.end()
    await dropDatabase(serverUrl, name)
  }
}

async function timePoll(database: Database): Promise<number> {
  await findWaitingLanes(database)
  const began = performance.now()
  for (let poll = 0; poll < pollCount; poll++) await findWaitingLanes(database)
  return (performance.now() - began) / pollCount
}

/** Schedules steps 1 to 59 days ahead, without messages, which are not read before they are due. */
async function scheduleLater(database: Database, messages: number, accounts: number): Promise<void> {
  await database.query(
    `insert into waiting (msg_key, step, try, account_id, route_id, lane, parts, release_at, reason)
     select 'later' || n, 1, 1, 1 + n % $2::int, '', (array['urgent', 'normal', 'bulk'])[1 + n % 3], 1,
            now() + interval '1 day' + n % 59 * interval '1 day', 'scheduled'
       from generate_series(1, $1::int) as n`,
    [messages, accounts],
  )
}

function load(database: Database, accountId: number, lane: Lane, count: number): Promise<void> {
  return loadBacklog(database, {
    accountId,
    routeId,
    lane,
    count,
    recipient: (index) => ordinaryRecipient('010', index),
  })
}

async function measureOrder(database: Database) {
  await upsertRoute(database, testRoute(routeId))
  const routes = createRouteTable(database, silentLog)
  const schedulingSettings = createSchedulingSettingsTable(database, silentLog)
  await Promise.all([routes.refresh(), schedulingSettings.refresh()])
  const outbox = createOutbox({
    database,
    routes,
    schedulingSettings,
    metrics: testMetrics(),
    log: silentLog,
    stepTtlSeconds: 600,
    router: createRouter(routes, new RouteStates(database, silentLog)),
    getBlock: () => undefined,
    states: { reserveCapacity: () => false },
    policy: allowEverything,
    topology: createTopology('scheduled.'),
    publisher: {
      canPublish: true,
      accepts: () => true,
      send: () => Promise.reject(new Error('no step is published')),
    } as never,
  })
  const released = async (accountId: number): Promise<number> => {
    const result = await database.query<{ n: number }>(
      'select count(*) as n from waiting where route_id = $1 and account_id = $2',
      [routeId, accountId],
    )
    return result.rows[0]!.n
  }
  const began = performance.now()
  const seconds = (): number => (performance.now() - began) / 1000
  let codesSeconds = Infinity
  let beforeCodes = Infinity
  await outbox.releaseStranded(async () => {
    if (codesSeconds === Infinity && (await released(codesAccount)) === codeCount) {
      codesSeconds = seconds()
      beforeCodes = (await released(largeAccount)) + (await released(smallAccount))
    }
    return (await released(largeAccount)) < 2 * smallAccountSteps
  })
  const counts = await Promise.all([codesAccount, smallAccount, largeAccount].map(released))
  const total = counts.reduce((sum, count) => sum + count, 0)
  return { codesSeconds, beforeCodes, smallServed: counts[1]!, releasedPerSecond: total / seconds() }
}
