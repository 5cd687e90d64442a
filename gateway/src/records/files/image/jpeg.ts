/**
 * JPEG (ITU-T T.81): reads the segments up to the end of the image. Accepts only what every handset shows: 8-bit
 * baseline, extended or progressive with Huffman coding, one frame.
 */
import { BrokenImage, type ParsedImageSize } from './image.ts'
import { findByte, read, skip, type Parser } from './parser.ts'

const temporary = 0x01
const startOfImage = 0xd8
const endOfImage = 0xd9
const startOfScan = 0xda
const supportedFrames = new Set([0xc0, 0xc1, 0xc2])
// 0xc4, 0xc8 and 0xcc are in this range but are not frames.
const unsupportedFrames = new Set([0xc3, 0xc5, 0xc6, 0xc7, 0xc9, 0xca, 0xcb, 0xcd, 0xce, 0xcf])

const isRestart = (code: number): boolean => code >= 0xd0 && code <= 0xd7

/** Starts after the two bytes of the start marker. */
export function* parseJpeg(): Parser<ParsedImageSize> {
  let size: ParsedImageSize | null = null
  let scans = 0
  let code = yield* marker()
  for (;;) {
    if (code === endOfImage) {
      if (size === null || scans === 0) throw new BrokenImage('it contains no picture')
      return size
    }
    if (code === 0 || code === startOfImage || isRestart(code)) {
      throw new BrokenImage('a marker is out of place')
    }
    if (unsupportedFrames.has(code))
      throw new BrokenImage('it is not baseline, extended or progressive with Huffman coding')
    if (code !== temporary) {
      const length = (yield read(2)).readUInt16BE() - 2
      if (supportedFrames.has(code)) {
        if (size !== null) throw new BrokenImage('it has two frames')
        size = yield* frame(length)
      } else {
        if (length < 0) throw new BrokenImage('a segment has no length')
        yield skip(length)
      }
    }
    if (code === startOfScan) {
      scans++
      code = yield* markerAfterScan()
    } else {
      code = yield* marker()
    }
  }
}

function* frame(length: number): Parser<ParsedImageSize> {
  if (length < 6) throw new BrokenImage('its frame is too short')
  const head = yield read(6)
  if (head[0] !== 8) throw new BrokenImage('it does not have 8 bits per sample')
  yield skip(length - 6)
  return { height: head.readUInt16BE(1), width: head.readUInt16BE(3) }
}

function* marker(): Parser<number> {
  if ((yield read(1))[0] !== 0xff) throw new BrokenImage('a marker is missing')
  for (;;) {
    const code = (yield read(1))[0]!
    // A marker can be preceded by any number of fill bytes.
    if (code !== 0xff) return code
  }
}

/**
 * Finds the next marker: within the compressed bytes 0xff is followed by 0, and restart markers can occur.
 */
function* markerAfterScan(): Parser<number> {
  for (;;) {
    yield findByte(0xff)
    const code = yield* marker()
    if (code !== 0 && !isRestart(code)) return code
  }
}
