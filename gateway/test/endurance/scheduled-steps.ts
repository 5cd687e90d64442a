/**
 * What scheduled messages cost, with the outbox of one process on a real database: looking for due steps while all of them
 * are for later, and the order in which due steps leave when one account's advertisements and another's one-time codes are
 * due at the same minute. Routes have no capacity, so that every released step becomes part of its route's backlog.
 */
import { createSchedulingSettingsTable } from '../../src/accounts/scheduling-settings.ts'
import type { Lane } from '../../src/channels/lane.ts'
import { createTopology } from '../../src/jobs/queues.ts'
import { createOutbox } from '../../src/pipeline/scheduling/outbox.ts'
import { openDatabase, type Database } from '../../src/platform/database.ts'
import { maintainPartitions } from '../../src/records/partitions.ts'
import { findWaitingLanes } from '../../src/records/waiting/find-waiting.ts'
import { upsertRoute } from '../../src/routes/queries.ts'
import { createRouter } from '../../src/routes/router.ts'
import { RouteStates } from '../../src/routes/states.ts'
import { createRouteTable } from '../../src/routes/table.ts'
import { createDatabase, dropDatabase } from '../support/processes/scratch-database.ts'
import { migrate } from '../../src/platform/migrate.ts'
import { testRoute } from '../support/routes.ts'
import { allowEverything } from '../support/policy.ts'
import { quietLog, testMetrics } from '../support/silent-log.ts'
import { loadBacklog } from './backlog.ts'
import { ordinaryRecipient } from './steady-load.ts'

export interface ScheduledOptions {
  readonly messages: number
  /** Accounts over which the messages for later are spread. */
  readonly accounts: number
}

export interface ScheduledResult {
  /** Milliseconds of one look with an empty table, and with all messages scheduled for later. */
  readonly emptyLookMs: number
  readonly laterLookMs: number
  /** Steps released before the last one-time code. */
  readonly beforeCodes: number
  /** Seconds from the start of the sweep until the last one-time code is released. */
  readonly codesSeconds: number
  /** Of the steps of the bulk lane that were released first, those of the account with few. */
  readonly smallServed: number
  /** Steps released a second. */
  readonly releasedPerSecond: number
}

export const codes = 200
/** Advertisements of a second account, beside those of the first. */
export const few = 500

const looks = 50
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
  const database = openDatabase(url.href, quietLog, { connections: 6 })
  try {
    await migrate(database)
    await maintainPartitions(database, 30, new Date())
    const emptyLookMs = await timeLook(database)
    await scheduleLater(database, messages, accounts)
    const laterLookMs = await timeLook(database)
    await load(database, largeAccount, 'bulk', messages)
    await load(database, smallAccount, 'bulk', few)
    await load(database, codesAccount, 'urgent', codes)
    await database.query(
      `update waiting set route_id = '', reason = 'scheduled' where route_id = $1 and account_id >= $2`,
      [routeId, codesAccount],
    )
    return { emptyLookMs, laterLookMs, ...(await measureOrder(database)) }
  } finally {
    await database.end()
    await dropDatabase(serverUrl, name)
  }
}

async function timeLook(database: Database): Promise<number> {
  await findWaitingLanes(database)
  const began = performance.now()
  for (let look = 0; look < looks; look++) await findWaitingLanes(database)
  return (performance.now() - began) / looks
}

/** Steps of one to sixty days ahead; their messages are not read before they are due. */
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
    ...{ accountId, routeId, lane, count },
    recipient: (index) => ordinaryRecipient('010', index),
  })
}

async function measureOrder(database: Database) {
  await upsertRoute(database, testRoute(routeId))
  const routes = createRouteTable(database, quietLog)
  const schedulingSettings = createSchedulingSettingsTable(database, quietLog)
  await Promise.all([routes.refresh(), schedulingSettings.refresh()])
  const outbox = createOutbox({
    ...{ database, routes, schedulingSettings, metrics: testMetrics(), log: quietLog, stepTtlSeconds: 600 },
    router: createRouter(routes, new RouteStates(database, quietLog)),
    stopOf: () => undefined,
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
    if (codesSeconds === Infinity && (await released(codesAccount)) === codes) {
      codesSeconds = seconds()
      beforeCodes = (await released(largeAccount)) + (await released(smallAccount))
    }
    return (await released(largeAccount)) < 2 * few
  })
  const counts = await Promise.all([codesAccount, smallAccount, largeAccount].map(released))
  const total = counts.reduce((sum, count) => sum + count, 0)
  return { codesSeconds, beforeCodes, smallServed: counts[1]!, releasedPerSecond: total / seconds() }
}
