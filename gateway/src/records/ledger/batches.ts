/** Compares the counts of each batch with its lines and messages. */
import type { Queryable } from '../../platform/database/database.ts'

export interface BatchGap {
  readonly batchId: string
  readonly accountId: number
  /** Uploaded lines, and those with a result. */
  readonly lines: number
  readonly countedLines: number
  /** Messages of the batch, the open ones, and those with an outcome. */
  readonly messages: number
  readonly open: number
  readonly closed: number
}

/**
 * Finds batches whose counts disagree: a batch has at most one result per line, exactly one once it is cancelled or has
 * ended, and each of its messages is open or closed. One statement reads one snapshot.
 */
export async function findBatchGaps(database: Queryable): Promise<BatchGap[]> {
  const { rows } = await database.query<BatchGap>(
    `select "batchId", "accountId", lines, "countedLines", messages, open, closed from (
       select b.batch_key as "batchId", b.account_id as "accountId", b.lines, b.state,
              b.duplicates + b.refused + b.cancelled + b.messages as "countedLines", b.messages,
              (select count(*) from in_flight f where f.batch_id = b.id) as open,
              (select coalesce(sum(o.messages), 0) from batch_outcomes o where o.batch_id = b.id) as closed
         from batches b) counts
      where "countedLines" > lines or (state in ('cancelled', 'ended') and "countedLines" < lines) or messages <> open + closed
      order by "batchId"`,
  )
  return rows
}
