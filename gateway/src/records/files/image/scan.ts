/**
 * Detects the format and size of an image from its bytes as they stream, and whether it is complete. Never decodes a
 * pixel, so a decompression bomb costs nothing here.
 */
import { parseBmp } from './bmp.ts'
import { parseGif } from './gif.ts'
import { BrokenImage, type ImageFormat, type ParsedImageSize } from './image.ts'
import { parseJpeg } from './jpeg.ts'
import { ParserRun, read, type Parser } from './parser.ts'
import { parsePng } from './png.ts'

export type ImageScan =
  | ({ readonly kind: 'image'; readonly format: ImageFormat } & ParsedImageSize)
  | { readonly kind: 'broken'; readonly format: ImageFormat; readonly reason: string }
  | { readonly kind: 'unknown' }

const unknown: ImageScan = { kind: 'unknown' }

export class ImageScanner {
  #format: ImageFormat | null = null
  #broken: string | null = null
  readonly #run: ParserRun<ImageScan> = new ParserRun(this.#parse())

  push(chunk: Buffer): void {
    if (this.#broken !== null) return
    try {
      this.#run.push(chunk)
    } catch (error) {
      if (!(error instanceof BrokenImage)) throw error
      this.#broken = error.message
    }
  }

  /** Returns the result. Call it after the last byte has been pushed. */
  finish(): ImageScan {
    const { result } = this.#run
    if (result !== undefined) return result
    if (this.#format === null) return unknown
    return { kind: 'broken', format: this.#format, reason: this.#broken ?? 'its end is missing' }
  }

  *#parse(): Parser<ImageScan> {
    const format = yield* readSignature()
    if (format === null) return unknown
    this.#format = format
    return { kind: 'image', format, ...(yield* parsers[format]()) }
  }
}

const parsers: Readonly<Record<ImageFormat, () => Parser<ParsedImageSize>>> = {
  jpg: parseJpeg,
  png: parsePng,
  gif: parseGif,
  bmp: parseBmp,
}

function* readSignature(): Parser<ImageFormat | null> {
  const start = (yield read(2)).toString('latin1')
  switch (start) {
    case '\xff\xd8':
      return 'jpg'
    case 'BM':
      return 'bmp'
    case '\x89P':
      return (yield read(6)).toString('latin1') === 'NG\r\n\x1a\n' ? 'png' : null
    case 'GI':
      return /^F8[79]a$/.test((yield read(4)).toString('latin1')) ? 'gif' : null
    default:
      return null
  }
}
