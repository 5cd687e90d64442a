/**
 * Finds files for sends. A file may be deleted but never changes, so each process caches it and reads it again after a
 * minute. While PostgreSQL is unavailable, sends with cached files still succeed, and others are refused within a second.
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
  /** The next `find` reads it again. */
  forget(key: string): void
  /** Whether `find` answers without a statement. */
  isKnown(key: string): boolean
}

export interface FileLookupOptions {
  readonly capacity?: number
  readonly timeoutMs?: number
  /** After this time a cached file is read again. */
  readonly freshMs?: number
}

/** A client learns a key only after its file exists, so an unknown key stays unknown for a while. */
const unknownForMs = 5_000

export function createFileLookup(database: Database, options: FileLookupOptions = {}): FileLookup {
  const { capacity = 20_000, timeoutMs = 1_000, freshMs = 60_000 } = options
  const known = new LRUCache<string, FileMetadata>({ max: capacity })
  const fresh = new LRUCache<string, true>({ max: capacity, ttl: freshMs })
  // Separate from the known files, so that guessed keys cannot evict them.
  const unknown = new LRUCache<string, true>({ max: 1_000, ttl: unknownForMs })
  const readings = new Map<string, Promise<FileMetadata | null>>()

  async function read(key: string): Promise<FileMetadata | null> {
    const file = await withTimeout(timeoutMs, findFile(database, key), 'the file cannot be looked up')
    if (file === null) {
      known.delete(key)
      unknown.set(key, true)
    } else remember(file)
    return file
  }

  function remember(file: FileMetadata): void {
    known.set(file.key, file)
    fresh.set(file.key, true)
  }

  /** A cached file serves on while it cannot be read again. */
  async function readAgain(file: FileMetadata): Promise<FileMetadata | null> {
    fresh.set(file.key, true)
    return shareCall(readings, file.key, () => read(file.key)).catch(() => file)
  }

  return {
    find(key) {
      const file = known.get(key)
      if (file !== undefined) return fresh.get(key) === true ? Promise.resolve(file) : readAgain(file)
      if (!isFileKey(key) || unknown.has(key)) return Promise.resolve(null)
      return shareCall(readings, key, () => read(key))
    },
    isKnown: (key) => known.has(key) || unknown.has(key),
    remember,
    forget(key) {
      known.delete(key)
      unknown.delete(key)
    },
  }
}
