/**
 * Stores files in a directory. A file appears complete or not at all, and is synced to disk before `put`
 * resolves. Only file keys become paths, so no request can reach outside the directory.
 */
import { createHash } from 'node:crypto'
import { mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { isFileKey } from '../../../contract/file-key.ts'
import type { FileStore } from './store.ts'

export async function openDiskStore(root: string): Promise<FileStore> {
  const folder = resolve(root)
  await mkdir(folder, { recursive: true })

  /**
   * Distributes files over 256 directories by hash: keys begin with the time and would otherwise fill one
   * directory.
   */
  function getPath(key: string): string {
    if (!isFileKey(key)) throw new Error('a file store accepts file keys only')
    const hash = createHash('sha256').update(key).digest('hex')
    return join(folder, hash.slice(0, 2), key)
  }

  return {
    async put(key, content) {
      const path = getPath(key)
      // Until the pipeline listens, an error of the content would end the process; the pipeline rejects with
      // it.
      content.on('error', () => undefined)
      const firstNewFolder = await mkdir(dirname(path), { recursive: true })
      const part = `${path}.part`
      try {
        const handle = await open(part, 'w', 0o640)
        // `flush` syncs the file before it closes it.
        await pipeline(content, handle.createWriteStream({ flush: true }))
        await rename(part, path)
      } catch (error) {
        await rm(part, { force: true })
        throw error
      }
      await syncFolder(dirname(path))
      if (firstNewFolder !== undefined) await syncFolder(folder)
    },
    async open(key) {
      const handle = await open(getPath(key), 'r')
      return handle.createReadStream()
    },
    async remove(key) {
      const path = getPath(key)
      await Promise.all([rm(path, { force: true }), rm(`${path}.part`, { force: true })])
    },
  }
}

/** Syncs the directory, without which a new entry is not durable. */
async function syncFolder(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
