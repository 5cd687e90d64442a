/**
 * CP949 (Unified Hangul Code), the encoding that Korean carriers call "EUC-KR" and in which they count
 * length.
 *
 * Strict: iconv-lite has no strict mode and writes `?` for a character that it cannot encode, so all
 * functions use a table of the encodable characters.
 */
import iconv from 'iconv-lite'

const lineFeed = 0x0a
const replacement = 0xfffd

interface Tables {
  /**
   * Octets by UTF-16 unit; 0 if CP949 has no such character. Surrogates stay 0: CP949 has only characters of
   * the BMP.
   */
  readonly widths: Uint8Array
  /** Codes by UTF-16 unit. */
  readonly codes: Uint16Array
}

let tables: Tables | undefined

/** Built when a text is first counted or encoded: most commands need none. */
function buildTables(): Tables {
  const widths = new Uint8Array(0x10000)
  const codes = new Uint16Array(0x10000)
  for (let unit = 0; unit < 0x80; unit++) {
    widths[unit] = 1
    codes[unit] = unit
  }
  // One call over all codes of two octets, each closed by a line feed, which is no valid second octet. This
  // is faster than encoding all units.
  const pairs: number[] = []
  for (let first = 0x81; first <= 0xfe; first++)
    for (let second = 0x41; second <= 0xfe; second++) pairs.push((first << 8) | second)
  const octets = Buffer.alloc(3 * pairs.length, lineFeed)
  for (const [index, code] of pairs.entries()) octets.writeUInt16BE(code, 3 * index)
  const text = iconv.decode(octets, 'cp949')
  let at = 0
  for (const code of pairs) {
    const unit = text.charCodeAt(at)
    // A second octet without a first one is a character of its own.
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
  /** The whole character, including both halves of a surrogate pair. */
  readonly character: string
  /** Position in UTF-16 units. */
  readonly index: number
}

/** Returns the first character that CP949 cannot encode, or null if the whole text can be sent. */
export function findUnencodable(text: string): Unencodable | null {
  const { widths } = (tables ??= buildTables())
  for (let index = 0; index < text.length; index++) {
    if (widths[text.charCodeAt(index)] === 0) {
      return { character: String.fromCodePoint(text.codePointAt(index)!), index }
    }
  }
  return null
}

/** Returns null if `findUnencodable` finds a character. */
export function tryCountCp949Bytes(text: string): number | null {
  const { widths } = (tables ??= buildTables())
  let bytes = 0
  for (let index = 0; index < text.length; index++) {
    const width = widths[text.charCodeAt(index)]!
    if (width === 0) return null
    bytes += width
  }
  return bytes
}

/**
 * Uses the tables, which is faster than a call of iconv-lite. Throws a RangeError for a character that is not in
 * CP949.
 */
export function encodeCp949(text: string): Buffer {
  const { widths, codes } = (tables ??= buildTables())
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
  const firstUnencodable = findUnencodable(text)!
  const point = firstUnencodable.character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')
  return new RangeError(`U+${point} at index ${firstUnencodable.index} is not in CP949`)
}
