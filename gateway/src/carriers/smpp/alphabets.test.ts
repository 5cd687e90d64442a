import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { isGsm7 } from '../../channels/text/gsm7.ts'
import { testOptions } from '../../../test/support/smpp/fixtures.ts'
import { selectAlphabet, decodeText, encodeText, type Alphabet } from './alphabets.ts'
import { fillBits, packSeptets, unpackSeptets } from './septets.ts'

const gsm = fc.string({
  unit: fc.constantFrom(...Array.from('@£$¥èé\nØΔ_Φ ÆßÉ!"¤09AZÄ§¿azñà^{}\\[~]|€')),
  maxLength: 170,
})
const texts: Readonly<Record<Alphabet, fc.Arbitrary<string>>> = {
  gsm7: gsm,
  // These two are indistinguishable from padding at the end.
  'gsm7-packed': gsm.filter((text) => !/[@\r]$/.test(text)),
  latin1: fc.string({ unit: fc.integer({ min: 0, max: 0xff }).map((code) => String.fromCharCode(code)) }),
  ascii: fc.string({ unit: fc.integer({ min: 0, max: 0x7f }).map((code) => String.fromCharCode(code)) }),
  ucs2: fc.string({ unit: 'grapheme' }).filter((text) => text.isWellFormed()),
  cp949: fc.string({ unit: fc.constantFrom(...Array.from('가각똠방하①A1 -')) }),
}

for (const [alphabet, text] of Object.entries(texts) as [Alphabet, fc.Arbitrary<string>][]) {
  test(`a text in ${alphabet} is unchanged after encoding and decoding`, () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 0, max: 12 }), (given, headerBytes) => {
        const octets = encodeText(given, alphabet, headerBytes)
        assert.equal(decodeText(octets, alphabet, headerBytes), given)
      }),
      { numRuns: 300 },
    )
  })
}

test('any octets can be decoded in any alphabet', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 160 }),
      fc.integer({ min: 0, max: 0xff }),
      (octets, dataCoding) => {
        const alphabet = selectAlphabet(dataCoding, testOptions())
        if (alphabet !== null) assert.equal(typeof decodeText(octets, alphabet, 6), 'string')
      },
    ),
    { numRuns: 500 },
  )
})

test('packs septets as in the standard', () => {
  // "hellohello" of 3GPP TS 23.038, and seven letters, whose spare septet is a carriage return.
  assert.equal(encodeText('hellohello', 'gsm7-packed').toString('hex'), 'e8329bfd4697d9ec37')
  assert.equal(encodeText('1234567', 'gsm7-packed').toString('hex'), '31d98c56b3dd1a')
  assert.equal(encodeText('hi', 'gsm7-packed', 6).toString('hex'), 'd069')
  assert.equal(fillBits(6), 1)
  assert.equal(fillBits(7), 0)
})

test('160 septets are 140 octets, and 153 fit behind a header of six', () => {
  assert.equal(packSeptets(Buffer.alloc(160, 0x41)).length, 140)
  assert.equal(packSeptets(Buffer.alloc(153, 0x41), fillBits(6)).length, 134)
  assert.equal(packSeptets(Buffer.alloc(152, 0x41), fillBits(7)).length, 133)
  assert.equal(unpackSeptets(Buffer.alloc(0)).length, 0)
})

test('refuses a character that the alphabet lacks', () => {
  for (const [text, alphabet] of [
    ['가', 'gsm7'],
    ['가', 'gsm7-packed'],
    ['€', 'latin1'],
    ['é', 'ascii'],
    ['😀', 'cp949'],
  ] as const) {
    assert.ok(alphabet !== 'gsm7' || !isGsm7(text))
    assert.throws(() => encodeText(text, alphabet))
  }
})

test('selects the alphabet by the data_coding that carriers send', () => {
  const options = testOptions({ dataCoding: { gsm7: 1, latin1: 3 }, defaultAlphabet: 'latin1' })
  const found = [0x00, 0x01, 0x03, 0x08, 0x0e, 0x11, 0x18, 0xf0, 0xf5, 0x04, 0x40].map((dataCoding) =>
    selectAlphabet(dataCoding, options),
  )
  assert.deepEqual(found, [
    ...['latin1', 'latin1', 'latin1', 'ucs2', 'cp949', 'latin1', 'ucs2', 'latin1'],
    ...[null, null, null],
  ])
})
