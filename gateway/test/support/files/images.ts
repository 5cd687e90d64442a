/** Creates minimal complete images: valid headers with any dimensions, and almost no pixel data. */
import { crc32 } from 'node:zlib'
import type { ImageFormat } from '../../../src/records/files/image/image.ts'

export type MakeImage = (width: number, height: number, totalBytes?: number) => Buffer

export const makeJpeg: MakeImage = (width, height, totalBytes = 0) => {
  const frame = Buffer.from([0xff, 0xc0, 0, 11, 8, 0, 0, 0, 0, 1, 1, 0x11, 0])
  frame.writeUInt16BE(height, 5)
  frame.writeUInt16BE(width, 7)
  const head = Buffer.concat([
    Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16]),
    Buffer.from('JFIF\0\x01\x02\0\0\x01\0\x01\0\0', 'latin1'),
    frame,
    Buffer.from([0xff, 0xda, 0, 8, 1, 1, 0, 0, 0x3f, 0]),
    // Contents of a scan: a stuffed 0xff and a restart marker.
    Buffer.from([0x12, 0xff, 0x00, 0x34, 0xff, 0xd0, 0x56]),
  ])
  const end = Buffer.from([0xff, 0xff, 0xd9])
  return Buffer.concat([head, filling(totalBytes - head.length - end.length), end])
}

export const makePng: MakeImage = (width, height, totalBytes = 0) => {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2], 8)
  const head = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), chunk('IHDR', header)])
  const end = chunk('IEND', Buffer.alloc(0))
  return Buffer.concat([head, chunk('IDAT', filling(totalBytes - head.length - end.length - 12)), end])
}

export const makeGif: MakeImage = (width, height, totalBytes = 0) => {
  const screen = Buffer.alloc(7)
  screen.writeUInt16LE(width, 0)
  screen.writeUInt16LE(height, 2)
  screen[4] = 0x80
  const picture = Buffer.from([0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x4c, 0x01, 0])
  const comment = Buffer.from([0x21, 0xfe, 2, 0x68, 0x69, 0])
  const whole = [Buffer.from('GIF89a'), screen, Buffer.alloc(6), comment, picture, Buffer.from([0x3b])]
  return lengthened(Buffer.concat(whole), totalBytes)
}

/** One bit per pixel keeps large images small. */
export const makeBmp: MakeImage = (width, height, totalBytes = 0) => {
  const head = Buffer.alloc(62)
  head.write('BM', 'latin1')
  head.writeUInt32LE(head.length, 10)
  head.writeUInt32LE(40, 14)
  head.writeInt32LE(width, 18)
  head.writeInt32LE(height, 22)
  head.writeUInt16LE(1, 26)
  head.writeUInt16LE(1, 28)
  const pixels = Buffer.alloc(Math.ceil(width / 32) * 4 * Math.abs(height))
  head.writeUInt32LE(head.length + pixels.length, 2)
  return lengthened(Buffer.concat([head, pixels]), totalBytes)
}

export const makers: Readonly<Record<ImageFormat, MakeImage>> = {
  jpg: makeJpeg,
  png: makePng,
  gif: makeGif,
  bmp: makeBmp,
}

export function chunk(type: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), content])
  const whole = Buffer.alloc(named.length + 8)
  whole.writeUInt32BE(content.length, 0)
  named.copy(whole, 4)
  whole.writeUInt32BE(crc32(named), named.length + 4)
  return whole
}

function filling(bytes: number): Buffer {
  return Buffer.alloc(Math.max(0, bytes), 0x11)
}

/** Appends bytes after the end of the image, which are ignored and accepted. */
function lengthened(image: Buffer, totalBytes: number): Buffer {
  return Buffer.concat([image, filling(totalBytes - image.length)])
}
