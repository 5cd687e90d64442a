import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { decodeGsm7 } from '../../../test/support/gsm7.ts'
import { countSeptets, encodeGsm7, isGsm7, countUnitSeptets } from './gsm7.ts'

const ascii = Array.from({ length: 95 }, (_, index) => String.fromCharCode(0x20 + index)).filter(
  (c) => c !== '`',
)
const accented = Array.from('£¥èéùìòÇØøÅåΔΦΓΛΩΠΨΣΘΞÆæßÉ¤¡ÄÖÑÜ§¿äöñüà')
const extension = Array.from('\f^{}\\[~]|€')
const alphabet = [...ascii, '\n', '\r', ...accented, '\f', '€']
const anyCharacter = fc.integer({ min: 0, max: 0x10ffff }).map((point) => String.fromCodePoint(point))
const gsmText = fc.string({ unit: fc.constantFrom(...alphabet), maxLength: 400 })

test('has exactly the 127 basic and 10 extension characters of the whole BMP', () => {
  const characters: string[] = []
  for (let unit = 0; unit < 0x10000; unit++) {
    if (isGsm7(String.fromCharCode(unit))) characters.push(String.fromCharCode(unit))
  }
  assert.equal(characters.length, 127 + 10)
  assert.deepEqual(new Set(characters), new Set(alphabet))
  assert.deepEqual(new Set(characters.filter((c) => countSeptets(c) === 2)), new Set(extension))
})

const octetsOf: readonly (readonly [text: string, hex: string])[] = [
  ['', ''],
  ['Hello, 1+1=2?', Buffer.from('Hello, 1+1=2?').toString('hex')],
  ['@£$¥èéùìòÇ\nØø\rÅå', '000102030405060708090a0b0c0d0e0f'],
  ['Δ_ΦΓΛΩΠΨΣΘΞÆæßÉ', '101112131415161718191a1c1d1e1f'],
  [' ¤/0?¡@', '20242f303f4000'],
  ['ZÄÖÑÜ§¿azäöñüà', '5a5b5c5d5e5f60617a7b7c7d7e7f'],
  ['\f^{}\\[~]|€', '1b0a1b141b281b291b2f1b3c1b3d1b3e1b401b65'],
]

for (const [text, hex] of octetsOf) {
  test(`encodes ${JSON.stringify(text)} as in the table of the standard, and back`, () => {
    assert.equal(encodeGsm7(text).toString('hex'), hex)
    assert.equal(decodeGsm7(Buffer.from(hex, 'hex')), text)
  })
}

test('decodes every encoded text to itself, in as many octets as counted', () => {
  fc.assert(
    fc.property(gsmText, (text) => {
      const octets = encodeGsm7(text)
      assert.equal(decodeGsm7(octets), text)
      assert.equal(octets.length, countSeptets(text))
      assert.ok(octets.every((octet) => octet <= 0x7f))
    }),
    { numRuns: 1000 },
  )
})

test('encodes a text like its single characters, on the fast and the slow path', () => {
  fc.assert(
    fc.property(gsmText, (text) => {
      assert.deepEqual(
        encodeGsm7(text),
        Buffer.concat(Array.from(text, (character) => encodeGsm7(`@${character}`).subarray(1))),
      )
    }),
  )
})

test('rejects a character outside the alphabet, with the character and its position', () => {
  assert.throws(() => encodeGsm7('façade'), /U\+00E7 at index 2/)
  assert.throws(() => encodeGsm7('ok 가'), /U\+AC00 at index 3/)
  assert.throws(() => encodeGsm7('{😀'), /U\+1F600 at index 1/)
  for (const text of ['`', 'ç', '가', '😀', '\u001b', '\u00a0', '\t', '\0', '\u007f', '“', 'α']) {
    assert.equal(isGsm7(text), false, JSON.stringify(text))
    assert.throws(() => encodeGsm7(text), Error)
  }
})

test('encodes exactly the texts for which isGsm7 is true', () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter }), gsmText, (other, plain) => {
      const text = plain.slice(0, 5) + other
      if (isGsm7(text)) assert.equal(decodeGsm7(encodeGsm7(text)), text)
      else assert.throws(() => encodeGsm7(text), Error)
    }),
  )
})

test('counts a single character as within a text', () => {
  for (const character of alphabet) {
    assert.equal(countUnitSeptets(character.charCodeAt(0)), countSeptets(`a${character}b`) - 2)
  }
})
