/** Reads the published states of all routes for commands and APIs; the hot path uses the copy in `RouteStates`. */
import { clock } from '../../platform/time/clock.ts'
import type { Queryable } from '../../platform/database/database.ts'
import type { Health } from './choose.ts'
import { computeRouteHealth, notLinked } from './health.ts'
import type { Route } from './route.ts'
import { listShares } from './shares.ts'
import { loadRouteStates } from './states.ts'

export interface ReadHealth extends Health {
  /** Link failure reported by the carrier or the network; null if the route is linked or the reason is unknown. */
  readonly linkReason: string | null
}

export async function readHealth(
  database: Queryable,
  routes: readonly Route[],
): Promise<(shareId: string) => ReadHealth> {
  const states = new Map((await loadRouteStates(database)).map((state) => [state.routeId, state]))
  const rules = new Map(routes.flatMap(listShares).map((share) => [share.id, share]))
  // Fix the time, so that later calls return the same.
  const now = clock.now()
  return (id) => {
    const state = states.get(id)
    const health = computeRouteHealth(state, rules.get(id)!, now)
    return { ...health, linkReason: health.reason === notLinked ? (state?.linkReason ?? null) : null }
  }
}
