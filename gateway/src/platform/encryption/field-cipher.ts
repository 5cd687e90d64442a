/**
 * Encrypts and decrypts single values of rows, for the folders that own their tables. `encryption.ts` implements it with
 * the keys of the installation; `inClear` stores values as they are, for an installation without a master key.
 */
import { ConfigError } from '../config.ts'
import type { Queryable } from '../database.ts'
import { isEncrypted, type Place } from './ciphertext.ts'

export interface FieldCipher {
  /** Call it in the transaction that writes the result: the key exists until that has committed. */
  encrypt(transaction: Queryable, text: string, place: Place): Promise<string>
  /**
   * A text that is stored in clear stays as it is. Throws `DamagedCiphertext` when the value itself is at fault, and a
   * ConfigError when this process lacks the master key.
   */
  decrypt(database: Queryable, stored: string, place: Place): Promise<string>
}

export const inClear: FieldCipher = {
  encrypt: (_transaction, text) => Promise.resolve(text),
  decrypt: (_database, stored) =>
    isEncrypted(stored) ? Promise.reject(masterKeyMissing()) : Promise.resolve(stored),
}

export function masterKeyMissing(): ConfigError {
  return new ConfigError(
    'POSTERN_MASTER_KEY is missing, but secrets in the database are encrypted. Set it to the reference (env:NAME or file:/path) that the other processes have; without the key itself the secrets cannot be recovered.',
  )
}
