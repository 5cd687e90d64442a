/**
 * Finds files for sends. A file never changes, so each process reads it from PostgreSQL once and caches it. While
 * PostgreSQL is unavailable, sends with cached files still succeed, and others are refused within a second.
 */
import { LRUCache } from 'lru-cache'
import type { Database } from '../platform/database.ts'
import { shareCall } from '../platform/share-call.ts'
import { withTimeout } from '../contract/with-timeout.ts'
import { isFileKey, type FileMetadata } from './file.ts'
import { findFile } from './queries.ts'

export interface FileLookup {
  /** Null when there is no such file. `checkUse` checks its owner and its expiry. */
  find(key: string): Promise<FileMetadata | null>
  remember(file: FileMetadata): void
  /** Whether `find` answers without a statement. */
  isKnown(key: string): boolean
}

export interface FileLookupOptions {
  readonly capacity?: number
  readonly timeoutMs?: number
}

/** A client learns a key only after its file exists, so an unknown key stays unknown for a while. */
const unknownForMs = 5_000

export function createFileLookup(database: Database, options: FileLookupOptions = {}): FileLookup {
  const { capacity = 20_000, timeoutMs = 1_000 } = options
  const known = new LRUCache<string, FileMetadata>({ max: capacity })
  // Separate from the known files, so that guessed keys cannot evict them.
  const unknown = new LRUCache<string, true>({ max: 1_000, ttl: unknownForMs })
  const readings = new Map<string, Promise<FileMetadata | null>>()

  async function read(key: string): Promise<FileMetadata | null> {
    const file = await withTimeout(timeoutMs, findFile(database, key), 'the file cannot be looked up')
    if (file === null) unknown.set(key, true)
    else known.set(key, file)
    return file
  }

  return {
    find(key) {
      const file = known.get(key)
      if (file !== undefined) return Promise.resolve(file)
      if (!isFileKey(key) || unknown.has(key)) return Promise.resolve(null)
      return shareCall(readings, key, () => read(key))
    },
    isKnown: (key) => known.has(key) || unknown.has(key),
    remember(file) {
      known.set(file.key, file)
    },
  }
}
