/**
 * Decodes EUC-KR as a strict carrier does: ASCII and the two-octet characters of KS X 1001. Pure. Characters of the
 * CP949 extension are not part of it: each becomes U+FFFD and the result says so, because handsets show them wrongly.
 */

export interface Decoded {
  readonly text: string
  /** False: some octets are not EUC-KR. */
  readonly strict: boolean
}

const decoder = new TextDecoder('euc-kr', { fatal: true })
const REPLACEMENT = '\ufffd'

/** One character, or undefined when the pair is not assigned. */
function pair(octets: Buffer): string | undefined {
  try {
    return decoder.decode(octets)
  } catch {
    return undefined
  }
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
    const valid = first >= 0xa1 && first <= 0xfe && second >= 0xa1 && second <= 0xfe
    const character = valid ? pair(octets.subarray(at, at + 2)) : undefined
    text += character ?? REPLACEMENT
    strict &&= character !== undefined
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
