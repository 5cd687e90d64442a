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
