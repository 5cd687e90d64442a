/**
 * Which routes share a login at their carrier. A carrier sends the receipts of one login to any of its sessions, so a
 * receipt may belong to an attempt of every route with the same login, and to no attempt of another carrier. Pure; used
 * by settle.
 */
import { loginOf } from '../connectors/registry.ts'
import type { Route } from './route.ts'

export interface Logins {
  /** Every route that exists. */
  readonly routeIds: readonly string[]
  /** The routes that have the login of this one, itself included. */
  sharing(routeId: string): readonly string[]
}

const known = new WeakMap<readonly Route[], Logins>()

/** Computed once for each version of the route table. */
export function loginsOf(routes: readonly Route[]): Logins {
  const before = known.get(routes)
  if (before !== undefined) return before
  const byLogin = Map.groupBy(
    routes,
    ({ id, protocol, options }) => loginOf(protocol, options) ?? `route ${id}`,
  )
  const byRoute = new Map<string, readonly string[]>()
  for (const group of byLogin.values()) {
    const ids = group.map(({ id }) => id)
    for (const id of ids) byRoute.set(id, ids)
  }
  const logins: Logins = {
    routeIds: routes.map(({ id }) => id),
    sharing: (routeId) => byRoute.get(routeId) ?? [routeId],
  }
  known.set(routes, logins)
  return logins
}
