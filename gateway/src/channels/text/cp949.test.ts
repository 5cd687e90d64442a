import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import iconv from 'iconv-lite'
import { encodeCp949, findUnencodable, tryCountCp949Bytes } from './cp949.ts'
import { normalizeText } from './normalize.ts'

/** Not TextDecoder('euc-kr'), which silently misreads the UHC half (8C63 is 똠). */
const decodeCp949 = (octets: Uint8Array): string => iconv.decode(octets, 'cp949')
const encodable: string[] = []
for (let unit = 0; unit < 0x10000; unit++) {
  const character = String.fromCharCode(unit)
  if (findUnencodable(character) === null) encodable.push(character)
}
const anyCharacter = fc.integer({ min: 0, max: 0x10ffff }).map((point) => String.fromCodePoint(point))
const koreanText = fc.string({ unit: fc.constantFrom(...encodable), maxLength: 300 })

test('agrees with iconv-lite on every BMP code unit: its length when it round-trips, null otherwise', () => {
  const disagreements: string[] = []
  for (let unit = 0; unit < 0x10000; unit++) {
    const character = String.fromCharCode(unit)
    const octets = iconv.encode(character, 'cp949')
    const faithful = iconv.decode(octets, 'cp949') === character
    if (tryCountCp949Bytes(character) !== (faithful ? octets.length : null))
      disagreements.push(unit.toString(16))
  }
  assert.deepEqual(disagreements, [])
})

test('has 17,176 characters: ASCII in one octet, controls included, and 17,048 in two', () => {
  const twoOctets = encodable.filter((character) => tryCountCp949Bytes(character) === 2)
  assert.equal(encodable.length, 17_176)
  assert.equal(twoOctets.length, 17_048)
  const oneOctet = encodable.filter((character) => tryCountCp949Bytes(character) === 1)
  assert.deepEqual(
    oneOctet.map((character) => character.charCodeAt(0)),
    Array.from({ length: 0x80 }, (_, code) => code),
  )
})

test('decodes every encoded text to itself, in as many octets as counted', () => {
  fc.assert(
    fc.property(koreanText, (text) => {
      const octets = encodeCp949(text)
      assert.equal(octets.length, tryCountCp949Bytes(text))
      assert.equal(decodeCp949(octets), text)
    }),
    { numRuns: 500 },
  )
})

test('rejects exactly the texts that iconv-lite would change', () => {
  fc.assert(
    fc.property(koreanText, fc.string({ unit: anyCharacter }), (known, other) => {
      const text = known.slice(0, 10) + other
      const faithful = iconv.decode(iconv.encode(text, 'cp949'), 'cp949') === text
      assert.equal(findUnencodable(text) === null, faithful)
    }),
    { numRuns: 500 },
  )
})

const encodings: readonly (readonly [text: string, hex: string])[] = [
  ['가', 'b0a1'],
  ['A', '41'],
  ['?', '3f'],
  ['\n', '0a'],
  ['\r\n', '0d0a'],
  ['똠', '8c63'],
  ['힣', 'c652'],
  ['￦', 'a3dc'],
  ['(광고)', '28b1a4b0ed29'],
]

for (const [text, hex] of encodings) {
  test(`encodes ${JSON.stringify(text)} as ${hex}, and back`, () => {
    assert.equal(encodeCp949(text).toString('hex'), hex)
    assert.equal(decodeCp949(Buffer.from(hex, 'hex')), text)
    assert.equal(tryCountCp949Bytes(text), hex.length / 2)
  })
}

test('counts two octets for the extended syllables and the symbols of everyday texts', () => {
  for (const character of '똠펲뷁힣…·“”①㈜㎏♥☆漢あя€®～')
    assert.equal(tryCountCp949Bytes(character), 2, character)
})

const unencodable = [
  '₩',
  '😀',
  'é',
  'ñ',
  '£',
  '¥',
  '—',
  '–',
  '〜',
  '々',
  '✓',
  '\u00a0',
  '\u200b',
  '\u200d',
  '\ufe0f',
]

for (const character of [...unencodable, '\ud83d', '\ude00', '\ufffd', '\ufeff']) {
  test(`never writes a question mark for ${JSON.stringify(character)}`, () => {
    assert.deepEqual(findUnencodable(`가?${character}나`), { character, index: 2 })
    assert.throws(() => encodeCp949(`가?${character}나`), /at index 2 is not in CP949/)
    assert.equal(tryCountCp949Bytes(`가?${character}나`), null)
  })
}

test('names the first of several characters it cannot encode, a surrogate pair as one', () => {
  assert.deepEqual(findUnencodable('안녕😀 ₩'), { character: '😀', index: 2 })
  assert.equal(findUnencodable('안녕?'), null)
  assert.equal(findUnencodable(''), null)
})

test('encodes decomposed Hangul once it is normalized', () => {
  const decomposed = '한글 똠방각하'.normalize('NFD')
  assert.deepEqual(findUnencodable(decomposed), { character: '\u1112', index: 0 })
  assert.equal(decodeCp949(encodeCp949(normalizeText(decomposed))), '한글 똠방각하')
})
