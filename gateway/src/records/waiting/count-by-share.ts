/** Counts what waits for each share of a route, for the list of routes of operators. */
import type { Queryable } from '../../platform/database.ts'

/** Steps by share, of the first `max` that are found: a longer backlog is not counted to its end. */
export async function countWaitingByShare(
  database: Queryable,
  max: number,
): Promise<ReadonlyMap<string, number>> {
  const result = await database.query<{ share: string; steps: number }>(
    `select route_id as share, count(*) as steps
       from (select route_id from waiting limit $1) w where route_id <> '' group by route_id`,
    [max],
  )
  return new Map(result.rows.map(({ share, steps }) => [share, steps]))
}
