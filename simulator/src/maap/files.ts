/**
 * Registers files at this carrier, each by a multipart form. Messages can use a file by its id until it
 * expires. Keeps a bounded number of ids and no file data.
 */
import { evictOldest } from '../shared/evict-oldest.ts'
import { MalformedMultipart, parseBoundary, parseHeaderValue, readMultipart } from '../shared/multipart.ts'
import type { MaapCode, MaapCodePair } from './codes.ts'
import type { MaapOptions } from './settings.ts'
import { maapTime } from './settings.ts'

const MAX_FILES = 10_000

type Magic = readonly [mimeTypes: readonly string[], bytes: string]

/** File signatures of accepted image types, in Latin-1. */
const images: readonly Magic[] = [
  [['image/jpeg', 'image/jpg'], '\xff\xd8\xff'],
  [['image/png'], '\x89PNG'],
  [['image/gif'], 'GIF8'],
  [['image/bmp'], 'BM'],
]

const malformedForm: MaapCodePair = ['53005', '72113']
const invalidId: MaapCodePair = ['53003', '71008']
const invalidAttribute: MaapCodePair = ['53002', '71008']
const unknownType: MaapCodePair = ['53001', '72107']
const tooLarge: MaapCodePair = ['53006', '72115']

export interface FileInfo {
  readonly fileId: string
  readonly usageType: string
  readonly usageService?: string
  readonly mimeType: string
  readonly status: 'ready'
  readonly expiryDate: string
  readonly size: number
  readonly url: string
}

export class MaapFiles {
  readonly #options: MaapOptions
  readonly #expiry = new Map<string, number>()

  constructor(options: MaapOptions) {
    this.#options = options
  }

  register(contentType: string, body: Buffer): FileInfo | MaapCode {
    const isRelay = this.#options.carrier === 'kt-relay'
    const code = ([carrier, relay]: MaapCodePair): MaapCode => (isRelay ? relay : carrier)
    const form = readForm(contentType, body)
    if (form === undefined) return code(malformedForm)
    const readField = (name: string): string => form.get(name)?.toString('utf8') ?? ''
    const [fileId, mimeType, usageService, file] = [
      readField('fileId'),
      readField('mimeType'),
      readField('usageService'),
      form.get('file'),
    ]
    if (!/^[\w.-]{1,64}$/.test(fileId)) return code(invalidId)
    if (file === undefined || readField('usageType') !== 'send') return code(invalidAttribute)
    if (isRelay && usageService !== 'RCS' && usageService !== 'MMS') return code(invalidAttribute)
    if (file.length > this.#options.maxFileBytes) return code(tooLarge)
    const isImage = images.some(
      ([types, bytes]) => types.includes(mimeType) && file.toString('latin1', 0, bytes.length) === bytes,
    )
    if (!isImage) return code(unknownType)
    evictOldest(this.#expiry, MAX_FILES)
    const expiresAt = Date.now() + this.#options.fileTtlMs
    this.#expiry.set(fileId, expiresAt)
    const service = isRelay ? { usageService } : {}
    const url = `https://media.example/${fileId}`
    const rest = { status: 'ready' as const, expiryDate: maapTime(expiresAt), size: file.length, url }
    return { fileId, usageType: 'send', ...service, mimeType, ...rest }
  }

  /** Accepts `maapfile://{id}`, or a video with such a thumbnail: `https://youtu.be/ID,maapfile://{id}`. */
  accepts(media: string): boolean {
    const fileId = /^(?:https:\/\/[^\s,]{1,200},)?maapfile:\/\/([\w.-]{1,64})$/.exec(media)?.[1]
    if (fileId === undefined) return false
    return this.#options.anyFile || (this.#expiry.get(fileId) ?? 0) > Date.now()
  }

  clear(): void {
    this.#expiry.clear()
  }
}

function readForm(contentType: string, body: Buffer): Map<string, Buffer> | undefined {
  try {
    return new Map(
      readMultipart(body, parseBoundary(contentType)).map((part) => {
        const { parameters } = parseHeaderValue(part.headers.get('content-disposition') ?? '')
        return [parameters.get('name') ?? '', part.body]
      }),
    )
  } catch (error) {
    if (error instanceof MalformedMultipart) return undefined
    throw error
  }
}
