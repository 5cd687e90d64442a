/** Statements on the files table; nothing else writes it. */
import type { Queryable } from '../platform/database.ts'
import type { FileMetadata } from './file.ts'

const columns = `key, account_id as "accountId", service_type as "serviceType", kind, format, width, height, bytes,
  expires_at as "expiresAt"`

/** Adds a file whose bytes are not stored yet; it is removed at `removeAt` unless they are stored. */
export async function announceFile(database: Queryable, file: FileMetadata, removeAt: Date): Promise<void> {
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

/** False when the file has been removed. */
export async function markStored(database: Queryable, key: string, removeAt: Date): Promise<boolean> {
  const result = await database.query('update files set stored = true, remove_at = $2 where key = $1', [
    key,
    removeAt,
  ])
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

/** In the order of their removal, starting after the given one. */
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
