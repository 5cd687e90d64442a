/**
 * Corrupts octets in ways that reveal parser faults. Repeatable: the caller's generator decides everything.
 */

/** Returns the number of inputs for a test: `SIMULATOR_FUZZ`, or `quick` by default. */
export function rounds(quick: number): number {
  return Number(process.env['SIMULATOR_FUZZ'] ?? quick)
}

const INTERESTING = [
  0x00, 0x0a, 0x0d, 0x20, 0x22, 0x26, 0x2d, 0x2f, 0x3b, 0x3c, 0x3d, 0x3e, 0x5d, 0x7f, 0x80, 0xb0, 0xff,
]
const MAX_CHANGES = 4

export function mutate(original: Buffer, random: () => number): Buffer {
  const below = (limit: number): number => Math.floor(random() * limit)
  let octets = Buffer.from(original)
  for (let change = below(MAX_CHANGES); change >= 0; change--) {
    const at = below(octets.length)
    const length = below(random() < 0.5 ? 4 : octets.length - at)
    const middle = octets.subarray(at, at + length)
    const [head, tail] = [octets.subarray(0, at), octets.subarray(at + length)]
    switch (below(5)) {
      case 0:
        octets = Buffer.concat([head, tail])
        break
      case 1:
        octets = Buffer.concat([head, middle, middle, tail])
        break
      case 2:
        octets = Buffer.concat([head, Buffer.from([INTERESTING[below(INTERESTING.length)]!]), tail])
        break
      case 3:
        octets = Buffer.concat([head, middle.toReversed(), tail])
        break
      default:
        octets = Buffer.from(octets)
        if (octets.length > 0) octets[at] = below(256)
    }
  }
  return octets
}
