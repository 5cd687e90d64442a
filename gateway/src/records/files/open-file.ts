/**
 * Reads uploaded files for connectors: by key, as RCS media or by the URL of an image. The files of a
 * campaign are read once and cached, within a memory limit.
 */
import type { Readable } from 'node:stream'
import { LRUCache } from 'lru-cache'
import { singleFlight } from '../../platform/single-flight.ts'
import type { ConnectorFile } from '../../carriers/connectors/connector.ts'
import type { FileMetadata } from './file.ts'
import { isFileKey } from '../../contract/file-key.ts'
import { contentTypes } from './image/image.ts'
import type { FileLookup } from './lookup.ts'
import { parseImgUrlKey, parseMediaKey } from './references.ts'
import type { FileStore } from './storage/store.ts'

export interface OpenFileOptions {
  readonly lookup: FileLookup
  readonly store: FileStore
  readonly publicFileUrl: string
  /** Maximum bytes of all cached files. */
  readonly maxKeptBytes?: number
}

/** Returns null if the reference is not to a file of this gateway, or the file has been removed. */
export type OpenFile = (reference: string) => Promise<ConnectorFile | null>

const defaultKeptBytes = 64 * 1024 * 1024

export function createOpenFile(options: OpenFileOptions): OpenFile {
  const { lookup, store, publicFileUrl, maxKeptBytes = defaultKeptBytes } = options
  const cached = new LRUCache<string, ConnectorFile>({
    maxSize: maxKeptBytes,
    sizeCalculation: ({ bytes }) => Math.max(1, bytes.length),
  })
  const readings = new Map<string, Promise<ConnectorFile | null>>()

  async function read(key: string): Promise<ConnectorFile | null> {
    const metadata = await lookup.find(key)
    if (metadata === null) return null
    const bytes = await readAll(await store.open(key), metadata)
    const { format } = metadata
    const file = { key, bytes, contentType: contentTypes[format], name: `${key}.${format}` }
    cached.set(key, file)
    return file
  }

  return (reference) => {
    const key = isFileKey(reference)
      ? reference
      : (parseMediaKey(reference) ?? parseImgUrlKey(publicFileUrl, reference))
    if (key === null) return Promise.resolve(null)
    const file = cached.get(key)
    if (file !== undefined) return Promise.resolve(file)
    return singleFlight(readings, key, () => read(key))
  }
}

/** Fails if the length differs from the upload, which means that the store is damaged. */
async function readAll(content: Readable, { key, bytes }: FileMetadata): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of content as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > bytes) break
    chunks.push(chunk)
  }
  if (length !== bytes) throw new Error(`the stored file ${key} is damaged: expected ${bytes} bytes`)
  return Buffer.concat(chunks)
}
