/**
 * Ids of the shares of a route. A route with several owners is divided into as many shares. Jobs, waiting
 * steps and states contain the id of a share where a route with one owner has its own id. The first share has
 * the id of the route, so that a change of the number of owners moves only the work of the added or removed
 * shares.
 */

/** Limits the links that one route opens. All shares of a route are in different partitions. */
export const maxOwners = 16

/** A character that route ids must not contain. */
const separator = '#'

/** Returns the id of the `nth` share, from 1: `skt-1`, `skt-1#2`, `skt-1#3`. */
export function toShareId(routeId: string, nth: number): string {
  return nth === 1 ? routeId : `${routeId}${separator}${nth}`
}

/** Returns the route that a share belongs to. */
export function parseShareRoute(shareId: string): string {
  const at = shareId.indexOf(separator)
  return at < 0 ? shareId : shareId.slice(0, at)
}

/** Returns the number of a share within its route, from 1. */
export function parseShareNumber(shareId: string): number {
  const at = shareId.indexOf(separator)
  return at < 0 ? 1 : Number(shareId.slice(at + 1))
}

/** Lists the ids of all shares that a route can have, regardless of its current number of owners. */
export function possibleShareIds(routeId: string): string[] {
  return Array.from({ length: maxOwners }, (_, index) => toShareId(routeId, index + 1))
}
