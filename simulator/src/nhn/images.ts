/**
 * Accepts image uploads for brand messages: a multipart body with `image` and `imageType`. Keeps a bounded
 * number of URLs.
 */
import { evictOldest } from '../shared/evict-oldest.ts'
import { MalformedMultipart, parseBoundary, parseHeaderValue, readMultipart } from '../shared/multipart.ts'
import type { MultipartPart } from '../shared/multipart.ts'
import type { KakaoCode } from './codes.ts'

const imageTypes = [
  'IMAGE',
  'WIDE_IMAGE',
  'MAIN_WIDE_ITEMLIST_IMAGE',
  'NORMAL_WIDE_ITEMLIST_IMAGE',
  'CAROUSEL_FEED_IMAGE',
  'CAROUSEL_COMMERCE_IMAGE',
] as const
export type ImageType = (typeof imageTypes)[number]

export interface UploadedImage {
  readonly imageSeq: number
  readonly imageUrl: string
  readonly imageName: string
}

const MAX_KNOWN = 10_000
const MAX_IMAGE_BYTES = 5_242_880
const JPEG = Buffer.from([0xff, 0xd8, 0xff])
const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47])

function readParts(contentType: string, body: Buffer): readonly MultipartPart[] {
  try {
    return readMultipart(body, parseBoundary(contentType))
  } catch (error) {
    if (error instanceof MalformedMultipart) return []
    throw error
  }
}

function disposition({ headers }: MultipartPart): ReadonlyMap<string, string> {
  return parseHeaderValue(headers.get('content-disposition') ?? '').parameters
}

export class BrandImages {
  readonly #types = new Map<string, ImageType>()
  #lastSeq = 0

  upload(contentType: string, body: Buffer): UploadedImage | KakaoCode {
    const parts = readParts(contentType, body)
    const image = parts.find((part) => disposition(part).get('name') === 'image')
    const typeName = parts.find((part) => disposition(part).get('name') === 'imageType')?.body.toString()
    if (image === undefined || typeName === undefined) return -9993
    const type = imageTypes.find((known) => known === typeName)
    if (type === undefined) return -8011
    if (image.body.length > MAX_IMAGE_BYTES) return -4007
    const isPng = image.body.subarray(0, PNG.length).equals(PNG)
    if (!isPng && !image.body.subarray(0, JPEG.length).equals(JPEG)) return -4009
    const imageSeq = ++this.#lastSeq
    const imageUrl = `https://mud-kage.kakao.com/dn/nhn/${imageSeq}/img.${isPng ? 'png' : 'jpg'}`
    evictOldest(this.#types, MAX_KNOWN)
    this.#types.set(imageUrl, type)
    return { imageSeq, imageUrl, imageName: disposition(image).get('filename') ?? '' }
  }

  knows(url: string, type: ImageType): boolean {
    return this.#types.get(url) === type
  }

  clear(): void {
    this.#types.clear()
  }
}
