/** GIF 87a and 89a: reads block by block up to the trailer. */
import { BrokenImage, type ParsedImageSize } from './image.ts'
import { read, skip, type Parser } from './parser.ts'

const extension = 0x21
const imageDescriptor = 0x2c
const trailer = 0x3b

/** Starts after the six bytes of the signature. */
export function* parseGif(): Parser<ParsedImageSize> {
  const screen = yield read(7)
  const size = { width: screen.readUInt16LE(0), height: screen.readUInt16LE(2) }
  yield skip(colourTableBytes(screen[4]!))
  let frames = 0
  for (;;) {
    const block = (yield read(1))[0]
    if (block === trailer) {
      if (frames === 0) throw new BrokenImage('it contains no picture')
      return size
    }
    if (block === imageDescriptor) {
      yield* frameHead(size)
      frames++
    } else if (block === extension) {
      yield skip(1)
    } else {
      throw new BrokenImage('a block is damaged')
    }
    yield* skipSubBlocks()
  }
}

function* frameHead(size: ParsedImageSize): Parser<void> {
  const head = yield read(9)
  const right = head.readUInt16LE(0) + head.readUInt16LE(4)
  const bottom = head.readUInt16LE(2) + head.readUInt16LE(6)
  // A viewer that enlarges the canvas for the frame would show a different size than the one checked.
  if (right > size.width || bottom > size.height) throw new BrokenImage('a frame is larger than the image')
  // The additional byte is the smallest code size.
  yield skip(colourTableBytes(head[8]!) + 1)
}

function* skipSubBlocks(): Parser<void> {
  for (;;) {
    const length = (yield read(1))[0]!
    if (length === 0) return
    yield skip(length)
  }
}

function colourTableBytes(flags: number): number {
  return (flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 0x07) + 1)
}
