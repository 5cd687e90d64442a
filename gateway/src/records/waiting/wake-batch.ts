import type { Queryable } from '../../platform/database/database.ts'
import { neverSql } from './waiting-step.ts'

const pageSize = 5_000

/** Conditions on a row `w` of `waiting`, by what happened to its batch. */
const conditions = {
  resumed: `w.rule = 'batch-paused' and w.release_at > now()`,
  // Steps that wait for a route are placed again as well, because the route may send nothing until they end. Suspended ones are
  // not: a process that has not read the cancellation would submit them.
  cancelled: `(w.route_id > '' or w.release_at > now()) and w.release_at < ${neverSql}`,
} as const

/**
 * Lets waiting steps of a batch be placed again now: those that were held while it was paused, or all of a
 * cancelled one, which then end, except suspended steps. Skips rows that another transaction has locked. Commits
 * page by page.
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
                select w.msg_key from waiting w where w.batch_id = $1 and ${conditions[change]}
                 limit ${pageSize} for update skip locked))`,
      values: [batchId],
    })
    if ((rowCount ?? 0) < pageSize) return
  }
}
