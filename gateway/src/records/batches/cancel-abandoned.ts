import { inTransaction, type Database } from '../../platform/database/database.ts'
import { cancelBatch, waitingLinesSql } from './transitions.ts'

const abandonedDays = 7

/**
 * Cancels batches that cannot continue because they are paused or their account is blocked, once `end_by` has passed or
 * nothing was changed for a week. Otherwise they would never end, and would keep their recipients.
 */
export async function cancelAbandonedBatches(database: Database, now: Date): Promise<void> {
  await inTransaction(database, async (transaction) => {
    const { rows } = await transaction.query<{ id: number }>(
      `select b.id from batches b join accounts a on a.id = b.account_id
        where (b.state = 'paused' or (b.state = 'running' and a.blocked and ${waitingLinesSql} > 0))
          and (b.end_by <= $1
               or greatest(b.changed_at, case when a.blocked then a.updated_at end)
                  < $1::timestamptz - ${abandonedDays} * interval '1 day')
          for update of b skip locked`,
      [now],
    )
    for (const { id } of rows) await cancelBatch(transaction, id)
  })
}
