/**
 * Encrypts plaintext values when a process starts with a master key, and re-encrypts everything for `postern
 * secrets rekey`. Each page is a separate transaction, and values that other processes change in the meantime
 * are kept, so both can be interrupted, repeated and run concurrently.
 */
import { DamagedCiphertext, findKeyId, fromText, isEncrypted } from '../../platform/encryption/ciphertext.ts'
import { listKeys, removeOldKeys, secretsPurpose } from '../../platform/encryption/data-keys.ts'
import type { EncryptedColumn, StoredValue } from '../../platform/encryption/field-cipher.ts'
import type { Encryption } from '../../platform/encryption/encryption.ts'
import { inTransaction, type Database, type Queryable } from '../../platform/database/database.ts'
import { totpSecrets } from '../../identity/operators/login-queries.ts'
import { routeOptions } from '../../carriers/routes/encrypted-options.ts'
import { proofHistory, senderProofs } from '../../trust/senders/proofs.ts'
import { webhookUrls } from '../../edge/webhooks/encrypted-url.ts'
import { webhookSecrets } from '../../edge/webhooks/encrypted-secrets.ts'

/**
 * Columns with secrets; existing plaintext values of a column added here are encrypted at the next start, unless it is
 * `isCommandOnly`.
 */
const encryptedColumns: readonly EncryptedColumn[] = [
  routeOptions,
  senderProofs,
  proofHistory,
  totpSecrets,
  ...webhookSecrets,
  webhookUrls,
]

const pageSize = 200
/** Values can be written with an old key during re-encryption; every pass finds fewer. */
const maxPasses = 10

/** Encrypts plaintext values in tables that processes write. Returns the number of encrypted values. */
export async function encryptPlaintext(database: Database, encryption: Encryption): Promise<number> {
  let changed = 0
  for (const column of encryptedColumns.filter(({ isCommandOnly }) => isCommandOnly !== true))
    changed += await reencryptColumn(database, encryption, column, ({ stored }) => !isEncrypted(stored))
  return changed
}

/** Thrown if a process keeps writing with an old key. */
export class OldKeyInUse extends Error {
  override readonly name = 'OldKeyInUse'
}

export interface RekeyResult {
  /** Whether a new data key was added; false if an earlier run added it. */
  readonly added: boolean
  readonly reencrypted: number
}

/** Re-encrypts all secrets with a data key of the current master key, then deletes older data keys. */
export async function rekey(
  database: Database,
  encryption: Encryption,
  progress: (column: string, reencrypted: number) => void,
): Promise<RekeyResult> {
  await encryption.wrapFirstKeys(database)
  await encryption.prepare(database)
  const added = await encryption.addDataKey(database)
  await encryption.rewrapKeys(database)
  const newest = (await listKeys(database)).findLast(({ purpose }) => purpose === secretsPurpose)!.id
  let reencrypted = 0
  for (let pass = 1; pass <= maxPasses; pass++) {
    for (const column of encryptedColumns)
      reencrypted += await reencryptColumn(
        database,
        encryption,
        column,
        (value) => keyOf(value) !== newest,
        (changed) => progress(column.name, changed),
      )
    if (await removeOldKeys(database, isOldKeyUsed)) return { added, reencrypted }
  }
  throw new OldKeyInUse(
    `secrets were written with an old data key in each of ${maxPasses} passes; a process lacks the new master key. Restart every process with POSTERN_MASTER_KEY and POSTERN_PREVIOUS_MASTER_KEY, then run the command again`,
  )
}

/** Reports whether a value is not encrypted with the key `newest`. */
async function isOldKeyUsed(transaction: Queryable, newest: number): Promise<boolean> {
  for (const column of encryptedColumns)
    for await (const values of pages(transaction, column))
      if (values.some((value) => keyOf(value) !== newest)) return true
  return false
}

async function reencryptColumn(
  database: Database,
  encryption: Encryption,
  column: EncryptedColumn,
  isOutdated: (value: StoredValue) => boolean,
  progress: (changed: number) => void = () => undefined,
): Promise<number> {
  let changed = 0
  for await (const values of pages(database, column)) {
    const outdated = values.filter(isOutdated)
    if (outdated.length === 0) continue
    changed += await inTransaction(database, async (transaction) => {
      const changes = []
      for (const { key, stored, associatedData } of outdated) {
        const text = await encryption.decrypt(transaction, stored, associatedData).catch((error: unknown) => {
          throw error instanceof DamagedCiphertext ? damaged(column, key) : error
        })
        changes.push({ key, from: stored, to: await encryption.encrypt(transaction, text, associatedData) })
      }
      return column.replace(transaction, changes)
    })
    progress(changed)
  }
  return changed
}

function damaged(column: EncryptedColumn, key: string): DamagedCiphertext {
  return new DamagedCiphertext(
    `${column.name} of ${key} cannot be decrypted: it was changed, or copied from another row. Save the route again, rotate the secret of the webhook or set its URL, send the proof of the sender again (for a previous one, set proof_reference of that row of sender_changes to null) or reset the second factor of the operator, then run the command again`,
  )
}

async function* pages(database: Queryable, column: EncryptedColumn): AsyncGenerator<StoredValue[]> {
  for (let after = ''; ;) {
    const values = await column.page(database, after, pageSize)
    if (values.length > 0) yield values
    if (values.length < pageSize) return
    after = values.at(-1)!.key
  }
}

/** Returns undefined if the value is stored in plaintext. */
export function keyOf({ stored }: Pick<StoredValue, 'stored'>): number | undefined {
  return isEncrypted(stored) ? findKeyId(fromText(stored)) : undefined
}

export interface ColumnState {
  readonly column: string
  readonly inClear: number
  /** Number of values with the newest data key, and with older ones. */
  readonly encrypted: number
  readonly outdated: number
}

/** Requires no master key. */
export async function readColumnStates(database: Database): Promise<ColumnState[]> {
  const newest = (await listKeys(database)).findLast(({ purpose }) => purpose === secretsPurpose)?.id
  const states: ColumnState[] = []
  for (const column of encryptedColumns) {
    const counts = { inClear: 0, encrypted: 0, outdated: 0 }
    for await (const values of pages(database, column))
      for (const value of values) {
        const key = keyOf(value)
        counts[key === undefined ? 'inClear' : key === newest ? 'encrypted' : 'outdated']++
      }
    states.push({ column: column.name, ...counts })
  }
  return states
}
