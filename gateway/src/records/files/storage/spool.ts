/**
 * Holds an upload on local disk until it is stored or refused. The file is unlinked as soon as it is open, so
 * nothing is left behind however the upload ends, even if the process is killed.
 */
import { randomUUID } from 'node:crypto'
import { open, unlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'

export interface Spool {
  write(chunk: Buffer): Promise<void>
  /** Returns everything written, from the start. */
  read(): Readable
  close(): Promise<void>
}

export async function openSpool(folder = tmpdir()): Promise<Spool> {
  const path = join(folder, `postern-upload-${randomUUID()}`)
  const handle = await open(path, 'wx+', 0o600)
  await unlink(path)
  return {
    write: (chunk) => handle.appendFile(chunk),
    read: () => handle.createReadStream({ start: 0, autoClose: false }),
    close: () => handle.close(),
  }
}
