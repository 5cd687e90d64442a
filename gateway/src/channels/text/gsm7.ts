/**
 * The GSM 03.38 default alphabet and its extension table as unpacked septets, one per octet, which is how
 * SMPP carries data_coding 0.
 *
 * Strict: a character outside the alphabet is an error, never a lookalike or a question mark. National shift
 * tables are not used, because a handset or carrier without them displays other characters.
 */
const escape = 0x1b
const absent = 0xffff

/** Position is the septet. Septet 0x1B is the escape and is not a character. */
const basicAlphabet =
  '@£$¥èéùìòÇ\nØø\rÅå' +
  'Δ_ΦΓΛΩΠΨΣΘΞ\u001bÆæßÉ' +
  ' !"#¤%&\'()*+,-./' +
  '0123456789:;<=>?' +
  '¡ABCDEFGHIJKLMNO' +
  'PQRSTUVWXYZÄÖÑÜ§' +
  '¿abcdefghijklmno' +
  'pqrstuvwxyzäöñüà'

/** Each is sent as the escape followed by the septet, so it takes two septets. */
const extensionTable: readonly (readonly [character: string, septet: number])[] = [
  ['\f', 0x0a],
  ['^', 0x14],
  ['{', 0x28],
  ['}', 0x29],
  ['\\', 0x2f],
  ['[', 0x3c],
  ['~', 0x3d],
  [']', 0x3e],
  ['|', 0x40],
  ['€', 0x65],
]

/**
 * Maps a UTF-16 unit to its septet, to escape and septet as two octets, or to `absent`. Covers the whole BMP,
 * so no range checks are needed.
 */
const codes = new Uint16Array(0x10000).fill(absent)
for (let septet = 0; septet < basicAlphabet.length; septet++) {
  if (septet !== escape) codes[basicAlphabet.charCodeAt(septet)] = septet
}
for (const [character, septet] of extensionTable) {
  codes[character.charCodeAt(0)] = (escape << 8) | septet
}

/**
 * Matches texts whose septets are their ASCII codes: nearly every English text, copied in one native call.
 */
const sameAsAscii = /^[\n\r !"#%-?A-Za-z]*$/

export function isGsm7(text: string): boolean {
  for (let index = 0; index < text.length; index++) {
    if (codes[text.charCodeAt(index)] === absent) return false
  }
  return true
}

/** Returns the septets of one UTF-16 unit of a GSM-7 text: 2 in the extension table, otherwise 1. */
export function countUnitSeptets(unit: number): 1 | 2 {
  return codes[unit]! > 0x7f ? 2 : 1
}

/** Assumes `isGsm7(text)`. */
export function countSeptets(text: string): number {
  let septets = text.length
  for (let index = 0; index < text.length; index++) {
    if (codes[text.charCodeAt(index)]! > 0x7f) septets++
  }
  return septets
}

export function encodeGsm7(text: string): Buffer {
  if (sameAsAscii.test(text)) return Buffer.from(text, 'latin1')
  const octets = Buffer.allocUnsafe(countSeptets(text))
  let length = 0
  for (let index = 0; index < text.length; index++) {
    const code = codes[text.charCodeAt(index)]!
    if (code <= 0x7f) {
      octets[length++] = code
    } else if (code !== absent) {
      octets[length++] = escape
      octets[length++] = code & 0x7f
    } else {
      const point = text.codePointAt(index)!.toString(16).toUpperCase().padStart(4, '0')
      throw new RangeError(`U+${point} at index ${index} is not in the GSM 03.38 alphabet`)
    }
  }
  return octets
}

const extension: ReadonlyMap<number, string> = new Map(
  extensionTable.map(([character, septet]) => [septet, character]),
)

/**
 * Returns the text that a phone displays for unpacked septets. Never fails: after an escape, a septet that is
 * missing in the extension table counts as one of the basic alphabet, as in the standard, and an octet above
 * 0x7F becomes the replacement character.
 */
export function decodeGsm7(octets: Uint8Array): string {
  let text = ''
  for (let index = 0; index < octets.length; index++) {
    const octet = octets[index]!
    if (octet !== escape) {
      text += basicAlphabet[octet] ?? '\ufffd'
      continue
    }
    const next = octets[++index]
    if (next !== undefined) text += extension.get(next) ?? basicAlphabet[next] ?? '\ufffd'
  }
  return text
}
