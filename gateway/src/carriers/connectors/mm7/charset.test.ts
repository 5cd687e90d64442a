/** EUC-KR is KS X 1001: a character is allowed if and only if its octets are two of 0xA1 and above. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { encodeCp949, findUnencodable } from '../../../channels/text/cp949.ts'
import { encodeMarkup, escapeXml, findUnsupportedCharacter } from './charset.ts'

test('every character of the BMP is allowed exactly when KS X 1001 has it', () => {
  let allowed = 0
  for (let unit = 0x80; unit < 0x10000; unit++) {
    const character = String.fromCharCode(unit)
    const octets = findUnencodable(character) === null ? encodeCp949(character) : Buffer.alloc(0)
    const isKsx = octets.length === 2 && octets[0]! >= 0xa1 && octets[1]! >= 0xa1
    assert.equal(findUnsupportedCharacter(character, 'euc-kr') === null, isKsx, unit.toString(16))
    if (isKsx) allowed++
  }
  // 2,350 syllables, 4,888 Chinese characters, 986 symbols, and the euro and registered signs.
  assert.ok(allowed >= 8_224 && allowed <= 8_230, String(allowed))
})

test('other characters are found in plain text, and written as references in markup', () => {
  assert.equal(findUnsupportedCharacter('안녕 똠', 'euc-kr'), '똠')
  assert.equal(findUnsupportedCharacter('안녕 \u{1F600}', 'euc-kr'), '\u{1F600}')
  assert.equal(findUnsupportedCharacter('안녕 똠', 'cp949'), null)
  assert.equal(findUnsupportedCharacter('안녕 \u{1F600}', 'cp949'), '\u{1F600}')
  assert.equal(encodeMarkup('똠가\u{1F600}', 'euc-kr').toString('latin1'), '&#46624;\xb0\xa1&#128512;')
  assert.equal(encodeMarkup('똠', 'cp949').toString('latin1'), '\x8c\x63')
})

test('replaces characters that XML excludes by spaces', () => {
  assert.equal(escapeXml('a\u0000b\u0008c\ufffed\ud800<&">\t\n'), 'a b c d\ufffd&lt;&amp;&quot;&gt;\t\n')
})
