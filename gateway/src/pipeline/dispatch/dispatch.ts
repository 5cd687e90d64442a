/** Takes a candidate at every enabled route and follows changes of the route table without a restart. */
import { sameLink, type Route } from '../../routes/route.ts'
import type { RouteTable } from '../../routes/table.ts'
import type { OwnerContext } from './owner.ts'
import { RouteCandidate } from './route-candidate.ts'

export interface Dispatch {
  readonly healthy: boolean
  stop(): Promise<void>
}

export function startDispatch(routes: RouteTable, context: OwnerContext): Dispatch {
  const candidates = new Map<string, RouteCandidate>()
  const leaving = new Set<Promise<void>>()
  let stopped = false

  function leave(candidate: RouteCandidate): Promise<void> {
    const left = candidate.close().finally(() => leaving.delete(left))
    leaving.add(left)
    return left
  }

  function follow(table: readonly Route[]): void {
    if (stopped) return
    const wanted = new Map(table.filter((route) => route.enabled).map((route) => [route.id, route]))
    for (const [id, candidate] of candidates) {
      const route = wanted.get(id)
      if (route !== undefined && sameLink(route, candidate.route)) {
        candidate.update(route)
        continue
      }
      candidates.delete(id)
      const left = leave(candidate)
      if (route === undefined) continue
      // A changed route is taken again once its old link is closed: carriers count binds.
      void left.then(() => follow(routes.value))
      wanted.delete(id)
    }
    for (const route of wanted.values()) {
      if (!candidates.has(route.id)) candidates.set(route.id, new RouteCandidate(route, context))
    }
  }

  routes.onChange(follow)
  return {
    get healthy() {
      return [...candidates.values()].every((candidate) => candidate.healthy)
    },
    async stop() {
      stopped = true
      await Promise.all([...leaving, ...[...candidates.values()].map(leave)])
    },
  }
}
