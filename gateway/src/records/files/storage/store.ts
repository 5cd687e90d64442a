/** Stores the bytes of files under their keys. A store does not know accounts or expiry. */
import type { Readable } from 'node:stream'

export interface FileStore {
  /** Resolves when the bytes are durable. `remove` deletes the remains of a failed or interrupted `put`. */
  put(key: string, content: Readable): Promise<void>
  /** Rejects if the key does not exist. */
  open(key: string): Promise<Readable>
  /** Succeeds if the key does not exist. */
  remove(key: string): Promise<void>
}
