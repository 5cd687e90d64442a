/** Accepts file uploads: one `reqFile` part with the client's file ID, one `filePart`. Keeps IDs only. */
import { parseFields, toText } from '../shared/json-body.ts'
import { evictOldest } from '../shared/evict-oldest.ts'
import { MalformedMultipart, parseBoundary, parseHeaderValue, readMultipart } from '../shared/multipart.ts'
import type { HttpResponse } from '../shared/http-server.ts'
import { msghubReply } from './codes.ts'
import type { ResponseCode } from './codes.ts'
import { koreanTime } from '../shared/korean.ts'

const MAX_FILES = 10_000
const JPEG = Buffer.from([0xff, 0xd8, 0xff])
const maxBytes = { mms: 307_200, rcs: 1_048_576 } as const

export type FileChannel = keyof typeof maxBytes

function readParts(contentType: string, body: Buffer): ReadonlyMap<string | undefined, Buffer> {
  try {
    const parts = readMultipart(body, parseBoundary(contentType))
    return new Map(
      parts.map(({ headers, body: content }) => [
        parseHeaderValue(headers.get('content-disposition') ?? '').parameters.get('name'),
        content,
      ]),
    )
  } catch (error) {
    if (error instanceof MalformedMultipart) return new Map()
    throw error
  }
}

export class MsghubFiles {
  readonly #ttlMs: number
  readonly #expiry = new Map<string, number>()

  constructor(ttlMs: number) {
    this.#ttlMs = ttlMs
  }

  upload(channel: FileChannel, contentType: string, body: Buffer): HttpResponse {
    const parts = readParts(contentType, body)
    const file = parts.get('filePart')
    const fileId = toText(parseFields(parts.get('reqFile') ?? Buffer.alloc(0), 1000)?.['fileId'])
    if (file === undefined || fileId === '') return msghubReply('29000')
    if (!/^[\w-]{1,64}$/.test(fileId)) return msghubReply('29001')
    if (this.#expiry.has(`${channel}/${fileId}`)) return msghubReply('21015')
    if (file.length === 0 || file.length > maxBytes[channel]) return msghubReply('21002')
    if (channel === 'mms' && !file.subarray(0, JPEG.length).equals(JPEG)) return msghubReply('21006')
    const expiry = Date.now() + this.#ttlMs
    evictOldest(this.#expiry, MAX_FILES)
    this.#expiry.set(`${channel}/${fileId}`, expiry)
    return msghubReply('10000', { ch: channel, fileId, fileExpDt: koreanTime(expiry).replace(' ', 'T') })
  }

  refusalOf(channel: FileChannel, fileId: string): ResponseCode | undefined {
    const expiry = this.#expiry.get(`${channel}/${fileId}`)
    if (expiry === undefined) return '21003'
    return expiry > Date.now() ? undefined : '21029'
  }

  clear(): void {
    this.#expiry.clear()
  }
}
