/** Closes connections of a pool that are too old, so that a changed address is found. Used by the HTTP client. */
import type { Agent } from 'node:http'

/** Asked when a connection has no further request: one that is refused is closed. */
export function limitAge(agent: Agent, maxAgeMs: number): void {
  const firstKept = new WeakMap<object, number>()
  const keep = agent.keepSocketAlive.bind(agent) as (socket: object) => unknown
  agent.keepSocketAlive = (socket: object): unknown => {
    const now = performance.now()
    const since = firstKept.get(socket)
    if (since === undefined) firstKept.set(socket, now)
    return now - (since ?? now) < maxAgeMs && keep(socket)
  }
}
