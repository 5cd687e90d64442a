/** A column whose values are encrypted. The folder that writes the table implements it, so that all can be re-encrypted. */
import type { Queryable } from '../database.ts'
import type { Place } from './ciphertext.ts'

export interface StoredValue {
  /** The row, in the order of `page`. */
  readonly key: string
  /** As it is stored, encrypted or in clear. */
  readonly stored: string
  readonly place: Place
}

export interface ChangedValue {
  readonly key: string
  readonly from: string
  readonly to: string
}

export interface EncryptedColumn {
  /** `webhooks.secret` */
  readonly name: string
  /** Only commands write the table: values in clear are encrypted when a command writes them and by `postern secrets rekey`. */
  readonly isOfCommands?: true
  /** Values of rows after the key, in the order of their keys; rows without a value are left out. */
  page(database: Queryable, after: string, limit: number): Promise<StoredValue[]>
  /** Replaces values that are still as they were read, so that a change by another process is kept. Returns how many. */
  replace(transaction: Queryable, changes: readonly ChangedValue[]): Promise<number>
}
