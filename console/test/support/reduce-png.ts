/**
 * Reduces a screenshot to a palette of 256 colours, a third of its size: the most frequent colours are kept, the others become the
 * nearest of them. Supports PNG as browsers write it: 8-bit RGB or RGBA, not interlaced.
 */
import { crc32, deflateSync, inflateSync } from 'node:zlib'

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const maxColours = 256
/** Colours that differ by less than 16 in each channel are counted as one. */
const bucketBits = 4

export function reducePng(png: Buffer): Buffer {
  const { width, height, pixels } = decode(png)
  const palette = choosePalette(pixels)
  const nearest = new Map<number, number>()
  const rows = Buffer.alloc(height * (width + 1))
  for (let at = 0; at < pixels.length; at += 1) {
    const colour = pixels[at]!
    let index = nearest.get(colour)
    if (index === undefined) {
      index = nearestColour(palette, colour)
      nearest.set(colour, index)
    }
    // Every row starts with its filter type, here none.
    rows[at + Math.floor(at / width) + 1] = index
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  // Eight bits per pixel, indexed colour.
  header.set([8, 3, 0, 0, 0], 8)
  const colours = Buffer.from(palette.flatMap((colour) => [colour >> 16, (colour >> 8) & 255, colour & 255]))
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('PLTE', colours),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

interface Picture {
  readonly width: number
  readonly height: number
  /** Each pixel as 0xRRGGBB, row by row. */
  readonly pixels: Uint32Array
}

function decode(png: Buffer): Picture {
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)]
  const kind = png[25]
  // Colour type 2 is RGB, 6 is RGBA. Byte 24 is the bit depth, byte 28 the interlacing.
  if (png[24] !== 8 || (kind !== 2 && kind !== 6) || png[28] !== 0)
    throw new Error('the image is not a PNG of a browser; take it with page.screenshot()')
  const bytes = kind === 6 ? 4 : 3
  const parts: Buffer[] = []
  for (let at = 8; at < png.length; at += png.readUInt32BE(at) + 12)
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT')
      parts.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)))
  const raw = unfilter(inflateSync(Buffer.concat(parts)), width * bytes, height, bytes)
  const pixels = new Uint32Array(width * height)
  for (let at = 0; at < pixels.length; at += 1) {
    const first = at * bytes
    pixels[at] = (raw[first]! << 16) | (raw[first + 1]! << 8) | raw[first + 2]!
  }
  return { width, height, pixels }
}

/** Reverses the row filters, which encode differences to the left pixel, the one above, or both. */
function unfilter(rows: Buffer, length: number, height: number, bytes: number): Buffer {
  const raw = Buffer.alloc(length * height)
  for (let row = 0; row < height; row += 1) {
    const kind = rows[row * (length + 1)]!
    for (let column = 0; column < length; column += 1) {
      const at = row * length + column
      const left = column < bytes ? 0 : raw[at - bytes]!
      const above = row === 0 ? 0 : raw[at - length]!
      const corner = row === 0 || column < bytes ? 0 : raw[at - length - bytes]!
      raw[at] = rows[row * (length + 1) + 1 + column]! + predict(kind, left, above, corner)
    }
  }
  return raw
}

/** Filter types of PNG: 0 none, 1 left, 2 above, 3 their average, 4 the closest of left, above and corner (Paeth). */
function predict(kind: number, left: number, above: number, corner: number): number {
  if (kind === 0) return 0
  if (kind === 1) return left
  if (kind === 2) return above
  if (kind === 3) return (left + above) >> 1
  const estimate = left + above - corner
  const [byLeft, byAbove, byCorner] = [left, above, corner].map((value) => Math.abs(estimate - value))
  if (byLeft! <= byAbove! && byLeft! <= byCorner!) return left
  return byAbove! <= byCorner! ? above : corner
}

/** Returns the most frequent colour of each of the largest groups of similar colours. */
function choosePalette(pixels: Uint32Array): number[] {
  const counts = new Map<number, number>()
  for (const colour of pixels) counts.set(colour, (counts.get(colour) ?? 0) + 1)
  if (counts.size <= maxColours) return [...counts.keys()]
  const groups = new Map<number, { colour: number; most: number; pixels: number }>()
  for (const [colour, count] of counts) {
    const mask = (0xff << bucketBits) & 0xff
    const key = colour & ((mask << 16) | (mask << 8) | mask)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, { colour, most: count, pixels: count })
    else {
      group.pixels += count
      if (count > group.most) Object.assign(group, { colour, most: count })
    }
  }
  return [...groups.values()]
    .sort((left, right) => right.pixels - left.pixels)
    .slice(0, maxColours)
    .map(({ colour }) => colour)
}

function nearestColour(palette: readonly number[], colour: number): number {
  let best = 0
  let least = Infinity
  for (const [index, candidate] of palette.entries()) {
    const red = (candidate >> 16) - (colour >> 16)
    const green = ((candidate >> 8) & 255) - ((colour >> 8) & 255)
    const blue = (candidate & 255) - (colour & 255)
    const distance = red * red + green * green + blue * blue
    if (distance < least) [best, least] = [index, distance]
  }
  return best
}

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data])
  const whole = Buffer.alloc(body.length + 8)
  whole.writeUInt32BE(data.length, 0)
  body.copy(whole, 4)
  whole.writeUInt32BE(crc32(body), body.length + 4)
  return whole
}
