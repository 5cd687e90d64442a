/** Counts what waits for each share of a route, for the list of routes of operators. */
import type { Queryable } from '../../platform/database.ts'
import { places } from './stopped.ts'

/**
 * Steps by share. Each route and lane is counted up to `max`, by itself: neither what has no route yet, such as messages that are
 * scheduled for later, nor a long backlog of one route takes anything from the count of another.
 */
export async function countWaitingByShare(
  database: Queryable,
  max: number,
): Promise<ReadonlyMap<string, number>> {
  const result = await database.query<{ share: string; steps: number }>(
    `${places}
     select p.route_id as share, sum(w.steps)::bigint as steps from places p cross join lateral (
       select count(*) as steps from (
         select from waiting w where w.route_id = p.route_id and w.lane = p.lane limit $1) counted) w
      where p.route_id > '' group by p.route_id`,
    [max],
  )
  return new Map(result.rows.map(({ share, steps }) => [share, steps]))
}
