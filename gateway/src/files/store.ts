/** Where the bytes of files are. Keys are file keys and nothing else; a store knows nothing of accounts or expiry. */
import type { Readable } from 'node:stream'
import { openDiskStore } from './disk.ts'
import type { S3Options } from './s3.ts'

export interface FileStore {
  /** Resolves when the bytes are durable. What a failed or cut put leaves behind, `remove` removes. */
  put(key: string, content: Readable): Promise<void>
  /** Rejects when there are no such bytes. */
  open(key: string): Promise<Readable>
  /** Removing what is not there is no fault. */
  remove(key: string): Promise<void>
}

/** A folder suits one machine, or several that share it; otherwise S3 or what speaks like it. */
export type FileStoreOptions = { readonly folder: string } | { readonly s3: S3Options }

export async function openFileStore(options: FileStoreOptions): Promise<FileStore> {
  if ('folder' in options) return openDiskStore(options.folder)
  // Its client is large; who keeps files on disk need not load it.
  const { openS3Store } = await import('./s3.ts')
  return openS3Store(options.s3)
}
