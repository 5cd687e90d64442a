/** Counts the outcomes of the messages of batches. Rows are only appended, so that settle never waits for the row of a batch. */
import { columns, queryBulk } from '../../platform/database/bulk.ts'
import type { Queryable } from '../../platform/database/database.ts'

export interface BatchOutcome {
  readonly batchId: number
  readonly reportCode: string
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
