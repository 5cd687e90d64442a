/** Links to carriers: which take messages, how much each delivers and what waits for it. Called by `read.ts`. */
import { routeOfShare } from '../../jobs/route-share.ts'
import type { Database } from '../../platform/database.ts'
import { loadRouteRules } from '../../routes/queries.ts'
import { readHealth } from '../../routes/read-health.ts'
import { sharesOf } from '../../routes/shares.ts'
import type { Lane, Links } from './figures.ts'

const maxListed = 50
const maxLanes = 12

export interface LinksAndLanes {
  readonly links: Links
  readonly lanes: Lane[]
  /** Of all routes. */
  readonly results: Results
}

/** `waiting`: steps by route. */
export async function readLinks(
  database: Database,
  waiting: Readonly<Record<string, number>>,
): Promise<LinksAndLanes> {
  const routes = await loadRouteRules(database)
  const enabled = routes.filter((route) => route.enabled)
  const health = await readHealth(database, enabled)
  const results = await readResults(database)
  const shares = enabled
    .flatMap(sharesOf)
    .map(({ id }) => ({ id, route: routeOfShare(id), health: health(id) }))
  const unhealthy = shares.filter((share) => !share.health.usable)
  const byRoute = Map.groupBy(shares, ({ route }) => route)
  const lanes = enabled.map(({ id }): Lane => {
    const own = byRoute.get(id) ?? []
    const usable = own.some((share) => share.health.usable)
    return {
      ...{ route: id, usable, state: usable ? 'healthy' : whatIsWrong(own[0]?.health.reason) },
      waiting: waiting[id] ?? 0,
      ...{ delivered: results.get(id)?.delivered ?? 0, failed: results.get(id)?.failed ?? 0 },
    }
  })
  return {
    links: {
      routes: enabled.length,
      shares: shares.length,
      healthy: shares.length - unhealthy.length,
      unhealthy: unhealthy
        .slice(0, maxListed)
        .map(({ id, route, health: { reason } }) => ({ route, share: id, state: whatIsWrong(reason) })),
      closed: enabled.filter(({ traffic }) => traffic !== 'open').length,
      disabled: routes.length - enabled.length,
    },
    results: { delivered: sumOf(results, 'delivered'), failed: sumOf(results, 'failed') },
    lanes: lanes.sort((one, other) => weightOf(other) - weightOf(one)).slice(0, maxLanes),
  }
}

const whatIsWrong = (reason: string | undefined): string => reason ?? 'takes no messages'

/** What does not flow comes before what does, then the most work. */
function weightOf({ usable, waiting, delivered, failed }: Lane): number {
  return (usable ? 0 : 1e9) + waiting + (delivered + failed) * 60
}

interface Results {
  readonly delivered: number
  readonly failed: number
}

function sumOf(results: ReadonlyMap<string, Results>, name: keyof Results): number {
  return Math.round([...results.values()].reduce((sum, one) => sum + one[name], 0) * 10) / 10
}

/** Of the last full minute and the present one: a full minute alone would show a stop only when it is over. */
async function readResults(database: Database): Promise<ReadonlyMap<string, Results>> {
  const { rows } = await database.query<Results & { route: string }>(
    `select route_id as route, round(sum(delivered) / s.seconds, 1)::float8 as delivered,
            round(sum(failed) / s.seconds, 1)::float8 as failed
       from route_results, (select 60 + extract(second from now()) as seconds) s
      where minute >= date_trunc('minute', now()) - interval '1 minute'
      group by route_id, s.seconds`,
  )
  return new Map(rows.map(({ route, ...results }) => [routeOfShare(route), results]))
}
