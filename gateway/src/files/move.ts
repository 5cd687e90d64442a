/**
 * Copies what is known of an account's files to another cell, so that its keys stay usable in sends. The bytes stay in the
 * cell that the key names, which serves them until they expire. Called by `postern account move`.
 */
import type { Queryable } from '../platform/database.ts'
import { selectMovedRows, type KeyRange, type KeyVersion } from '../accounts/moved-rows.ts'

/** Rows of an account for the move; those that the new cell has besides stay. A stored file never changes. */
export const movedFiles = {
  batch: 1_000,
  async list(
    database: Queryable,
    accountId: number,
    { after, upTo, limit }: KeyRange,
  ): Promise<KeyVersion[]> {
    const result = await database.query<KeyVersion>(
      `select key, '' as version from files where account_id = $1 and stored and key > $2
          and ($3::text is null or key <= $3) order by key limit $4`,
      [accountId, after, upTo, limit],
    )
    return result.rows
  },
  async read(database: Queryable, _accountId: number, keys: readonly string[]): Promise<string[]> {
    const result = await database.query<{ row: string }>(
      'select to_json(f)::text as row from files f where key = any($1) and stored',
      [keys],
    )
    return result.rows.map(({ row }) => row)
  },
  write: importFiles,
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
