import type { Database } from '../../platform/database/database.ts'
import { clock } from '../../platform/time/clock.ts'

const unstartedMs = 24 * 3_600_000

/**
 * Deletes batches that were not changed for a day and never started, and those that ended before a time. A cancelled batch
 * stays while one of its messages is open.
 */
export async function removeOldBatches(database: Database, endedBefore: Date): Promise<void> {
  await database.query(
    `with removed as (
       delete from batches b
        where (state in ('open', 'ready') and changed_at < $2)
           or (state in ('cancelled', 'ended') and ended_at < $1
               and not exists (select from in_flight where batch_id = b.id))
       returning id)
     delete from batch_outcomes where batch_id in (select id from removed)`,
    [endedBefore, clock.cutoff(unstartedMs)],
  )
}
