/**
 * Which routes share a login at their carrier. A carrier sends the receipts of one login to any of its sessions, so a
 * receipt may belong to an attempt of every route with the same login, and to no attempt of another carrier. Pure; used
 * by settle, and by the owner of a route for the receipts it receives.
 */
import { createHash } from 'node:crypto'
import { loginOf } from '../connectors/registry.ts'
import type { Route } from './route.ts'

export interface Logins {
  /** Every route that exists. */
  readonly routeIds: readonly string[]
  /**
   * The routes that have the login of this one, itself included. When it is deleted, those whose login has the digest
   * `login`, which its receipts carry.
   */
  sharing(routeId: string, login?: string): readonly string[]
}

/** A login may refer to a file, which can be missing at one moment and change at another. */
const maxAgeMs = 10_000

const known = new WeakMap<readonly Route[], { readonly logins: Logins; readonly atMs: number }>()

/** Identifies the login of a route without naming it; undefined when its options have none. */
export function digestLogin({ protocol, options }: Pick<Route, 'protocol' | 'options'>): string | undefined {
  const login = loginOf(protocol, options)
  return login === null ? undefined : createHash('sha256').update(login).digest('base64url').slice(0, 22)
}

/** Computed for each version of the route table, and again when that is some seconds old. */
export function loginsOf(routes: readonly Route[], nowMs = performance.now()): Logins {
  const before = known.get(routes)
  if (before !== undefined && nowMs - before.atMs < maxAgeMs) return before.logins
  const byRoute = new Map<string, readonly string[]>()
  const byLogin = new Map<string, readonly string[]>()
  for (const [login, group] of Map.groupBy(routes, digestLogin)) {
    const ids = group.map(({ id }) => id)
    for (const id of ids) byRoute.set(id, login === undefined ? [id] : ids)
    if (login !== undefined) byLogin.set(login, ids)
  }
  const logins: Logins = {
    routeIds: routes.map(({ id }) => id),
    sharing: (routeId, login) =>
      byRoute.get(routeId) ?? [routeId, ...(login === undefined ? [] : (byLogin.get(login) ?? []))],
  }
  known.set(routes, { logins, atMs: nowMs })
  return logins
}
