/** Takes a seat at every enabled route and follows changes of the route table without a restart. */
import { sameLink, type Route } from '../../routes/route.ts'
import type { RouteTable } from '../../routes/table.ts'
import type { OwnerContext } from './owner.ts'
import { Seat } from './route-candidate.ts'

export interface Dispatch {
  readonly healthy: boolean
  stop(): Promise<void>
}

export function startDispatch(routes: RouteTable, context: OwnerContext): Dispatch {
  const seats = new Map<string, Seat>()
  const leaving = new Set<Promise<void>>()
  let stopped = false

  function leave(seat: Seat): Promise<void> {
    const left = seat.close().finally(() => leaving.delete(left))
    leaving.add(left)
    return left
  }

  function follow(table: readonly Route[]): void {
    if (stopped) return
    const wanted = new Map(table.filter((route) => route.enabled).map((route) => [route.id, route]))
    for (const [id, seat] of seats) {
      const route = wanted.get(id)
      if (route !== undefined && sameLink(route, seat.route)) {
        seat.update(route)
        continue
      }
      seats.delete(id)
      const left = leave(seat)
      if (route === undefined) continue
      // A changed route is taken again once its old link is closed: carriers count binds.
      void left.then(() => follow(routes.value))
      wanted.delete(id)
    }
    for (const route of wanted.values()) {
      if (!seats.has(route.id)) seats.set(route.id, new Seat(route, context))
    }
  }

  routes.onChange(follow)
  return {
    get healthy() {
      return [...seats.values()].every((seat) => seat.healthy)
    },
    async stop() {
      stopped = true
      await Promise.all([...leaving, ...[...seats.values()].map(leave)])
    },
  }
}
