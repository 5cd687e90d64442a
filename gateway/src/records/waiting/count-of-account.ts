/** Counts what waits of one account, found through the index of routes and lanes. For the admin API. */
import type { Queryable } from '../../platform/database.ts'
import { places } from './stopped.ts'

/** An account with a backlog of millions must not be counted row by row while an operator looks at it. */
export const maxCountedWaiting = 10_000

export interface WaitingCount {
  /** Why it waits, as in `waiting`. */
  readonly reason: string
  readonly count: number
  readonly oldestAt: Date
}

/** With one reason for several of them; the most first. Pure. */
export function mergeReasons(
  counts: readonly WaitingCount[],
  reasonOf: (reason: string) => string,
): WaitingCount[] {
  const merged = new Map<string, WaitingCount>()
  for (const { reason: stored, count, oldestAt } of counts) {
    const reason = reasonOf(stored)
    const before = merged.get(reason)
    merged.set(reason, {
      reason,
      count: count + (before?.count ?? 0),
      oldestAt: before !== undefined && before.oldestAt < oldestAt ? before.oldestAt : oldestAt,
    })
  }
  return [...merged.values()].sort((one, other) => other.count - one.count)
}

/** By reason; all together count up to `maxCountedWaiting`. */
export async function countWaitingOf(database: Queryable, accountId: number): Promise<WaitingCount[]> {
  const result = await database.query<WaitingCount>({
    name: 'count-waiting-of-account',
    text: `${places}
           select reason, count(*) as count, min(created_at) as "oldestAt" from (
             select w.reason, w.created_at from places p cross join lateral (
               select reason, created_at from waiting w
                where w.route_id = p.route_id and w.lane = p.lane and w.account_id = $1
                limit ${maxCountedWaiting}) w limit ${maxCountedWaiting}) counted
            group by reason order by count(*) desc, reason`,
    values: [accountId],
  })
  return result.rows
}
