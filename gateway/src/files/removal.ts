/**
 * Removes files whose time has come: bytes first, then the row, so a crash in between repeats and never forgets.
 * Several processes may do it at once.
 */
import type { Database } from '../platform/database.ts'
import type { FileMetadata } from './file.ts'
import { deleteFiles, listRemovable, type RemovableFile } from './queries.ts'
import type { FileStore } from './store.ts'

/** How long an announced file may wait for its bytes; a request is cut off long before. */
export const unstoredLifetimeMs = 3_600_000
/**
 * A message accepted in the file's last minute is submitted until its step's deadline, at most 7 days later, and
 * its carrier may fetch the image then.
 */
export const keptAfterExpiryMs = 8 * 86_400_000

const batchSize = 100

export function removalOf(file: FileMetadata): Date {
  return new Date(file.expiresAt.getTime() + keptAfterExpiryMs)
}

/** How many were removed. What the store could not remove is tried again in the next round. */
export async function removeExpired(database: Database, store: FileStore, now: Date): Promise<number> {
  const failures: unknown[] = []
  let removed = 0
  let last: RemovableFile | null = null
  for (;;) {
    const files: RemovableFile[] = await listRemovable(database, now, last, batchSize)
    last = files.at(-1) ?? null
    if (last === null) break
    const gone: string[] = []
    for (const { key } of files) {
      await store.remove(key).then(
        () => gone.push(key),
        (error: unknown) => failures.push(error),
      )
    }
    await deleteFiles(database, gone)
    removed += gone.length
  }
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} files could not be removed`)
  return removed
}
