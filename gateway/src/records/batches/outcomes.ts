/**
 * Counts the outcomes of the messages of batches. Settle only appends rows, so that it never waits for the row of a batch; a
 * worker aggregates them.
 */
import { columns, queryBulk } from '../../platform/database/bulk.ts'
import type { Queryable } from '../../platform/database/database.ts'

export interface BatchOutcome {
  readonly batchId: number
  readonly reportCode: string
}

const maxRows = 1_000

/** Aggregates the rows of batches that have open messages and many rows. */
export async function foldOutcomes(database: Queryable): Promise<void> {
  const { rows } = await database.query<{ id: number }>(
    `select b.id from batches b
      where b.state in ('running', 'paused', 'cancelled') and exists (select from in_flight where batch_id = b.id)
        and (select count(*) from (select from batch_outcomes where batch_id = b.id limit ${maxRows + 1}) o) > ${maxRows}`,
  )
  for (const { id } of rows) await foldBatchOutcomes(database, id)
}

/** Aggregates the rows of the batch. Concurrent calls aggregate each row once. */
export async function foldBatchOutcomes(database: Queryable, batchId: number): Promise<void> {
  await database.query(
    `with folded as (
       delete from batch_outcomes where batch_id = $1 returning batch_id, report_code, messages)
     insert into batch_outcomes (batch_id, report_code, messages)
     select batch_id, report_code, sum(messages) from folded group by batch_id, report_code`,
    [batchId],
  )
}

/** Must be called in the transaction that closes the messages. */
export async function appendOutcomes(
  transaction: Queryable,
  outcomes: readonly BatchOutcome[],
): Promise<void> {
  await queryBulk(transaction, {
    name: 'append-batch-outcomes',
    text: `insert into batch_outcomes (batch_id, report_code, messages)
           select batch_id, report_code, count(*) from unnest($1::bigint[], $2::text[]) as o (batch_id, report_code)
            group by batch_id, report_code`,
    columns: columns(outcomes, ({ batchId, reportCode }) => [batchId, reportCode]),
  })
}
