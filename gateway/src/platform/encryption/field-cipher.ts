/** Encryption of single values, for the folders that own their tables. */
import { ConfigError } from '../settings/config.ts'
import type { Queryable } from '../database/database.ts'
import { isEncrypted, type AssociatedData } from './ciphertext.ts'

export interface FieldCipher {
  /** Call it in the transaction that writes the result: the data key exists until that has committed. */
  encrypt(transaction: Queryable, text: string, associatedData: AssociatedData): Promise<string>
  /**
   * Returns plaintext unchanged. Throws `DamagedCiphertext` if the value itself is at fault, and a
   * ConfigError if this process lacks the master key.
   */
  decrypt(database: Queryable, stored: string, associatedData: AssociatedData): Promise<string>
}

/** Stores values in plaintext, for an installation without a master key. */
export const plaintextCipher: FieldCipher = {
  encrypt: (_transaction, text) => Promise.resolve(text),
  decrypt: (_database, stored) =>
    isEncrypted(stored) ? Promise.reject(masterKeyMissing()) : Promise.resolve(stored),
}

export function masterKeyMissing(): ConfigError {
  return new ConfigError(
    'POSTERN_MASTER_KEY is required: secrets in the database are encrypted. Set it to the reference (env:NAME or file:/path) that the other processes use; without the key the secrets cannot be recovered.',
  )
}

/** A column with encrypted values. The folder that writes the table implements it, so that all columns can be re-encrypted. */
export interface EncryptedColumn {
  /** The column, for example `webhooks.secret`. */
  readonly name: string
  /**
   * Set if only commands write the table. Plaintext is then encrypted only by commands and by `postern
   * secrets rekey`.
   */
  readonly isCommandOnly?: true
  /** Returns values of rows after the key, in key order, without rows that have no value. */
  page(database: Queryable, after: string, limit: number): Promise<StoredValue[]>
  /**
   * Replaces values that still equal `from`, so that concurrent changes are kept. Returns the number of
   * replaced values.
   */
  replace(transaction: Queryable, changes: readonly ChangedValue[]): Promise<number>
}

export interface StoredValue {
  readonly key: string
  /** Ciphertext or plaintext, as stored. */
  readonly stored: string
  readonly associatedData: AssociatedData
}

export interface ChangedValue {
  readonly key: string
  readonly from: string
  readonly to: string
}
