/**
 * Decodes EUC-KR like a strict carrier: ASCII and the two-octet characters of KS X 1001. Characters of the
 * CP949 extension become U+FFFD and clear `strict`, because handsets display them incorrectly.
 */

export interface DecodedText {
  readonly text: string
  /** Whether all octets were valid in the charset. */
  readonly strict: boolean
}

const REPLACEMENT = '\ufffd'
const FIRST = 0xa1
const ROW = 0xfe - FIRST + 1

const decoder = new TextDecoder('euc-kr')

/**
 * Characters by octet pair; empty for unassigned pairs, which the decoder maps to a replacement or
 * private-use character. Precomputed because decoding one pair at a time is slow.
 */
const characters = Array.from({ length: ROW * ROW }, (_, index) => {
  const octets = Buffer.from([FIRST + Math.floor(index / ROW), FIRST + (index % ROW)])
  const character = decoder.decode(octets)
  return /[\ufffd\ue000-\uf8ff]/.test(character) ? '' : character
})

function lookUpCharacter(first: number, second: number): string {
  const row = first - FIRST
  const cell = second - FIRST
  return row >= 0 && row < ROW && cell >= 0 && cell < ROW ? characters[row * ROW + cell]! : ''
}

export function decodeEucKr(octets: Buffer): DecodedText {
  let text = ''
  let strict = true
  for (let at = 0; at < octets.length; at++) {
    const first = octets[at]!
    if (first < 0x80) {
      text += String.fromCharCode(first)
      continue
    }
    const second = octets[at + 1] ?? 0
    const character = lookUpCharacter(first, second)
    text += character || REPLACEMENT
    strict &&= character !== ''
    // The second octet of a CP949 character may be ASCII but belongs to the pair.
    if (second >= 0x41) at++
  }
  return { text, strict }
}

/** Decodes text in the charset of a MIME part. Any charset other than EUC-KR is read as UTF-8. */
export function decodeCharset(octets: Buffer, charset: string | undefined): DecodedText {
  const name = (charset ?? 'utf-8').toLowerCase()
  if (['euc-kr', 'ks_c_5601-1987', 'ksc5601', 'ks_c_5601', 'euckr'].includes(name)) return decodeEucKr(octets)
  const text = octets.toString('utf8')
  return { text, strict: ['utf-8', 'utf8', 'us-ascii'].includes(name) && !text.includes(REPLACEMENT) }
}
