import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { imageSize } from 'image-size'
import { chunk, makeBmp, makeGif, makeJpeg, makePng, makers } from '../../../../test/support/files/images.ts'
import { imageFormats } from './image.ts'
import { ImageScanner, type ImageScan } from './scan.ts'

function scan(bytes: Buffer, step = bytes.length): ImageScan {
  const scanner = new ImageScanner()
  for (let at = 0; at < bytes.length; at += step) scanner.push(bytes.subarray(at, at + step))
  return scanner.finish()
}

const formats = fc.constantFrom(...imageFormats)
const sides = fc.integer({ min: 1, max: 600 })

test('measures every format the same however the bytes are split, and as another implementation does', () => {
  fc.assert(
    fc.property(formats, sides, sides, fc.integer({ min: 1, max: 40 }), (format, width, height, step) => {
      const image = makers[format](width, height)
      assert.deepEqual(scan(image, step), { kind: 'image', format, width, height })
      const other = imageSize(image)
      assert.deepEqual([other.type, other.width, other.height], [format, width, height])
    }),
    { numRuns: 200 },
  )
})

test('never accepts an image whose end is missing', () => {
  for (const format of imageFormats) {
    const image = makers[format](33, 20)
    for (let length = 0; length < image.length; length++) {
      assert.notEqual(
        scan(image.subarray(0, length)).kind,
        'image',
        `${format}, ${length} of ${image.length}`,
      )
    }
  }
})

test('ignores bytes after the end of an image', () => {
  for (const format of imageFormats) {
    const trailed = Buffer.concat([makers[format](9, 8), Buffer.from('a camera wrote this')])
    assert.deepEqual(scan(trailed, 7), { kind: 'image', format, width: 9, height: 8 })
  }
})

test('never throws and never hangs for any bytes', () => {
  const damage = fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 8 })
  fc.assert(
    fc.property(formats, damage, (format, changes) => {
      const image = makers[format](40, 30)
      for (const [at, byte] of changes) image[at % image.length] = byte
      scan(image, 11)
    }),
    { numRuns: 1_000 },
  )
  fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => void scan(Buffer.from(bytes))))
})

const text = (content: string): Buffer => Buffer.from(content, 'latin1')

const unknown: [description: string, bytes: Buffer][] = [
  ['nothing', Buffer.alloc(0)],
  ['one byte', text('\xff')],
  ['text', text('this is not an image')],
  ['HTML', text('<html><script>alert(1)</script>')],
  ['SVG', text('<svg xmlns="http://www.w3.org/2000/svg"/>')],
  ['WebP', text('RIFF\x24\0\0\0WEBPVP8 ')],
  ['PDF', text('%PDF-1.7')],
  ['almost a PNG', text('\x89PNG\n\n\x1a\n')],
  ['almost a GIF', text('GIF90a')],
]
for (const [description, bytes] of unknown) {
  test(`reports ${description} as not an image`, () => {
    assert.deepEqual(scan(bytes), { kind: 'unknown' })
  })
}

const jpeg = makeJpeg(20, 10)
const frameAt = jpeg.indexOf(Buffer.from([0xff, 0xc0]))
const frame = jpeg.subarray(frameAt, frameAt + 13)
const withFrame = (change: (copy: Buffer) => void): Buffer => {
  const copy = Buffer.from(jpeg)
  change(copy.subarray(frameAt))
  return copy
}
const png = makePng(20, 10)
/** Signature (8 bytes) and IHDR (25). */
const pngHead = png.subarray(0, 33)
/** Signature (6 bytes), screen (7) and colour table (6), before the first block. */
const gifHead = makeGif(20, 10).subarray(0, 19)
const bmp = (change: (copy: Buffer) => void): Buffer => {
  const copy = makeBmp(20, 10)
  change(copy)
  return copy
}

const broken: [description: string, bytes: Buffer, reason: RegExp][] = [
  ['a JPEG without a picture', text('\xff\xd8\xff\xd9'), /no picture/],
  ['a JPEG that continues with text', text('\xff\xd8hello'), /marker is missing/],
  ['a JPEG with two frames', Buffer.concat([text('\xff\xd8'), frame, jpeg.subarray(2)]), /two frames/],
  ['a lossless JPEG', withFrame((copy) => copy.writeUInt8(0xc3, 1)), /baseline/],
  ['a JPEG of 12 bits', withFrame((copy) => copy.writeUInt8(12, 4)), /8 bits/],
  ['a JPEG whose frame is too short', withFrame((copy) => copy.writeUInt16BE(4, 2)), /too short/],
  ['a JPEG within a JPEG', Buffer.concat([text('\xff\xd8'), jpeg]), /out of place/],
  ['a segment without length', text('\xff\xd8\xff\xe0\0\0'), /no length/],
  [
    'a PNG that starts otherwise',
    Buffer.concat([png.subarray(0, 8), png.subarray(pngHead.length)]),
    /header is missing|end/,
  ],
  [
    'a PNG with a damaged header',
    Buffer.concat([png.subarray(0, 17), text('\x01'), png.subarray(18)]),
    /damaged/,
  ],
  ['a PNG with two headers', Buffer.concat([pngHead, png.subarray(8)]), /two headers/],
  ['a PNG without a picture', Buffer.concat([pngHead, chunk('IEND', Buffer.alloc(0))]), /no picture/],
  ['a PNG with a chunk of 4 GB', Buffer.concat([pngHead, text('\xff\xff\xff\xffIDAT')]), /chunk is damaged/],
  ['a GIF without a picture', Buffer.concat([gifHead, text(';')]), /no picture/],
  ['a GIF with an unknown block', Buffer.concat([gifHead, text('?')]), /block is damaged/],
  [
    'a GIF with a frame larger than itself',
    Buffer.concat([gifHead, text(',\0\0\0\0\xff\x7f\xff\x7f\0')]),
    /larger/,
  ],
  ['a BMP of a negative width', bmp((copy) => copy.writeInt32LE(-20, 18)), /negative/],
  ['a BMP that claims a huge size', bmp((copy) => copy.writeInt32LE(2_000_000_000, 18)), /end is missing/],
  ['a BMP with a JPEG in it', bmp((copy) => copy.writeUInt32LE(4, 30)), /compression/],
  ['a BMP of 7 bits', bmp((copy) => copy.writeUInt16LE(7, 28)), /depth/],
  ['a BMP with an unknown header', bmp((copy) => copy.writeUInt32LE(13, 14)), /header is damaged/],
  ['a BMP whose pixels lie in its header', bmp((copy) => copy.writeUInt32LE(20, 10)), /header is damaged/],
]
for (const [description, bytes, reason] of broken) {
  test(`reports ${description} as broken`, () => {
    const result = scan(bytes, 5)
    assert.equal(result.kind, 'broken')
    assert.match(result.reason, reason)
  })
}

test('accepts BMPs that start at the top, are run-length encoded, or have the oldest header', () => {
  const size = { kind: 'image', format: 'bmp', width: 20, height: 10 }
  assert.deepEqual(scan(bmp((copy) => copy.writeInt32LE(-10, 22))), size)
  const coded = bmp((copy) => {
    copy.writeUInt32LE(1, 30)
    copy.writeUInt32LE(12, 34)
  })
  assert.deepEqual(scan(coded), size)
  const old = Buffer.alloc(26 + 4 * 10)
  old.write('BM', 'latin1')
  old.writeUInt32LE(26, 10)
  old.writeUInt32LE(12, 14)
  for (const [at, value] of [20, 10, 1, 1].entries()) old.writeUInt16LE(value, 18 + 2 * at)
  assert.deepEqual(scan(old), size)
})

test('measures an image of absurd size without decoding it', () => {
  assert.deepEqual(scan(makePng(2 ** 31 - 1, 2 ** 31 - 1)), {
    kind: 'image',
    format: 'png',
    width: 2 ** 31 - 1,
    height: 2 ** 31 - 1,
  })
})
