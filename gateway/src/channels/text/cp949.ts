/**
 * CP949 (Unified Hangul Code), the octets that Korean carriers mean by "EUC-KR" and in which they count length.
 *
 * Strict: iconv-lite has no strict mode and writes `?` for what it cannot encode, so everything here goes
 * through a table of what it can encode.
 */
import iconv from 'iconv-lite'

const questionMark = 0x3f
const lineFeed = 0x0a

/**
 * By UTF-16 unit: the octets it takes, 0 when CP949 has no such character, and its code. Surrogates stay 0: CP949 has only
 * characters of the BMP.
 */
const { widths, codes } = readTables()

function readTables(): { readonly widths: Uint8Array; readonly codes: Uint16Array } {
  // One call over all units, each closed by a line feed (no CP949 trail octet is below 0x41), takes 20 ms
  // at load; a call for each takes 50.
  let units = ''
  for (let unit = 0; unit < 0x10000; unit++) units += String.fromCharCode(unit) + '\n'
  const octets = iconv.encode(units, 'cp949')
  const tables = { widths: new Uint8Array(0x10000), codes: new Uint16Array(0x10000) }
  for (let unit = 0, offset = 0; unit < 0x10000; unit++) {
    const width = octets[offset + 1] === lineFeed ? 1 : 2
    const replaced = width === 1 && octets[offset] === questionMark && unit !== questionMark
    tables.widths[unit] = replaced ? 0 : width
    tables.codes[unit] = width === 1 ? octets[offset]! : octets.readUInt16BE(offset)
    offset += width + 1
  }
  return tables
}

export interface Unencodable {
  /** The whole character, both halves of a surrogate pair. */
  readonly character: string
  /** In UTF-16 units. */
  readonly index: number
}

/** The first character that CP949 cannot carry, or null when the whole text can be sent. */
export function findUnencodable(text: string): Unencodable | null {
  for (let index = 0; index < text.length; index++) {
    if (widths[text.charCodeAt(index)] === 0) {
      return { character: String.fromCodePoint(text.codePointAt(index)!), index }
    }
  }
  return null
}

/** Null when `findUnencodable` finds a character. */
export function tryCountCp949Bytes(text: string): number | null {
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
