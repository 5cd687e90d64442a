/**
 * Packs and unpacks septets as on the radio path (3GPP TS 23.038 §6.1.2.1), for carriers that use the packed default
 * alphabet.
 */

/** Fills a last septet of seven spare bits; zeros would read as `@`. */
const carriageReturn = 0x0d

/** Returns the number of bits between a header of this size and the first septet. */
export function fillBits(headerBytes: number): number {
  return (7 - ((headerBytes * 8) % 7)) % 7
}

/** Puts `fill` zero bits first. Seven spare bits at the end hold a carriage return. */
export function packSeptets(septets: Uint8Array, fill = 0): Buffer {
  const spare = (8 - ((fill + septets.length * 7) % 8)) % 8
  const padded = spare === 7 ? Buffer.concat([septets, Buffer.of(carriageReturn)]) : septets
  const octets = Buffer.alloc(Math.ceil((fill + padded.length * 7) / 8))
  let bit = fill
  for (const septet of padded) {
    const shifted = septet << (bit & 7)
    octets[bit >> 3]! |= shifted & 0xff
    if (shifted > 0xff) octets[(bit >> 3) + 1]! |= shifted >> 8
    bit += 7
  }
  return octets
}

/** Omits a last septet that may be padding (zeros, or a carriage return). */
export function unpackSeptets(octets: Uint8Array, fill = 0): Buffer {
  const bits = octets.length * 8 - fill
  const count = Math.max(0, Math.floor(bits / 7))
  const septets = Buffer.alloc(count)
  for (let index = 0, bit = fill; index < count; index++, bit += 7) {
    const pair = octets[bit >> 3]! | ((octets[(bit >> 3) + 1] ?? 0) << 8)
    septets[index] = (pair >> (bit & 7)) & 0x7f
  }
  const last = septets[count - 1]
  const mayBeFilling = bits % 7 === 0 && (last === 0 || last === carriageReturn)
  return mayBeFilling ? septets.subarray(0, count - 1) : septets
}
