/** Reads what the owners of the routes last told of them, for people who ask; the hot path keeps its own copy. */
import type { Queryable } from '../platform/database.ts'
import { healthOf, type HealthSigns } from './health.ts'
import type { RouteHealth } from './choose.ts'
import type { Route } from './route.ts'

export async function readHealth(database: Queryable, routes: readonly Route[]): Promise<RouteHealth> {
  const result = await database.query<HealthSigns & { id: string; now: Date }>(
    `select route_id as id, linked, breaker, throttled_share as "throttledShare", delivery_rate as "deliveryRate",
            seen_at as "seenAt", now() as now
       from route_states`,
  )
  const signs = new Map(result.rows.map((row) => [row.id, row]))
  const rules = new Map(routes.map((route) => [route.id, route]))
  // By the database's clock, like `seen_at`: that of the asking machine may be off.
  const now = result.rows[0]?.now.getTime() ?? 0
  return (id) => healthOf(signs.get(id), rules.get(id)!, now)
}
