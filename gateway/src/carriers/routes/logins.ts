/**
 * Determines which routes share a login at their carrier. A carrier sends the receipts of one login to any of its sessions,
 * so a receipt can belong to an attempt of every route with the same login, and to no attempt of another carrier.
 */
import { createHash } from 'node:crypto'
import { findLogin } from '../connectors/registry.ts'
import type { Route } from './route.ts'

export interface Logins {
  /** Every route that exists. */
  readonly routeIds: readonly string[]
  /**
   * Returns the routes with the login of this route, including itself. For a deleted route, returns those with the digest
   * `login`, which its receipts contain.
   */
  sharing(routeId: string, login?: string): readonly string[]
  /** Returns how long a submission over one of these routes can wait for its response. */
  maxResponseMs(routeIds: readonly string[]): number
}

/** The longest default of the connectors, that of SMPP. */
const defaultResponseMs = 60_000

/** Limits the cache, because a login can refer to a file, which can be missing temporarily or change. */
const maxAgeMs = 10_000

const cache = new WeakMap<readonly Route[], { readonly logins: Logins; readonly atMs: number }>()

/** Returns a digest of the login of a route, or undefined if this process cannot determine it. */
export function digestLogin({ protocol, options }: Pick<Route, 'protocol' | 'options'>): string | undefined {
  const login = findLogin(protocol, options)
  return login === null ? undefined : createHash('sha256').update(login).digest('base64url').slice(0, 22)
}

/** Cached for each version of the route table, for at most `maxAgeMs`. */
export function getRouteLogins(routes: readonly Route[], nowMs = performance.now()): Logins {
  const cached = cache.get(routes)
  if (cached !== undefined && nowMs - cached.atMs < maxAgeMs) return cached.logins
  const byRoute = new Map<string, readonly string[]>()
  const byLogin = new Map<string, readonly string[]>()
  for (const [login, group] of Map.groupBy(routes, digestLogin)) {
    const ids = group.map(({ id }) => id)
    for (const id of ids) byRoute.set(id, login === undefined ? [id] : ids)
    if (login !== undefined) byLogin.set(login, ids)
  }
  const responseMs = new Map(
    routes.map(({ id, options }) => [id, Number(options['responseTimeoutMs'] ?? defaultResponseMs)]),
  )
  const logins: Logins = {
    routeIds: routes.map(({ id }) => id),
    sharing: (routeId, login) =>
      byRoute.get(routeId) ?? [routeId, ...(login === undefined ? [] : (byLogin.get(login) ?? []))],
    maxResponseMs: (routeIds) => Math.max(...routeIds.map((id) => responseMs.get(id) ?? defaultResponseMs)),
  }
  cache.set(routes, { logins, atMs: nowMs })
  return logins
}
