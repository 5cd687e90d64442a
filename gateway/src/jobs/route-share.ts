/**
 * Ids of the shares of a route. A route with several owners is divided into as many shares; jobs, waiting steps and
 * states name a share where a route with one owner names itself. The first share has the id of the route, so that a
 * change of the number of owners moves only the work of the shares that come or go. Pure.
 */

/** Bounds the links that one route opens. All shares of a route are in different partitions. */
export const maxOwners = 16

/** Not allowed in the id of a route. */
const separator = '#'

/** `nth` begins with 1: `skt-1`, `skt-1#2`, `skt-1#3`. */
export function shareIdOf(routeId: string, nth: number): string {
  return nth === 1 ? routeId : `${routeId}${separator}${nth}`
}

/** The route that a share belongs to. */
export function routeOfShare(shareId: string): string {
  const at = shareId.indexOf(separator)
  return at < 0 ? shareId : shareId.slice(0, at)
}

/** Which share of its route it is, from 1. */
export function nthOfShare(shareId: string): number {
  const at = shareId.indexOf(separator)
  return at < 0 ? 1 : Number(shareId.slice(at + 1))
}

/** Ids of all shares that a route can have, whatever its number of owners is now. */
export function possibleShareIds(routeId: string): string[] {
  return Array.from({ length: maxOwners }, (_, index) => shareIdOf(routeId, index + 1))
}
