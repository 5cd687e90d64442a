/**
 * Accepts image uploads: one multipart part named `image`, JPEG or PNG, of limited size. Returns a URL that
 * send requests can use. Keeps a bounded number of URLs and no image data.
 */
import { createHash } from 'node:crypto'
import { evictOldest } from '../shared/evict-oldest.ts'
import { MalformedMultipart, parseBoundary, parseHeaderValue, readMultipart } from '../shared/multipart.ts'

const MAX_KNOWN = 10_000
const JPEG = Buffer.from([0xff, 0xd8, 0xff])
const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47])

export class KakaoImages {
  readonly #maxBytes: number
  readonly #known = new Set<string>()
  uploads = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  /** Returns the URL of the image, or undefined if it is refused. */
  upload(contentType: string, body: Buffer): string | undefined {
    const image = readImage(contentType, body)
    if (image === undefined || image.length > this.#maxBytes) return undefined
    if (![JPEG, PNG].some((magic) => image.subarray(0, magic.length).equals(magic))) return undefined
    this.uploads++
    const digest = createHash('sha256').update(image).digest('hex')
    const extension = image.subarray(0, JPEG.length).equals(JPEG) ? 'jpg' : 'png'
    const url = `https://mud-kage.kakao.com/dn/${digest.slice(0, 24)}/img.${extension}`
    evictOldest(this.#known, MAX_KNOWN)
    this.#known.add(url)
    return url
  }

  knows(url: string): boolean {
    return this.#known.has(url)
  }

  clear(): void {
    this.#known.clear()
    this.uploads = 0
  }
}

function readImage(contentType: string, body: Buffer): Buffer | undefined {
  try {
    const parts = readMultipart(body, parseBoundary(contentType))
    const found = parts.find(
      ({ headers }) =>
        parseHeaderValue(headers.get('content-disposition') ?? '').parameters.get('name') === 'image',
    )
    return found?.body
  } catch (error) {
    if (error instanceof MalformedMultipart) return undefined
    throw error
  }
}
