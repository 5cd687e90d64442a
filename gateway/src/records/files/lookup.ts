/**
 * Finds files for sends. A file can be deleted but never changes, so each process caches it and reads it
 * again after a minute. While PostgreSQL is unavailable, sends with cached files still succeed, and others
 * are refused within a second.
 */
import { LRUCache } from 'lru-cache'
import type { Database } from '../../platform/database/database.ts'
import { singleFlight } from '../../platform/single-flight.ts'
import { withTimeout } from '../../contract/with-timeout.ts'
import type { FileMetadata } from './file.ts'
import { isFileKey } from '../../contract/file-key.ts'
import { findFile } from './queries.ts'

export interface FileLookup {
  /** Returns null if the file does not exist. `checkFileUse` checks its account and its expiry. */
  find(key: string): Promise<FileMetadata | null>
  remember(file: FileMetadata): void
  /** Makes the next `find` read the file again. */
  forget(key: string): void
  /** Reports whether the file, or that it does not exist, is cached. `find` may read a cached file again. */
  isKnown(key: string): boolean
}

export interface FileLookupOptions {
  readonly capacity?: number
  readonly timeoutMs?: number
  /** Milliseconds after which a cached file is read again. */
  readonly freshMs?: number
}

/** A client gets a key only after its file exists, so an unknown key stays unknown for a while. */
const unknownForMs = 5_000

export function createFileLookup(database: Database, options: FileLookupOptions = {}): FileLookup {
  const { capacity = 20_000, timeoutMs = 1_000, freshMs = 60_000 } = options
  const cached = new LRUCache<string, FileMetadata>({ max: capacity })
  const fresh = new LRUCache<string, true>({ max: capacity, ttl: freshMs })
  // Separate from the known files, so that guessed keys cannot evict them.
  const unknown = new LRUCache<string, true>({ max: 1_000, ttl: unknownForMs })
  const readings = new Map<string, Promise<FileMetadata | null>>()

  async function read(key: string): Promise<FileMetadata | null> {
    const file = await withTimeout(timeoutMs, findFile(database, key), 'file lookup')
    if (file === null) {
      cached.delete(key)
      unknown.set(key, true)
    } else remember(file)
    return file
  }

  function remember(file: FileMetadata): void {
    cached.set(file.key, file)
    fresh.set(file.key, true)
  }

  /** Reads the file again; the cached file stays valid if that fails. */
  async function readAgain(file: FileMetadata): Promise<FileMetadata | null> {
    fresh.set(file.key, true)
    return singleFlight(readings, file.key, () => read(file.key)).catch(() => file)
  }

  return {
    find(key) {
      const file = cached.get(key)
      if (file !== undefined) return fresh.get(key) === true ? Promise.resolve(file) : readAgain(file)
      if (!isFileKey(key) || unknown.has(key)) return Promise.resolve(null)
      return singleFlight(readings, key, () => read(key))
    },
    isKnown: (key) => cached.has(key) || unknown.has(key),
    remember,
    forget(key) {
      cached.delete(key)
      unknown.delete(key)
    },
  }
}
