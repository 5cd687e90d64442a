/** PNG (ISO/IEC 15948): checks the CRC of the header, then reads chunk by chunk up to the end of the image. */
import { crc32 } from 'node:zlib'
import { BrokenImage, type ParsedImageSize } from './image.ts'
import { read, skip, type Parser } from './parser.ts'

const headerBytes = 13
const maxChunkBytes = 0x7fffffff

/** Starts after the eight bytes of the signature. */
export function* parsePng(): Parser<ParsedImageSize> {
  // Length, type, content and CRC of IHDR, which must come first.
  const head = yield read(12 + headerBytes)
  const crcInput = head.subarray(4, 8 + headerBytes)
  if (head.readUInt32BE(0) !== headerBytes || head.toString('latin1', 4, 8) !== 'IHDR') {
    throw new BrokenImage('its header is missing')
  }
  if (head.readUInt32BE(8 + headerBytes) !== crc32(crcInput)) throw new BrokenImage('its header is damaged')
  const size = { width: head.readUInt32BE(8), height: head.readUInt32BE(12) }
  let hasData = false
  for (;;) {
    const start = yield read(8)
    const length = start.readUInt32BE(0)
    const type = start.toString('latin1', 4, 8)
    if (length > maxChunkBytes || !/^[A-Za-z]{4}$/.test(type)) throw new BrokenImage('a chunk is damaged')
    if (type === 'IHDR') throw new BrokenImage('it has two headers')
    yield skip(length + 4)
    if (type === 'IDAT') hasData = true
    if (type === 'IEND') {
      if (!hasData) throw new BrokenImage('it contains no picture')
      return size
    }
  }
}
