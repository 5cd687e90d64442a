/**
 * Deletes files before they expire: one, for its account, or all of an account, for an operator. Rows are withdrawn
 * first, so that after a crash the removal of expired files deletes the rest. Other processes can use a file for a
 * minute longer.
 */
import type { Database } from '../../../platform/database/database.ts'
import { deleteFiles, withdrawFiles, type WithdrawnFiles } from '../queries.ts'
import type { FileStore } from './store.ts'

const batchSize = 100

export interface FileLocation {
  readonly database: Database
  readonly store: FileStore
}

/** Returns false if the account has no such file. */
export async function deleteFile(location: FileLocation, accountId: number, key: string): Promise<boolean> {
  return (await deleteSome(location, accountId, { key, limit: 1 })) === 1
}

/** Returns how many files were deleted. */
export async function deleteAllFiles(location: FileLocation, accountId: number): Promise<number> {
  let deleted = 0
  for (;;) {
    const count = await deleteSome(location, accountId, { key: null, limit: batchSize })
    deleted += count
    if (count < batchSize) return deleted
  }
}

async function deleteSome(
  { database, store }: FileLocation,
  accountId: number,
  choice: WithdrawnFiles,
): Promise<number> {
  const keys = await withdrawFiles(database, accountId, choice)
  for (const key of keys) await store.remove(key)
  await deleteFiles(database, keys)
  return keys.length
}
