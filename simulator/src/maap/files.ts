/**
 * Files registered at this carrier: one multipart form each. A message may name a file by its id until it expires.
 * Keeps ids only, a bounded number of them.
 */
import { makeRoom } from '../shared/make-room.ts'
import { MalformedMultipart, boundaryOf, parseHeaderValue, readMultipart } from '../shared/multipart.ts'
import type { Code, CodePair } from './codes.ts'
import type { MaapOptions } from './settings.ts'
import { koreanTime } from './settings.ts'

const MAX_FILES = 10_000

type Magic = readonly [mimeTypes: readonly string[], bytes: string]

/** The beginnings of the images that are accepted, in Latin-1. */
const images: readonly Magic[] = [
  [['image/jpeg', 'image/jpg'], '\xff\xd8\xff'],
  [['image/png'], '\x89PNG'],
  [['image/gif'], 'GIF8'],
  [['image/bmp'], 'BM'],
]

const malformed: CodePair = ['53005', '72113']
const noId: CodePair = ['53003', '71008']
const attribute: CodePair = ['53002', '71008']
const type: CodePair = ['53001', '72107']
const size: CodePair = ['53006', '72115']

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

export class Files {
  readonly #options: MaapOptions
  readonly #expiry = new Map<string, number>()

  constructor(options: MaapOptions) {
    this.#options = options
  }

  register(contentType: string, body: Buffer): FileInfo | Code {
    const relay = this.#options.carrier === 'kt-relay'
    const code = ([carrier, other]: CodePair): Code => (relay ? other : carrier)
    const form = readForm(contentType, body)
    if (form === undefined) return code(malformed)
    const text = (name: string): string => form.get(name)?.toString('utf8') ?? ''
    const [fileId, mimeType, usageService, file] = [
      text('fileId'),
      text('mimeType'),
      text('usageService'),
      form.get('file'),
    ]
    if (!/^[\w.-]{1,64}$/.test(fileId)) return code(noId)
    if (file === undefined || text('usageType') !== 'send') return code(attribute)
    if (relay && usageService !== 'RCS' && usageService !== 'MMS') return code(attribute)
    if (file.length > this.#options.maxFileBytes) return code(size)
    const known = images.some(
      ([types, bytes]) => types.includes(mimeType) && file.toString('latin1', 0, bytes.length) === bytes,
    )
    if (!known) return code(type)
    makeRoom(this.#expiry, MAX_FILES)
    const expiresAt = Date.now() + this.#options.fileTtlMs
    this.#expiry.set(fileId, expiresAt)
    const service = relay ? { usageService } : {}
    const url = `https://media.example/${fileId}`
    const rest = { status: 'ready' as const, expiryDate: koreanTime(expiresAt), size: file.length, url }
    return { fileId, usageType: 'send', ...service, mimeType, ...rest }
  }

  /** `maapfile://{id}`, or a video with such a thumbnail: `https://youtu.be/ID,maapfile://{id}`. */
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
      readMultipart(body, boundaryOf(contentType)).map((part) => {
        const { parameters } = parseHeaderValue(part.headers.get('content-disposition') ?? '')
        return [parameters.get('name') ?? '', part.body]
      }),
    )
  } catch (error) {
    if (error instanceof MalformedMultipart) return undefined
    throw error
  }
}
