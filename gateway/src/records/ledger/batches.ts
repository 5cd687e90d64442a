/** Compares the counts of each batch with its lines and messages. */
import type { Queryable } from '../../platform/database/database.ts'

export interface BatchGap {
  readonly batchKey: string
  readonly accountId: number
  /** Uploaded lines, and those that the counts of the batch add up to. */
  readonly lines: number
  readonly countedLines: number
  /** Messages of the batch, the open ones, and those with an outcome. */
  readonly messages: number
  readonly open: number
  readonly closed: number
}

/**
 * Finds batches whose counts disagree: lines = waiting + duplicate + refused + cancelled + messages, and messages = open +
 * closed. A batch that is cancelled or ended has no waiting lines. One statement reads one snapshot.
 */
export async function findBatchGaps(database: Queryable): Promise<BatchGap[]> {
  const { rows } = await database.query<BatchGap>(
    `select * from (
       select b.batch_key as "batchKey", b.account_id as "accountId",
              (select coalesce(sum(p.lines), 0) from batch_parts p where p.batch_id = b.id) as lines,
              case when b.state in ('cancelled', 'ended') then b.duplicates + b.refused + b.cancelled + b.messages
                   else greatest(b.lines, b.duplicates + b.refused + b.cancelled + b.messages) end as "countedLines",
              b.messages,
              (select count(*) from in_flight f where f.batch_id = b.id) as open,
              (select coalesce(sum(o.messages), 0) from batch_outcomes o where o.batch_id = b.id) as closed
         from batches b) counts
      where lines <> "countedLines" or messages <> open + closed
      order by "batchKey"`,
  )
  return rows
}
