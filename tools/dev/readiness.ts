// Checks whether the gateway of `npm run dev` can carry a first message: its readiness and the link of a
// route.

export async function canSend(opsBase: string, routeId: string): Promise<boolean> {
  const get = (path: string): Promise<Response> =>
    fetch(`${opsBase}${path}`, { signal: AbortSignal.timeout(2_000) })
  try {
    if (!(await get('/readyz')).ok) return false
    return isLinked(await (await get('/metrics')).text(), routeId)
  } catch {
    // The gateway does not listen yet.
    return false
  }
}

/** Reports whether metrics in the Prometheus text format show the route as linked. */
export function isLinked(metrics: string, routeId: string): boolean {
  return metrics
    .split('\n')
    .some(
      (line) =>
        line.startsWith('postern_route_linked{') &&
        line.includes(`route="${routeId}"`) &&
        line.endsWith(' 1'),
    )
}
