/**
 * CP949 bytes of the Hangul in test texts, created with Python so that the codec of the gateway is not tested
 * against itself. 뷁, 똠, 펲 and 힣 are only in CP949, not in KS X 1001 (EUC-KR).
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

/** Decodes ASCII and the syllables above. Other bytes stay hexadecimal, so comparisons show them. */
export function decodeHangul(hex: string): string {
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
