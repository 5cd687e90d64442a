/** BMP: reads the file and image headers, and checks that as many bytes follow as they declare. */
import { BrokenImage, type ParsedImageSize } from './image.ts'
import { read, skip, type Parser } from './parser.ts'

const fileHeaderBytes = 14
const oldHeaderBytes = 12
/** The first 40 bytes are the same in every newer header. */
const commonHeaderBytes = 40
const depths = new Set([1, 4, 8, 16, 24, 32])
// BI_RGB, BI_BITFIELDS, BI_ALPHABITFIELDS: uncompressed rows, each padded to four bytes.
const plainCodings = new Set([0, 3, 6])
const runLengthCodings = new Set([1, 2])

/** Starts after the two letters of the signature. */
export function* parseBmp(): Parser<ParsedImageSize> {
  const head = yield read(fileHeaderBytes - 2 + 4)
  const pixelsAt = head.readUInt32LE(8)
  const headerBytes = head.readUInt32LE(12)
  const isOld = headerBytes === oldHeaderBytes
  if (!isOld && (headerBytes < commonHeaderBytes || headerBytes > 1024))
    throw new BrokenImage('its header is damaged')
  const size = isOld ? yield* readOldSize() : yield* readNewSize()
  const headersEnd = fileHeaderBytes + headerBytes
  if (pixelsAt < headersEnd) throw new BrokenImage('its header is damaged')
  const unreadHeaderBytes = headerBytes - (isOld ? oldHeaderBytes : commonHeaderBytes)
  yield skip(unreadHeaderBytes + (pixelsAt - headersEnd) + size.pixelBytes)
  return { width: size.width, height: size.height }
}

type Sized = ParsedImageSize & { readonly pixelBytes: number }

function* readOldSize(): Parser<Sized> {
  const rest = yield read(8)
  const width = rest.readUInt16LE(0)
  const height = rest.readUInt16LE(2)
  return { width, height, pixelBytes: rowBytes(width, rest.readUInt16LE(6)) * height }
}

function* readNewSize(): Parser<Sized> {
  const rest = yield read(36)
  const width = rest.readInt32LE(0)
  // The height is negative if the rows are stored from top to bottom.
  const height = Math.abs(rest.readInt32LE(4))
  if (width < 0) throw new BrokenImage('its width is negative')
  const coding = rest.readUInt32LE(12)
  if (plainCodings.has(coding)) {
    return { width, height, pixelBytes: rowBytes(width, rest.readUInt16LE(10)) * height }
  }
  if (!runLengthCodings.has(coding)) throw new BrokenImage('its compression is not supported')
  return { width, height, pixelBytes: rest.readUInt32LE(16) }
}

function rowBytes(width: number, depth: number): number {
  if (!depths.has(depth)) throw new BrokenImage('its colour depth is invalid')
  return Math.ceil((width * depth) / 32) * 4
}
