/**
 * The Hangul of the test texts and its octets in CP949, from another implementation (Python's), so that the gateway's
 * codec is not tested against itself. 뷁, 똠, 펲 and 힣 are outside KS X 1001: only the extension that makes EUC-KR into
 * CP949 has them.
 */
export const hangulOctets: Readonly<Record<string, string>> = {
  가: 'b0a1',
  나: 'b3aa',
  다: 'b4d9',
  라: 'b6f3',
  마: 'b8b6',
  바: 'b9d9',
  사: 'bbe7',
  아: 'bec6',
  자: 'c0da',
  차: 'c2f7',
  카: 'c4ab',
  타: 'c5b8',
  파: 'c6c4',
  하: 'c7cf',
  뷁: '94ee',
  똠: '8c63',
  방: 'b9e6',
  각: 'b0a2',
  쯧: 'c2ec',
  펲: 'bc84',
  힣: 'c652',
}

const byOctets = new Map(Object.entries(hangulOctets).map(([syllable, octets]) => [octets, syllable]))

/** Reads ASCII and the syllables above; anything else stays hexadecimal, so that a comparison shows it. */
export function hangulText(hex: string): string {
  let text = ''
  for (let at = 0; at < hex.length;) {
    const single = Number.parseInt(hex.slice(at, at + 2), 16)
    if (single < 0x80) {
      text += String.fromCharCode(single)
      at += 2
      continue
    }
    const octets = hex.slice(at, at + 4)
    text += byOctets.get(octets) ?? `[${octets}]`
    at += 4
  }
  return text
}
