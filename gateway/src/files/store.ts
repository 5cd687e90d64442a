/** Where the bytes of files are. Keys are file keys and nothing else; a store knows nothing of accounts or expiry. */
import type { Readable } from 'node:stream'

export interface FileStore {
  /** Resolves when the bytes are durable. What a failed or cut put leaves behind, `remove` removes. */
  put(key: string, content: Readable): Promise<void>
  /** Rejects when there are no such bytes. */
  open(key: string): Promise<Readable>
  /** Removing what is not there is no fault. */
  remove(key: string): Promise<void>
}
