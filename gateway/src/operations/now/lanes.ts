/** Selects the routes for the diagram of the first screen, with their delivery rates. */
import { parseShareRoute } from '../../jobs/route-share.ts'
import type { Database } from '../../platform/database/database.ts'
import type { LaneFigures, RouteFigures } from './figures.ts'

const maxLanes = 12

export interface Results {
  readonly delivered: number
  readonly failed: number
}

const noResults: Results = { delivered: 0, failed: 0 }

export function toLanes(
  routes: readonly RouteFigures[],
  results: ReadonlyMap<string, Results>,
): { readonly lanes: LaneFigures[]; readonly results: Results } {
  const lanes = routes.map(({ id, usable, state, waiting: inDatabase, queued, slow }): LaneFigures => {
    const { delivered, failed } = results.get(id) ?? noResults
    // Parts in the memory of a route that keeps up are in transit and do not count as waiting.
    const waiting = slow === null ? inDatabase : inDatabase + Math.round(queued)
    return { route: id, usable, state: usable ? 'healthy' : state, waiting, delivered, failed, slow }
  })
  return {
    lanes: lanes.sort((left, right) => rank(right) - rank(left)).slice(0, maxLanes),
    results: { delivered: sumRates(results, 'delivered'), failed: sumRates(results, 'failed') },
  }
}

/** Ranks unusable routes first, then slow ones, then those with the most work: waiting steps and results per minute. */
function rank({ usable, slow, waiting, delivered, failed }: LaneFigures): number {
  return (usable ? 0 : 1e9) + (slow === null ? 0 : 1e8) + waiting + (delivered + failed) * 60
}

function sumRates(results: ReadonlyMap<string, Results>, name: keyof Results): number {
  return Math.round([...results.values()].reduce((sum, rates) => sum + rates[name], 0) * 10) / 10
}

/**
 * Reads rates per route over the last full minute and the current one; a full minute would show a stop only
 * when it is over.
 */
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
    const earlierShares = results.get(parseShareRoute(share)) ?? noResults
    results.set(parseShareRoute(share), {
      delivered: earlierShares.delivered + delivered,
      failed: earlierShares.failed + failed,
    })
  }
  return results
}
