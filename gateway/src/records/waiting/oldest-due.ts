/** How long messages wait for a route. Called by the admin API. */
import { possibleShareIds } from '../../jobs/route-share.ts'
import type { Queryable } from '../../platform/database.ts'

/** Seconds that the oldest step has waited for any share of the route that could be submitted now; 0 without one. */
export async function readOldestDue(database: Queryable, routeId: string): Promise<number> {
  const result = await database.query<{ seconds: number }>(
    `select coalesce(extract(epoch from now() - min(release_at)), 0)::float8 as seconds
       from waiting where route_id = any($1) and release_at <= now()`,
    [possibleShareIds(routeId)],
  )
  return Math.round(result.rows[0]!.seconds * 10) / 10
}
