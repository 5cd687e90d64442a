/** How many receipts a route is still owed, for operators who are about to close it. */
import { timeDigits } from '../../contract/msg-key.ts'
import type { Queryable } from '../../platform/database.ts'

/** Open messages that are looked at, the newest first: no index serves a route. */
const maxLooked = 20_000

export interface OwedReceipts {
  readonly count: number
  /** There are more open messages than were looked at. */
  readonly more: boolean
}

/** Submissions of open messages that the carrier has, or may have, and has not reported on. */
export async function countOwedReceipts(
  database: Queryable,
  routeId: string,
  now: Date,
): Promise<OwedReceipts> {
  const result = await database.query<{ count: number; looked: number }>(
    `with open as materialized (
       select msg_key, step, try, state from in_flight where msg_key < $2 order by msg_key desc limit $3)
     select (select count(*) from open o join attempts a on a.msg_key = any (array[o.msg_key]) and a.step = o.step and a.try = o.try
              where o.state = 'submitting' and a.route_id = $1 and a.outcome <> 'refused' and a.result is null) as count,
            (select count(*) from open) as looked`,
    // A key begins with its time: messages that are scheduled for later were not submitted.
    [routeId, timeDigits(new Date(now.getTime() + 60_000)), maxLooked + 1],
  )
  const { count, looked } = result.rows[0]!
  return { count, more: looked > maxLooked }
}
