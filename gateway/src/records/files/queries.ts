/** Statements on the files table; nothing else writes it. */
import { inTransaction, type Database, type Queryable } from '../../platform/database/database.ts'
import type { FileMetadata } from './file.ts'

const columns = `key, account_id as "accountId", service_type as "serviceType", kind, format, width, height, bytes,
  expires_at as "expiresAt"`

/** Inserts a file whose bytes are not stored yet; it is removed at `removeAt` unless they are stored. */
export async function insertPendingFile(
  database: Queryable,
  file: FileMetadata,
  removeAt: Date,
): Promise<void> {
  await database.query(
    `insert into files (key, account_id, service_type, kind, format, width, height, bytes, expires_at, remove_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [
      file.key,
      file.accountId,
      file.serviceType,
      file.kind,
      file.format,
      file.width,
      file.height,
      file.bytes,
      file.expiresAt,
      removeAt,
    ],
  )
}

/** Limits of an account; 0 means no limit. */
export interface FileQuota {
  readonly files: number
  readonly bytes: number
}

const lockClass = 0x66696c65
/** The transaction takes milliseconds, so a longer holder hangs. */
const lockMs = 2_000

/**
 * Inserts the file unless the account would exceed its quota; concurrent uploads of an account are counted
 * one by one. Rejects with 55P03 if another process holds the lock for too long. The count reads an index
 * entry for each file of the account.
 */
export async function insertPendingFileWithinQuota(
  database: Database,
  file: FileMetadata,
  removeAt: Date,
  quota: FileQuota,
): Promise<boolean> {
  if (quota.files === 0 && quota.bytes === 0) {
    await insertPendingFile(database, file, removeAt)
    return true
  }
  return inTransaction(database, async (transaction) => {
    await transaction.query(`set local lock_timeout = ${lockMs}`)
    // Use separate statements: the count must see rows that were committed while this one waited for the
    // lock.
    await transaction.query('select pg_advisory_xact_lock($1, $2)', [lockClass, file.accountId])
    const { rows } = await transaction.query<FileQuota>(
      'select count(*) as files, coalesce(sum(bytes), 0)::bigint as bytes from files where account_id = $1',
      [file.accountId],
    )
    const { files, bytes } = rows[0]!
    const isExceeded =
      (quota.files > 0 && files >= quota.files) || (quota.bytes > 0 && bytes + file.bytes > quota.bytes)
    if (!isExceeded) await insertPendingFile(transaction, file, removeAt)
    return !isExceeded
  })
}

export interface WithdrawnFiles {
  /** `null` withdraws all files, including those whose upload has not finished. */
  readonly key: string | null
  readonly limit: number
}

/** Hides the files from sends and returns their keys; the removal of expired files deletes their bytes and rows. */
export async function withdrawFiles(
  database: Queryable,
  accountId: number,
  { key, limit }: WithdrawnFiles,
): Promise<string[]> {
  const result = await database.query<{ key: string }>(
    `update files set stored = false, remove_at = now()
      where key in (select key from files
                     where account_id = $1 and ($2::text is null or (key = $2 and stored))
                     order by key limit $3)
      returning key`,
    [accountId, key, limit],
  )
  return result.rows.map((row) => row.key)
}

/** Returns false if the file has been removed or withdrawn in the meantime. */
export async function markStored(database: Queryable, key: string, removeAt: Date): Promise<boolean> {
  const result = await database.query(
    'update files set stored = true, remove_at = $2 where key = $1 and remove_at > now()',
    [key, removeAt],
  )
  return result.rowCount === 1
}

export async function findFile(database: Queryable, key: string): Promise<FileMetadata | null> {
  const result = await database.query<FileMetadata>({
    name: 'find-file',
    text: `select ${columns} from files where key = $1 and stored`,
    values: [key],
  })
  return result.rows[0] ?? null
}

export interface RemovableFile {
  readonly key: string
  readonly removeAt: Date
}

/** Lists files in the order of their removal, starting after the given one. */
export async function listRemovable(
  database: Queryable,
  now: Date,
  after: RemovableFile | null,
  limit: number,
): Promise<RemovableFile[]> {
  const result = await database.query<RemovableFile>(
    `select key, remove_at as "removeAt" from files
      where remove_at <= $1 and (remove_at, key) > ($2, $3)
      order by remove_at, key limit $4`,
    [now, after?.removeAt ?? '-infinity', after?.key ?? '', limit],
  )
  return result.rows
}

export async function deleteFiles(database: Queryable, keys: readonly string[]): Promise<void> {
  await database.query('delete from files where key = any($1::text[])', [keys])
}
