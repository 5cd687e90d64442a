/** The routes that the picture of the first screen shows, with what each delivers. Called by `read.ts`. */
import { routeOfShare } from '../../jobs/route-share.ts'
import type { Database } from '../../platform/database.ts'
import type { Lane, RouteFigures } from './figures.ts'

const maxLanes = 12

export interface Results {
  readonly delivered: number
  readonly failed: number
}

const noResults: Results = { delivered: 0, failed: 0 }

export function toLanes(
  routes: readonly RouteFigures[],
  results: ReadonlyMap<string, Results>,
): { readonly lanes: Lane[]; readonly results: Results } {
  const lanes = routes.map(({ id, usable, state, waiting: inDatabase, queued, slow }): Lane => {
    const { delivered, failed } = results.get(id) ?? noResults
    // What a route that keeps up has in memory is on its way.
    const waiting = slow === null ? inDatabase : inDatabase + Math.round(queued)
    return { route: id, usable, state: usable ? 'healthy' : state, waiting, delivered, failed, slow }
  })
  return {
    lanes: lanes.sort((one, other) => weightOf(other) - weightOf(one)).slice(0, maxLanes),
    results: { delivered: sumOf(results, 'delivered'), failed: sumOf(results, 'failed') },
  }
}

/** What does not flow comes before what does, what is slow before what keeps up, then the most work. */
function weightOf({ usable, slow, waiting, delivered, failed }: Lane): number {
  return (usable ? 0 : 1e9) + (slow === null ? 0 : 1e8) + waiting + (delivered + failed) * 60
}

function sumOf(results: ReadonlyMap<string, Results>, name: keyof Results): number {
  return Math.round([...results.values()].reduce((sum, one) => sum + one[name], 0) * 10) / 10
}

/** By route, of the last full minute and the present one: a full minute alone would show a stop only when it is over. */
export async function readRecentResults(database: Database): Promise<ReadonlyMap<string, Results>> {
  const { rows } = await database.query<Results & { share: string }>(
    `select route_id as share, round(sum(delivered) / s.seconds, 1)::float8 as delivered,
            round(sum(failed) / s.seconds, 1)::float8 as failed
       from route_results, (select 60 + extract(second from now()) as seconds) s
      where minute >= date_trunc('minute', now()) - interval '1 minute'
      group by route_id, s.seconds`,
  )
  const results = new Map<string, Results>()
  for (const { share, delivered, failed } of rows) {
    const before = results.get(routeOfShare(share)) ?? noResults
    results.set(routeOfShare(share), {
      delivered: before.delivered + delivered,
      failed: before.failed + failed,
    })
  }
  return results
}
