/** Reads the published states of all routes, for the CLI and the API; the hot path uses the copy in `RouteStates`. */
import { clock } from '../platform/clock.ts'
import type { Queryable } from '../platform/database.ts'
import type { RouteHealth } from './choose.ts'
import { healthOf } from './judge-health.ts'
import type { Route } from './route.ts'
import { sharesOf } from './shares.ts'
import { loadRouteStates } from './states.ts'

export async function readHealth(database: Queryable, routes: readonly Route[]): Promise<RouteHealth> {
  const states = new Map((await loadRouteStates(database)).map((state) => [state.routeId, state]))
  const rules = new Map(routes.flatMap(sharesOf).map((share) => [share.id, share]))
  // As of the reading: a later call returns the same.
  const now = clock.now()
  return (id) => healthOf(states.get(id), rules.get(id)!, now)
}
