/**
 * Removes files that have expired, were withdrawn or whose bytes were never stored: the bytes first, then the
 * row, so that after a crash in between the removal is repeated. Several processes can run it concurrently.
 */
import type { Database } from '../../../platform/database/database.ts'
import type { FileMetadata } from '../file.ts'
import { deleteFiles, listRemovable, type RemovableFile } from '../queries.ts'
import type { FileStore } from './store.ts'

/** Milliseconds that a row can wait for its bytes; a request times out long before. */
export const unstoredLifetimeMs = 3_600_000
/**
 * A message accepted just before the file expires can be submitted until the deadline of its step, at most 7
 * days later, and the carrier can fetch the image then.
 */
export const retentionAfterExpiryMs = 8 * 86_400_000

const batchSize = 100

export function computeRemovalTime(file: FileMetadata): Date {
  return new Date(file.expiresAt.getTime() + retentionAfterExpiryMs)
}

/**
 * Returns how many files were removed. Throws after the last file if the store could not remove some; the next round
 * retries these.
 */
export async function removeExpired(database: Database, store: FileStore, now: Date): Promise<number> {
  const failures: unknown[] = []
  let removed = 0
  let last: RemovableFile | null = null
  for (;;) {
    const files: RemovableFile[] = await listRemovable(database, now, last, batchSize)
    last = files.at(-1) ?? null
    if (last === null) break
    const done: string[] = []
    for (const { key } of files) {
      await store.remove(key).then(
        () => done.push(key),
        (error: unknown) => failures.push(error),
      )
    }
    await deleteFiles(database, done)
    removed += done.length
  }
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} files could not be removed`)
  return removed
}
