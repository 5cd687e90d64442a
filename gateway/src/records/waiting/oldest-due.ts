/** How long messages wait for a route. Called by the admin API. */
import type { Queryable } from '../../platform/database.ts'
import { findWaitingForRoute } from './backlog.ts'

/** Accounts that are looked at, once for each lane: it takes 20 ms with 1,400 of them. */
const maxAccounts = 2_000

/**
 * Seconds that the oldest step has waited for any share of the route that could be submitted now; 0 without one. With more accounts
 * than are looked at, another may have waited for longer.
 */
export async function readOldestDue(database: Queryable, routeId: string): Promise<number> {
  const { found } = await findWaitingForRoute(database, routeId, maxAccounts)
  const seconds = found.reduce((oldest, one) => Math.max(oldest, one.seconds), 0)
  return Math.round(seconds * 10) / 10
}
