/** Reads the published states of all routes, for the CLI and the API; the hot path uses the copy in `RouteStates`. */
import { clock } from '../platform/clock.ts'
import type { Queryable } from '../platform/database.ts'
import type { Health } from './choose.ts'
import { healthOf, notLinked } from './judge-health.ts'
import type { Route } from './route.ts'
import { sharesOf } from './shares.ts'
import { loadRouteStates } from './states.ts'

export interface ReadHealth extends Health {
  /** Why it is not linked, as the carrier or the network says it; null while it is, or nothing is known. */
  readonly linkReason: string | null
}

export async function readHealth(
  database: Queryable,
  routes: readonly Route[],
): Promise<(shareId: string) => ReadHealth> {
  const states = new Map((await loadRouteStates(database)).map((state) => [state.routeId, state]))
  const rules = new Map(routes.flatMap(sharesOf).map((share) => [share.id, share]))
  // As of the reading: a later call returns the same.
  const now = clock.now()
  return (id) => {
    const state = states.get(id)
    const health = healthOf(state, rules.get(id)!, now)
    return { ...health, linkReason: health.reason === notLinked ? (state?.linkReason ?? null) : null }
  }
}
