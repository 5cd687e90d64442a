/**
 * Decodes EUC-KR as a strict carrier does: ASCII and the two-octet characters of KS X 1001. Pure. Characters of the
 * CP949 extension are not part of it: each becomes U+FFFD and the result says so, because handsets show them wrongly.
 */

export interface Decoded {
  readonly text: string
  /** False: some octets are not EUC-KR. */
  readonly strict: boolean
}

const REPLACEMENT = '\ufffd'
const FIRST = 0xa1
const ROW = 0xfe - FIRST + 1

const decoder = new TextDecoder('euc-kr')

/**
 * The character of every pair of octets; empty where KS X 1001 assigns none, which the decoder shows as a replacement or
 * a private character. One table, because decoding a pair at a time is slow.
 */
const characters = Array.from({ length: ROW * ROW }, (_, index) => {
  const octets = Buffer.from([FIRST + Math.floor(index / ROW), FIRST + (index % ROW)])
  const character = decoder.decode(octets)
  return /[\ufffd\ue000-\uf8ff]/.test(character) ? '' : character
})

function characterOf(first: number, second: number): string {
  const row = first - FIRST
  const cell = second - FIRST
  return row >= 0 && row < ROW && cell >= 0 && cell < ROW ? characters[row * ROW + cell]! : ''
}

export function decodeEucKr(octets: Buffer): Decoded {
  let text = ''
  let strict = true
  for (let at = 0; at < octets.length; at++) {
    const first = octets[at]!
    if (first < 0x80) {
      text += String.fromCharCode(first)
      continue
    }
    const second = octets[at + 1] ?? 0
    const character = characterOf(first, second)
    text += character || REPLACEMENT
    strict &&= character !== ''
    // The second octet of a CP949 character may be ASCII: it belongs to the pair all the same.
    if (second >= 0x41) at++
  }
  return { text, strict }
}

/** Text in the charset of a MIME part or an XML declaration. */
export function decodeCharset(octets: Buffer, charset: string | undefined): Decoded {
  const name = (charset ?? 'utf-8').toLowerCase()
  if (['euc-kr', 'ks_c_5601-1987', 'ksc5601', 'ks_c_5601', 'euckr'].includes(name)) return decodeEucKr(octets)
  const text = octets.toString('utf8')
  return { text, strict: ['utf-8', 'utf8', 'us-ascii'].includes(name) && !text.includes(REPLACEMENT) }
}
