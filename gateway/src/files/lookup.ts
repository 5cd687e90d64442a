/**
 * What sends know of files. A file never changes, so it is read from PostgreSQL once per process and kept; while
 * PostgreSQL is away, sends with files known here go on, and others are answered within a second.
 */
import type { Database } from '../platform/database.ts'
import { withTimeout } from '../contract/with-timeout.ts'
import { isFileKey, type FileMetadata } from './file.ts'
import { Lru } from './lru.ts'
import { findFile } from './queries.ts'

export interface FileLookup {
  /** Null when there is no such file. Whose it is and whether it has expired: see `checkUse`. */
  find(key: string): Promise<FileMetadata | null>
  remember(file: FileMetadata): void
}

export interface FileLookupOptions {
  readonly capacity?: number
  readonly timeoutMs?: number
}

/** A key is told to nobody before its file exists, so a key once unknown stays unknown for a while. */
const unknownForMs = 5_000

export function createFileLookup(database: Database, options: FileLookupOptions = {}): FileLookup {
  const { capacity = 20_000, timeoutMs = 1_000 } = options
  const known = new Lru<string, FileMetadata>(capacity)
  // Apart from the known ones, so that guessing keys cannot drive those out.
  const unknownUntil = new Lru<string, number>(1_000)
  const readings = new Map<string, Promise<FileMetadata | null>>()

  async function read(key: string): Promise<FileMetadata | null> {
    const file = await withTimeout(timeoutMs, findFile(database, key), 'the file cannot be looked up')
    if (file === null) unknownUntil.set(key, Date.now() + unknownForMs)
    else known.set(key, file)
    return file
  }

  return {
    find(key) {
      const file = known.get(key)
      if (file !== undefined) return Promise.resolve(file)
      if (!isFileKey(key) || (unknownUntil.get(key) ?? 0) > Date.now()) return Promise.resolve(null)
      let reading = readings.get(key)
      if (reading === undefined) {
        reading = read(key).finally(() => readings.delete(key))
        readings.set(key, reading)
      }
      return reading
    },
    remember(file) {
      known.set(file.key, file)
    },
  }
}
