/**
 * Divides a route into shares, one per owner. Each share runs like a separate route: it has a partition, an owner, a link and
 * a rate. The rates add up to the rate of the route. A message goes to one share by its key, so that every account uses all
 * shares. The only share of a route with one owner is the route itself.
 */
import { parseShareNumber, toShareId } from '../../jobs/route-share.ts'
import type { Route } from './route.ts'

/** `id` is the id of the share, `partsPerSecond` its part of the rate; everything else is the route's. */
export interface RouteShare extends Route {
  readonly routeId: string
}

export function listShares(route: Route): RouteShare[] {
  const { id, owners, partsPerSecond } = route
  return Array.from({ length: owners }, (_, index) => ({
    ...route,
    id: toShareId(id, index + 1),
    routeId: id,
    partsPerSecond: partsPerSecond / owners,
  }))
}

/** Returns the ids of the current shares of the routes. */
export function listShareIds(routes: readonly Pick<Route, 'id' | 'owners'>[]): string[] {
  return routes.flatMap(({ id, owners }) =>
    Array.from({ length: owners }, (_, index) => toShareId(id, index + 1)),
  )
}

/** Returns the ids of the other shares of its route. */
export function listSiblingIds({ id, routeId, owners }: RouteShare): string[] {
  return listShareIds([{ id: routeId, owners }]).filter((other) => other !== id)
}

/** Returns the burst of each owner after a pause in milliseconds, if the route can exceed its rate by `burstMs` and one part. */
export function burstOfShare({ owners, partsPerSecond }: RouteShare, burstMs: number): number {
  if (owners === 1 || partsPerSecond === 0) return burstMs
  // Each owner can begin with one part: all but one of these are subtracted from the burst.
  return Math.max(0, burstMs - ((owners - 1) * 1000) / (partsPerSecond * owners))
}

/** Returns the route and, if it has several shares, the number of the share. */
export function metricLabels({ id, routeId, owners }: RouteShare): { route: string; share?: string } {
  return owners === 1 ? { route: routeId } : { route: routeId, share: String(parseShareNumber(id)) }
}
