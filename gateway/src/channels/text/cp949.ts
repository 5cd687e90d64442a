/**
 * CP949 (Unified Hangul Code), the octets that Korean carriers mean by "EUC-KR" and in which they count length.
 *
 * Strict: iconv-lite has no strict mode and writes `?` for what it cannot encode, so everything here goes
 * through a table of what it can encode.
 */
import iconv from 'iconv-lite'

const lineFeed = 0x0a
const replacement = 0xfffd

interface Tables {
  /** By UTF-16 unit: the octets it takes, 0 when CP949 has no such character. Surrogates stay 0: CP949 has only characters of the BMP. */
  readonly widths: Uint8Array
  /** By UTF-16 unit. */
  readonly codes: Uint16Array
}

let tables: Tables | undefined

/** Made when a text is first counted or encoded: most commands need none. */
function readTables(): Tables {
  const widths = new Uint8Array(0x10000)
  const codes = new Uint16Array(0x10000)
  for (let unit = 0; unit < 0x80; unit++) {
    widths[unit] = 1
    codes[unit] = unit
  }
  // One call over all codes of two octets, each closed by a line feed, which is no second octet. To encode all units takes a tenth longer.
  const pairs: number[] = []
  for (let first = 0x81; first <= 0xfe; first++)
    for (let second = 0x41; second <= 0xfe; second++) pairs.push((first << 8) | second)
  const octets = Buffer.alloc(3 * pairs.length, lineFeed)
  for (const [index, code] of pairs.entries()) octets.writeUInt16BE(code, 3 * index)
  const text = iconv.decode(octets, 'cp949')
  let at = 0
  for (const code of pairs) {
    const unit = text.charCodeAt(at)
    // A second octet that follows no first one is a character of its own.
    const isCharacter = text.charCodeAt(at + 1) === lineFeed
    if (isCharacter && unit !== replacement && widths[unit] === 0) {
      widths[unit] = 2
      codes[unit] = code
    }
    at += isCharacter ? 2 : 3
  }
  return { widths, codes }
}

export interface Unencodable {
  /** The whole character, both halves of a surrogate pair. */
  readonly character: string
  /** In UTF-16 units. */
  readonly index: number
}

/** The first character that CP949 cannot carry, or null when the whole text can be sent. */
export function findUnencodable(text: string): Unencodable | null {
  const { widths } = (tables ??= readTables())
  for (let index = 0; index < text.length; index++) {
    if (widths[text.charCodeAt(index)] === 0) {
      return { character: String.fromCodePoint(text.codePointAt(index)!), index }
    }
  }
  return null
}

/** Null when `findUnencodable` finds a character. */
export function tryCountCp949Bytes(text: string): number | null {
  const { widths } = (tables ??= readTables())
  let bytes = 0
  for (let index = 0; index < text.length; index++) {
    const width = widths[text.charCodeAt(index)]!
    if (width === 0) return null
    bytes += width
  }
  return bytes
}

/** By the tables: for the text of an SMS a call of iconv-lite takes 0.9 µs, this 0.3. */
export function encodeCp949(text: string): Buffer {
  const { widths, codes } = (tables ??= readTables())
  const octets = Buffer.allocUnsafe(2 * text.length)
  let length = 0
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    const width = widths[unit]!
    if (width === 0) throw unencodable(text)
    const code = codes[unit]!
    if (width === 2) octets[length++] = code >> 8
    octets[length++] = code & 0xff
  }
  return octets.subarray(0, length)
}

function unencodable(text: string): RangeError {
  const found = findUnencodable(text)!
  const point = found.character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')
  return new RangeError(`U+${point} at index ${found.index} is not in CP949`)
}
