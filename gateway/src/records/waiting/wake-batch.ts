import type { Queryable } from '../../platform/database/database.ts'
import { lanesSql } from './find-waiting.ts'

const pageSize = 5_000

/** Conditions on a row `w` of `waiting`, by what happened to its batch. */
const conditions = {
  resumed: `w.rule = 'batch-paused' and w.release_at > now()`,
  // Steps that wait for a route are placed again as well, because the route may send nothing until they end.
  cancelled: `(w.route_id > '' or w.release_at > now())`,
} as const

/**
 * Lets waiting steps of a batch be placed again now: those that were held while it was paused, or all of a
 * cancelled one, which then end. Skips rows that another transaction has locked. Commits page by page.
 */
export async function wakeBatchSteps(
  database: Queryable,
  batchId: number,
  change: keyof typeof conditions,
): Promise<void> {
  for (;;) {
    const { rowCount } = await database.query({
      name: `wake-batch-${change}`,
      text: `update waiting set route_id = '', route_reason = null, release_at = now(), resume_at = null
              where msg_key = any (array(
                with recursive ${lanesSql('all')}
                select w.msg_key
                  from lanes l
                  join waiting w on w.route_id = l.route_id and w.lane = l.lane
                   and w.account_id = (select account_id from batches where id = $1) and ${conditions[change]}
                  -- Not by equality, for which the index of batches could be used instead of the key.
                  join in_flight f on f.msg_key = any (array[w.msg_key]) and f.batch_id is not distinct from $1
                 where l.lane = 'bulk' limit ${pageSize} for update of w skip locked))`,
      values: [batchId],
    })
    if ((rowCount ?? 0) < pageSize) return
  }
}
