/** SQL of the routes table; its only writer. */
import type { Queryable } from '../platform/database.ts'
import type { Route } from './route.ts'

export async function upsertRoute(database: Queryable, route: Route): Promise<void> {
  await database.query(
    `insert into routes (id, channels, protocol, options, priority, parts_per_second, enabled)
     values ($1, $2, $3, $4, $5, $6, $7)
     on conflict (id) do update set channels = $2, protocol = $3, options = $4, priority = $5,
       parts_per_second = $6, enabled = $7, updated_at = now()`,
    [
      route.id,
      route.channels,
      route.protocol,
      JSON.stringify(route.options),
      route.priority,
      route.partsPerSecond,
      route.enabled,
    ],
  )
}

export async function loadRoutes(database: Queryable): Promise<Route[]> {
  const result = await database.query<Route>(
    `select id, channels, protocol, options, priority, parts_per_second as "partsPerSecond", enabled
       from routes order by priority, id`,
  )
  return result.rows
}

/** Changes whenever any route does. */
export async function routesVersion(database: Queryable): Promise<string> {
  const result = await database.query<{ version: string }>(
    // Row versions, not a time: a change may commit after one that began later.
    `select count(*) || '/' || coalesce(sum(xmin::text::bigint), 0) as version from routes`,
  )
  return result.rows[0]!.version
}
