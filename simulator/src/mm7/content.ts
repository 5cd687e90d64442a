/** Reads the content of a submission: nested multiparts, transfer encodings, texts and images. Pure and bounded. */
import { createHash } from 'node:crypto'
import { boundaryOf, parseHeaderValue, readMultipart } from '../shared/multipart.ts'
import type { Part } from '../shared/multipart.ts'
import type { Refusal } from './dialect.ts'
import { decodeCharset } from './euc-kr.ts'

export interface ReceivedPart {
  readonly contentType: string
  readonly contentId: string | null
  readonly bytes: number
  readonly sha256: string
  /** Of text parts only. */
  readonly text?: string
}

/** Nested multiparts: the content of SKT is one, and it may hold another. */
const MAX_NESTING = 3

export class SubmissionRefused extends Error {
  override readonly name = 'SubmissionRefused'
  readonly refusal: Refusal

  constructor(refusal: Refusal, reason: string) {
    super(reason)
    this.refusal = refusal
  }
}

export function decodeTransfer(part: Part): Buffer {
  const encoding = (part.headers.get('content-transfer-encoding') ?? '8bit').toLowerCase()
  if (encoding === 'base64') return Buffer.from(part.body.toString('latin1'), 'base64')
  if (['7bit', '8bit', 'binary'].includes(encoding)) return part.body
  throw new SubmissionRefused('mime', 'a transfer encoding is not supported')
}

/** The leaves below a part, in order. */
export function leaves(part: Part, nesting = 0): Part[] {
  const type = part.headers.get('content-type') ?? 'text/plain'
  if (!type.toLowerCase().startsWith('multipart/')) return [part]
  if (nesting === MAX_NESTING) throw new SubmissionRefused('mime', 'multiparts are nested too deeply')
  return readMultipart(part.body, boundaryOf(type)).flatMap((inner) => leaves(inner, nesting + 1))
}

export interface ReadPart {
  readonly part: ReceivedPart
  readonly strict: boolean
}

export function readContent(part: Part, maxImageBytes: number): ReadPart {
  const { value: contentType, parameters } = parseHeaderValue(
    part.headers.get('content-type') ?? 'text/plain',
  )
  const octets = decodeTransfer(part)
  const contentId = part.headers.get('content-id') ?? null
  const sha256 = createHash('sha256').update(octets).digest('hex')
  const known = { contentType, contentId, bytes: octets.length, sha256 }
  if (contentType.startsWith('text/') || contentType === 'application/smil') {
    const { text, strict } = decodeCharset(octets, parameters.get('charset'))
    return { part: { ...known, text }, strict: strict || contentType === 'application/smil' }
  }
  if (contentType.startsWith('image/')) {
    if (octets.length > maxImageBytes)
      throw new SubmissionRefused('size', `an image exceeds ${maxImageBytes} bytes`)
    if (contentType === 'image/jpeg' && !(octets[0] === 0xff && octets[1] === 0xd8)) {
      throw new SubmissionRefused('content', 'an image is not a JPEG')
    }
  }
  return { part: known, strict: true }
}
