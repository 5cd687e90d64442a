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
