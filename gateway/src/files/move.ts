/**
 * Copies what is known of an account's files to another cell, so that its keys stay usable in sends. The bytes stay in the
 * cell that the key names, which serves them until they expire. Called by `postern account move`.
 */
import type { Queryable } from '../platform/database.ts'

export interface StoredFile {
  readonly key: string
  /** All columns, as JSON. */
  readonly row: string
}

/** In the order of their keys, which is that of their upload. */
export async function readStoredFiles(
  database: Queryable,
  accountId: number,
  afterKey: string,
  limit: number,
): Promise<StoredFile[]> {
  const result = await database.query<StoredFile>(
    `select key, to_json(f)::text as row from files f
      where account_id = $1 and stored and key > $2 order by key limit $3`,
    [accountId, afterKey, limit],
  )
  return result.rows
}

export async function importFiles(
  transaction: Queryable,
  accountId: number,
  files: readonly StoredFile[],
): Promise<void> {
  await transaction.query(
    `insert into files
     select (json_populate_record(json_populate_record(null::files, row::json),
                                  json_build_object('account_id', $2::integer))).*
       from unnest($1::text[]) as row
     on conflict (key) do update set account_id = excluded.account_id`,
    [files.map(({ row }) => row), accountId],
  )
}
