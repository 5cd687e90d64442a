/**
 * Divides a route into shares, one per owner. Each share is run like a route of its own: it has a partition, an owner, a
 * link and a rate. The rates add up to the rate of the route, and a message goes to one share by its key, so that every
 * account is spread over all of them. A route with one owner is its own only share. Pure.
 */
import { nthOfShare, shareIdOf } from '../jobs/route-share.ts'
import type { Route } from './route.ts'

/** `id` names the share, `partsPerSecond` is its part of the rate; everything else is the route's. */
export interface RouteShare extends Route {
  readonly routeId: string
}

export function sharesOf(route: Route): RouteShare[] {
  const { id, owners, partsPerSecond } = route
  return Array.from({ length: owners }, (_, index) => ({
    ...route,
    id: shareIdOf(id, index + 1),
    routeId: id,
    partsPerSecond: partsPerSecond / owners,
  }))
}

/** Ids of the shares that the routes have now. */
export function shareIdsOf(routes: readonly Pick<Route, 'id' | 'owners'>[]): string[] {
  return routes.flatMap(({ id, owners }) =>
    Array.from({ length: owners }, (_, index) => shareIdOf(id, index + 1)),
  )
}

/** Ids of the other shares of its route. */
export function siblingsOf({ id, routeId, owners }: RouteShare): string[] {
  return shareIdsOf([{ id: routeId, owners }]).filter((other) => other !== id)
}

/** How far each owner may exceed its rate after a pause, when a route may by `burstMs` and one part. */
export function burstOfShare({ owners, partsPerSecond }: RouteShare, burstMs: number): number {
  if (owners === 1 || partsPerSecond === 0) return burstMs
  // Each owner can begin with one part: all but one of these come off the burst.
  return Math.max(0, burstMs - ((owners - 1) * 1000) / (partsPerSecond * owners))
}

/** What an operator reads: the route, and which share of it where there are several. */
export function metricLabels({ id, routeId, owners }: RouteShare): { route: string; share?: string } {
  return owners === 1 ? { route: routeId } : { route: routeId, share: String(nthOfShare(id)) }
}
