/**
 * Bulk statements: one statement for a whole batch, whose rows travel as one array per column and are read
 * with `unnest($1::text[], $2::int[], …)`.
 *
 * A batch of keys is joined by `= any (array[k.msg_key])`, not by plain equality. The tables on the hot path
 * are empty in one minute and hold a million rows in the next, so their statistics are often old. With plain
 * equality, a plan made while the table was empty reads the whole table in key order and searches the batch
 * for every row. An array comparison can only be answered by probing the index once per key.
 */
import type { QueryResultRow } from 'pg'
import type { Queryable } from './database.ts'

export interface BulkStatement {
  /** Makes it a prepared statement. */
  readonly name?: string
  readonly text: string
  /** The arrays $1, $2, …, from `columns`. */
  readonly columns: readonly (readonly unknown[])[]
  /** The parameters after the arrays. */
  readonly values?: readonly unknown[]
}

/** Returns the rows of the statement. An empty batch is not sent, because it has no effect. */
export async function queryBulk<Result extends QueryResultRow>(
  database: Queryable,
  { name, text, columns, values = [] }: BulkStatement,
): Promise<Result[]> {
  if (columns.length === 0) return []
  const result = await database.query<Result>({
    ...(name === undefined ? {} : { name }),
    text,
    values: [...columns, ...values],
  })
  return result.rows
}

/**
 * Turns a batch into one array per column: `columns(rows, (row) => [row.msgKey, row.step])`. Undefined is written as
 * null. Returns no array if there are no rows.
 */
export function columns<Row>(
  rows: readonly Row[],
  toValues: (row: Row, index: number) => readonly unknown[],
): unknown[][] {
  const values = rows.map(toValues)
  return (values[0] ?? []).map((_, column) => values.map((row) => row[column]))
}
