/**
 * Runs the dispatch stage of a worker: competes for the ownership of every enabled route and applies changes of the route
 * table without a restart. Moves steps away from routes that are disabled or deleted. Called by the worker role.
 */
import { sameLink, type Route } from '../../routes/route.ts'
import type { RouteTable } from '../../routes/table.ts'
import { startEvacuation, type EvacuationOptions } from './evacuation.ts'
import type { OwnerContext } from './owner.ts'
import { RouteCandidate } from './route-candidate.ts'
import { RouteLoops } from './route-loops.ts'

export interface Dispatch {
  readonly healthy: boolean
  stop(): Promise<void>
}

export function startDispatch(
  routes: RouteTable,
  owner: OwnerContext,
  options: EvacuationOptions = {},
): Dispatch {
  const loops = new RouteLoops(owner)
  const context = { ...owner, loops }
  const candidates = new Map<string, RouteCandidate>()
  const closing = new Set<Promise<void>>()
  let stopped = false

  function close(candidate: RouteCandidate): Promise<void> {
    const closed = candidate.close().finally(() => closing.delete(closed))
    closing.add(closed)
    return closed
  }

  function applyRoutes(table: readonly Route[]): void {
    if (stopped) return
    const missing = new Map(table.filter((route) => route.enabled).map((route) => [route.id, route]))
    for (const [id, candidate] of candidates) {
      const route = missing.get(id)
      if (route !== undefined && sameLink(route, candidate.route)) {
        candidate.update(route)
        continue
      }
      candidates.delete(id)
      const closed = close(candidate)
      if (route === undefined) continue
      // A changed route starts again after its old link is closed: carriers count binds.
      void closed.then(() => applyRoutes(routes.value))
      missing.delete(id)
    }
    for (const route of missing.values()) {
      if (!candidates.has(route.id)) candidates.set(route.id, new RouteCandidate(route, context))
    }
  }

  routes.onChange(applyRoutes)
  const evacuation = startEvacuation(routes, context, options)
  return {
    get healthy() {
      return [...candidates.values()].every((candidate) => candidate.healthy)
    },
    async stop() {
      stopped = true
      await Promise.all([...closing, ...[...candidates.values()].map(close), evacuation.stop()])
      await loops.stop()
    },
  }
}
