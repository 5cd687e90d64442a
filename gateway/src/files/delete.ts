/**
 * Deletes files before they expire: one, for its owner, or all of an account, for an operator. Rows are withdrawn first, so
 * that after a crash the removal of expired files deletes the rest. Other processes may use a file for a minute longer.
 */
import type { Database } from '../platform/database.ts'
import { cellOfFileKey } from './file.ts'
import { deleteFiles, withdrawFiles } from './queries.ts'
import type { FileStore } from './store.ts'

const batchSize = 100

/** Where the files of an account are. */
export interface FilePlace {
  readonly database: Database
  readonly store: FileStore
  /** The cell of this process. */
  readonly cell: string
}

/** Null when it is deleted. Otherwise the cell that stores its bytes and still serves them: no send finds it here any more. */
export type Deletion = { readonly storedIn: string | null } | 'unknown'

export async function deleteFile(place: FilePlace, accountId: number, key: string): Promise<Deletion> {
  const [withdrawn] = await deleteSome(place, accountId, { key, limit: 1 })
  if (withdrawn === undefined) return 'unknown'
  const storedIn = cellOfFileKey(key, place.cell)
  return { storedIn: storedIn === place.cell ? null : storedIn }
}

export interface Deletions {
  readonly deleted: number
  /** Files that are stored in other cells, by cell. */
  readonly elsewhere: ReadonlyMap<string, number>
}

export async function deleteAllFiles(place: FilePlace, accountId: number): Promise<Deletions> {
  let deleted = 0
  const elsewhere = new Map<string, number>()
  for (;;) {
    const keys = await deleteSome(place, accountId, { key: null, limit: batchSize })
    for (const cell of keys.map((key) => cellOfFileKey(key, place.cell))) {
      if (cell === place.cell) deleted++
      else elsewhere.set(cell, (elsewhere.get(cell) ?? 0) + 1)
    }
    if (keys.length < batchSize) return { deleted, elsewhere }
  }
}

async function deleteSome(
  { database, store, cell }: FilePlace,
  accountId: number,
  choice: { readonly key: string | null; readonly limit: number },
): Promise<readonly string[]> {
  const keys = await withdrawFiles(database, accountId, { ...choice, cell })
  const own = keys.filter((key) => cellOfFileKey(key, cell) === cell)
  for (const key of own) await store.remove(key)
  await deleteFiles(database, own)
  return keys
}
