/**
 * Keeps the owners of a route within its rate while the number of owners changes: workers read the change at different
 * times, and one that divides the rate by the new number must not submit beside one that still uses the old number. The
 * owner of a share publishes by how many owners it divides and reads what the others publish, in this order, and submits
 * when all that are alive have the same number. Called by `RouteLoops`.
 */
import { possibleShareIds } from '../../jobs/route-share.ts'
import type { Queryable } from '../../platform/database.ts'
import type { RouteShare } from '../../routes/shares.ts'
import { findLiveShares, type LiveShare } from '../../routes/states-table.ts'

/** Longer than a worker that cannot be heard keeps its routes. */
const liveMs = 8_000

/** Returns those of the shares of the member `owner` that may submit now. */
export async function findAgreed(
  database: Queryable,
  shares: readonly RouteShare[],
  owner: string,
): Promise<ReadonlySet<RouteShare>> {
  const ids = shares.flatMap(({ routeId }) => possibleShareIds(routeId))
  const live = await findLiveShares(database, ids, liveMs)
  const byId = new Map(live.map((state) => [state.shareId, state]))
  return new Set(shares.filter((share) => isAgreed(share, byId, owner)))
}

export function isAgreed(
  { id, routeId, owners }: Pick<RouteShare, 'id' | 'routeId' | 'owners'>,
  live: ReadonlyMap<string, LiveShare>,
  owner: string,
): boolean {
  const own = live.get(id)
  if (own?.owner !== owner) return false
  return possibleShareIds(routeId).every((shareId) => (live.get(shareId)?.owners ?? owners) === owners)
}
