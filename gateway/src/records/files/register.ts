/**
 * Stores a received image and registers it. The row is written first and becomes valid when the bytes are
 * stored, so a crash between the two leaves a row that the removal finds, never bytes without a row.
 */
import { Problem } from '../../contract/problem.ts'
import type { Database } from '../../platform/database/database.ts'
import { createFileKey, type FileMetadata } from './file.ts'
import type { KeyMac } from './key-mac.ts'
import type { FileLookup } from './lookup.ts'
import { insertPendingFileWithinQuota, markStored, type FileQuota } from './queries.ts'
import type { ReceivedImage } from './receive.ts'
import { computeRemovalTime, unstoredLifetimeMs } from './storage/removal.ts'
import type { ImageRule } from './rules.ts'
import type { Spool } from './storage/spool.ts'
import type { FileStore } from './storage/store.ts'

export interface FileRegistry {
  readonly database: Database
  readonly store: FileStore
  readonly lookup: FileLookup
  /** The cell of this process; defaults to '00'. */
  readonly cell?: string
  /** Completes new keys with a MAC; if absent, all their letters are random. */
  readonly keyMac?: Pick<KeyMac, 'of'>
  /** No limit if absent. */
  readonly quota?: FileQuota
  /** Counts the quota, which waits for other uploads of the account; defaults to `database`. */
  readonly quotaDatabase?: Database
  /** Lifetime of images with a public URL, if it is shorter than that of the service's rule. */
  readonly imageLifetimeMs?: number
}

export async function registerFile(
  registry: FileRegistry,
  accountId: number,
  rule: ImageRule,
  image: ReceivedImage,
  spool: Spool,
  now: Date,
): Promise<FileMetadata> {
  const file: FileMetadata = {
    key: createFileKey(now, registry.cell, registry.keyMac),
    accountId,
    serviceType: rule.serviceType,
    kind: rule.kind,
    format: image.format,
    width: image.width,
    height: image.height,
    bytes: image.bytes,
    expiresAt: new Date(now.getTime() + computeLifetime(rule, registry)),
  }
  const { quota = { files: 0, bytes: 0 } } = registry
  if (!(await insertRow(registry, file, new Date(now.getTime() + unstoredLifetimeMs), quota)))
    throw new Problem(
      'A213',
      `Wrong request: an account can have at most ${describeQuota(quota)}; delete files or wait until some expire`,
    )
  await store(registry.store, file.key, spool)
  if (!(await markStored(registry.database, file.key, computeRemovalTime(file)))) {
    // The row is gone or was withdrawn (`account delete-files`), so nothing else would find the bytes.
    await registry.store.remove(file.key)
    throw new Problem('A214', 'Upload failed: the file was deleted while it was stored; retry')
  }
  registry.lookup.remember(file)
  return file
}

/**
 * Inserts the row. While another process holds the lock of the account, its uploads are refused instead of
 * using up the connections.
 */
async function insertRow(
  { database, quotaDatabase = database }: FileRegistry,
  file: FileMetadata,
  removeAt: Date,
  quota: FileQuota,
): Promise<boolean> {
  try {
    return await insertPendingFileWithinQuota(quotaDatabase, file, removeAt, quota)
  } catch (error) {
    if (!isBusy(error)) throw error
    const problem = new Problem('A920', 'Service busy: too many concurrent uploads; retry', 2)
    problem.cause = error
    throw problem
  }
}

/** Reports whether a lock or a connection was not available in time. */
function isBusy(error: unknown): boolean {
  const { code, message } = error as { code?: unknown; message?: unknown }
  return (
    code === '55P03' || code === '57014' || /^timeout exceeded when trying to connect/.test(String(message))
  )
}

function computeLifetime(
  { reference, lifetimeMs }: ImageRule,
  { imageLifetimeMs = lifetimeMs }: FileRegistry,
): number {
  return reference === 'imgUrl' ? Math.min(lifetimeMs, imageLifetimeMs) : lifetimeMs
}

function describeQuota({ files, bytes }: FileQuota): string {
  const limits = [files > 0 ? `${files} files` : '', bytes > 0 ? `${bytes} bytes of files` : '']
  return limits.filter((limit) => limit !== '').join(' and ')
}

/** Stores the bytes; the server logs the cause of a failure. */
async function store(to: FileStore, key: string, spool: Spool): Promise<void> {
  try {
    await to.put(key, spool.read())
  } catch (error) {
    const problem = new Problem('A214', 'Upload failed: the file could not be stored; retry')
    problem.cause = error
    throw problem
  }
}
