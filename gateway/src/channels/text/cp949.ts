/**
 * CP949 (Unified Hangul Code), the octets that Korean carriers mean by "EUC-KR" and in which they count length.
 *
 * Strict: iconv-lite has no strict mode and writes `?` for what it cannot encode, so everything here goes
 * through a table of what it can encode.
 */
import iconv from 'iconv-lite'

const questionMark = 0x3f
const lineFeed = 0x0a

/** UTF-16 unit → octets it takes, 0 when CP949 has no such character. Surrogates stay 0: CP949 has only characters of the BMP. */
const widths = measureWidths()

function measureWidths(): Uint8Array {
  // One call over all units, each closed by a line feed (no CP949 trail octet is below 0x41), takes 20 ms
  // at load; a call for each takes 50.
  let units = ''
  for (let unit = 0; unit < 0x10000; unit++) units += String.fromCharCode(unit) + '\n'
  const octets = iconv.encode(units, 'cp949')
  const table = new Uint8Array(0x10000)
  for (let unit = 0, offset = 0; unit < table.length; unit++) {
    const width = octets[offset + 1] === lineFeed ? 1 : 2
    const replaced = width === 1 && octets[offset] === questionMark && unit !== questionMark
    table[unit] = replaced ? 0 : width
    offset += width + 1
  }
  return table
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

export function encodeCp949(text: string): Buffer {
  const found = findUnencodable(text)
  if (found === null) return iconv.encode(text, 'cp949')
  const point = found.character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')
  throw new RangeError(`U+${point} at index ${found.index} is not in CP949`)
}
