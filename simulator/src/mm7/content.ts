/**
 * Reads the content of a submission: nested multiparts, transfer encodings, texts and images. Nesting and
 * image size are limited.
 */
import { createHash } from 'node:crypto'
import { parseBoundary, parseHeaderValue, readMultipart } from '../shared/multipart.ts'
import type { MultipartPart } from '../shared/multipart.ts'
import type { Refusal } from './dialect.ts'
import { decodeCharset } from './euc-kr.ts'

export interface ReceivedPart {
  readonly contentType: string
  readonly contentId: string | null
  readonly bytes: number
  readonly sha256: string
  /** Content of text parts. */
  readonly text?: string
}

/** SKT content is itself a multipart, which can contain another. */
const MAX_NESTING = 3

export class SubmissionRefused extends Error {
  override readonly name = 'SubmissionRefused'
  readonly refusal: Refusal

  constructor(refusal: Refusal, reason: string) {
    super(reason)
    this.refusal = refusal
  }
}

export function decodeTransfer(part: MultipartPart): Buffer {
  const encoding = (part.headers.get('content-transfer-encoding') ?? '8bit').toLowerCase()
  if (encoding === 'base64') return Buffer.from(part.body.toString('latin1'), 'base64')
  if (['7bit', '8bit', 'binary'].includes(encoding)) return part.body
  throw new SubmissionRefused('mime', 'unsupported transfer encoding')
}

/** Returns the leaf parts in order. */
export function leafParts(part: MultipartPart, nesting = 0): MultipartPart[] {
  const type = part.headers.get('content-type') ?? 'text/plain'
  if (!type.toLowerCase().startsWith('multipart/')) return [part]
  if (nesting === MAX_NESTING)
    throw new SubmissionRefused('mime', `multiparts nested deeper than ${MAX_NESTING}`)
  return readMultipart(part.body, parseBoundary(type)).flatMap((inner) => leafParts(inner, nesting + 1))
}

export interface ParsedPart {
  readonly part: ReceivedPart
  readonly strict: boolean
}

export function parseContent(part: MultipartPart, maxImageBytes: number): ParsedPart {
  const { value: contentType, parameters } = parseHeaderValue(
    part.headers.get('content-type') ?? 'text/plain',
  )
  const octets = decodeTransfer(part)
  const contentId = part.headers.get('content-id') ?? null
  const sha256 = createHash('sha256').update(octets).digest('hex')
  const description = { contentType, contentId, bytes: octets.length, sha256 }
  if (contentType.startsWith('text/') || contentType === 'application/smil') {
    const { text, strict } = decodeCharset(octets, parameters.get('charset'))
    return { part: { ...description, text }, strict: strict || contentType === 'application/smil' }
  }
  if (contentType.startsWith('image/')) {
    if (octets.length > maxImageBytes)
      throw new SubmissionRefused('size', `image too large: at most ${maxImageBytes} bytes allowed`)
    if (contentType === 'image/jpeg' && !(octets[0] === 0xff && octets[1] === 0xd8)) {
      throw new SubmissionRefused('content', 'image/jpeg part is not a JPEG')
    }
  }
  return { part: description, strict: true }
}
