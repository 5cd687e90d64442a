/**
 * Rows that move with an account and that may be many. `postern account move` copies them while the old cell serves the
 * account, and again what has changed since during the pause.
 */
import type { Queryable } from '../platform/database.ts'

export interface KeyRange {
  readonly after: string
  /** null: no end. */
  readonly upTo: string | null
  /** null: all. */
  readonly limit: number | null
}

export interface KeyVersion {
  readonly key: string
  /** Changes with the row, and is the same in both cells. */
  readonly version: string
}

export interface MovedRows<Owner> {
  /** Rows read and written by one statement. */
  readonly batch: number
  /** In the order of their keys. */
  list(database: Queryable, owner: Owner, range: KeyRange): Promise<KeyVersion[]>
  /** All columns, as JSON. */
  read(database: Queryable, owner: Owner, keys: readonly string[]): Promise<string[]>
  write(transaction: Queryable, owner: Owner, rows: readonly string[]): Promise<void>
  /** Absent: rows that only the new cell has stay. */
  remove?(transaction: Queryable, owner: Owner, keys: readonly string[]): Promise<void>
}

/**
 * SQL that gives rows of the table, for its insert: $1 has them as JSON, $2 is the account's id in this cell. `columns`
 * replaces further columns, written as arguments of `json_build_object`.
 */
export function selectMovedRows(table: string, columns = ''): string {
  return `select r.* from unnest($1::text[]) as row,
            json_populate_record(json_populate_record(null::${table}, row::json),
                                 json_build_object('account_id', $2::integer${columns})) as r`
}
