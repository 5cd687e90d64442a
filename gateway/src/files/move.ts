/**
 * Copies what is known of an account's files to another cell, so that its keys stay usable in sends. The bytes stay in the
 * cell that the key names, which serves them until they expire. Called by `postern account move`.
 */
import type { Queryable } from '../platform/database.ts'
import { cellOfFileKey } from './file.ts'
import { selectMovedRows, type KeyRange, type KeyVersion, type MovedRows } from '../accounts/moved-rows.ts'

/** Rows of an account that the new cell does not serve yet. A stored file never changes, but it may be deleted. */
export function movedFiles(toCell: string): MovedRows<number> {
  return {
    batch: 1_000,
    list: (database, accountId, range) => listFiles(database, accountId, range, null),
    read: readFiles,
    write: importFiles,
    async remove(transaction, accountId, keys) {
      // What the new cell stores itself may be a late upload that the old one never knew: `listDeleted` names the others.
      const others = keys.filter((key) => cellOfFileKey(key, toCell) !== toCell)
      await withdraw(transaction, accountId, others)
    },
  }
}

/**
 * Rows of an account that the new cell serves: uploads that a process of the old cell finished later. What the account has
 * besides in the new cell stays, and what it deleted there is not copied again.
 */
export function lateFiles(fromCell: string): MovedRows<number> {
  return {
    batch: 1_000,
    list: (database, accountId, range) => listFiles(database, accountId, range, fromCell),
    read: readFiles,
    write: importFiles,
  }
}

/** Files that `cell` stores and that the account has deleted in the cell of this database, in the order of their keys. */
export async function listDeleted(
  database: Queryable,
  accountId: number,
  { cell, after, limit }: { readonly cell: string; readonly after: string; readonly limit: number },
): Promise<string[]> {
  const result = await database.query<{ key: string }>(
    `select key from files where account_id = $1 and not stored and ${ofCell('$2')} and key > $3 order by key limit $4`,
    [accountId, cell, after, limit],
  )
  return result.rows.map(({ key }) => key)
}

/** The files are found no more, and the removal of their cell deletes the bytes. Returns how many were there. */
export async function withdraw(
  database: Queryable,
  accountId: number,
  keys: readonly string[],
): Promise<number> {
  const result = await database.query(
    'update files set stored = false, remove_at = now() where account_id = $1 and key = any($2::text[]) and stored',
    [accountId, keys],
  )
  return result.rowCount ?? 0
}

/** SQL: whether the key names the cell. */
function ofCell(cell: string): string {
  return `substr(key, 18, 3) = 'C' || ${cell}`
}

async function listFiles(
  database: Queryable,
  accountId: number,
  { after, upTo, limit }: KeyRange,
  cell: string | null,
): Promise<KeyVersion[]> {
  const result = await database.query<KeyVersion>(
    `select key, '' as version from files where account_id = $1 and stored and key > $2
        and ($3::text is null or key <= $3) and ($5::text is null or ${ofCell('$5')}) order by key limit $4`,
    [accountId, after, upTo, limit, cell],
  )
  return result.rows
}

async function readFiles(
  database: Queryable,
  _accountId: number,
  keys: readonly string[],
): Promise<string[]> {
  const result = await database.query<{ row: string }>(
    'select to_json(f)::text as row from files f where key = any($1) and stored',
    [keys],
  )
  return result.rows.map(({ row }) => row)
}

async function importFiles(
  transaction: Queryable,
  accountId: number,
  rows: readonly string[],
): Promise<void> {
  await transaction.query(
    `insert into files
     ${selectMovedRows('files')}
     on conflict (key) do update set account_id = excluded.account_id`,
    [rows, accountId],
  )
}
