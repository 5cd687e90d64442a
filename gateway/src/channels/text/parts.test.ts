import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { test } from 'node:test'
import fc from 'fast-check'
import { tryCountCp949Bytes } from './cp949.ts'
import { countSeptets, isGsm7 } from './gsm7.ts'
import { countInternationalParts, domesticPart, splitInternational } from './parts.ts'

interface Oracle {
  split(text: string): { characterSet: 'GSM' | 'Unicode'; bytes: number; parts: { content: string }[] }
}
const oracle = createRequire(import.meta.url)('split-sms') as Oracle

const gsmUnit = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...Array.from('abcXYZ 019@_é\n')) },
  { weight: 1, arbitrary: fc.constantFrom(...Array.from('€[]{}|^~\\\f')) },
)
const wideUnit = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...Array.from('가나다 abc漢ç')) },
  { weight: 1, arbitrary: fc.constantFrom('😀', '🇰🇷', '𠮷') },
)
const anyUnit = fc
  .integer({ min: 0, max: 0x10ffff })
  .map((point) => String.fromCodePoint(point))
  .filter((character) => character.isWellFormed())
/**
 * fast-check generates mostly short strings; sizes near the part boundaries matter here, so lengths are drawn
 * evenly.
 */
const texts = (unit: fc.Arbitrary<string>, maxLength: number): fc.Arbitrary<string> =>
  fc
    .integer({ min: 0, max: maxLength })
    .chain((length) => fc.array(unit, { minLength: length, maxLength: length, size: 'max' }))
    .map((units) => units.join(''))
const anyText = fc.oneof(texts(gsmUnit, 800), texts(wideUnit, 400), texts(anyUnit, 300))
/** Includes lone halves of surrogate pairs, which a client's JSON can contain. */
const illFormed = texts(fc.constantFrom('\ud83d', '\ude00', '😀', 'a', '가'), 300)

function assertSplit(text: string): void {
  const split = splitInternational(text, 77)
  const partCount = countInternationalParts(text)
  assert.equal(split.map((part) => part.text).join(''), text)
  assert.equal(split.length, partCount.parts)
  assert.equal(partCount.encoding, isGsm7(text) ? 'gsm7' : 'ucs2')
  assert.equal(partCount.units, partCount.encoding === 'gsm7' ? countSeptets(text) : text.length)
  const [single, several] = partCount.encoding === 'gsm7' ? [160, 153] : [70, 67]
  assert.equal(split.length === 1, partCount.units <= single)
  for (const [index, part] of split.entries()) {
    const units = partCount.encoding === 'gsm7' ? countSeptets(part.text) : part.text.length
    assert.ok(units <= (split.length === 1 ? single : several))
    // A part that is not the last is full, or lacks the one unit that half a character would take.
    if (index < split.length - 1) assert.ok(units >= several - 1)
    assert.deepEqual(
      { ...part, text: '' },
      {
        kind: 'text',
        text: '',
        encoding: partCount.encoding,
        part: index + 1,
        parts: split.length,
        concatReference: 77,
      },
    )
  }
  for (const [index, part] of split.slice(1).entries()) {
    const seam = split[index]!.text.slice(-1) + part.text.slice(0, 1)
    assert.doesNotMatch(seam, /^[\ud800-\udbff][\udc00-\udfff]$/)
  }
}

test('splits every text into full, legal parts that join to the text', () => {
  fc.assert(fc.property(anyText, assertSplit), { numRuns: 1500 })
})

test('splits a text for wide references into parts with room for the reference', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const split = splitInternational(text, 77, true)
      const { parts, encoding } = countInternationalParts(text)
      assert.equal(split.map((part) => part.text).join(''), text)
      assert.equal(split.length, parts)
      for (const part of split) {
        if (part.wide !== true) continue
        const units = encoding === 'gsm7' ? countSeptets(part.text) : part.text.length
        assert.ok(units <= (encoding === 'gsm7' ? 152 : 66))
      }
    }),
  )
})

test('splits a text with lone surrogates without losing or joining any', () => {
  fc.assert(fc.property(illFormed, assertSplit), { numRuns: 300 })
})

/**
 * The oracle only gets well-formed texts: it accepts any high surrogate for a pair and skips the next unit,
 * so it miscounts lone ones. On all other texts it agrees without exception.
 */
test('counts and splits 3,000 texts as split-sms does', () => {
  let calls = 0
  const agrees = (text: string): void => {
    const expected = oracle.split(text)
    const partCount = countInternationalParts(text)
    assert.equal(partCount.encoding, expected.characterSet === 'GSM' ? 'gsm7' : 'ucs2')
    assert.equal(partCount.units, partCount.encoding === 'gsm7' ? expected.bytes : expected.bytes / 2)
    assert.equal(partCount.parts, expected.parts.length)
    assert.deepEqual(
      splitInternational(text, 1).map((part) => part.text),
      expected.parts.map((part) => part.content),
    )
    calls++
  }
  fc.assert(fc.property(anyText, agrees), { numRuns: 3000 })
  assert.equal(calls, 3000)
})

test('makes one domestic part of any text: GSM-7 when it fits one part, CP949 otherwise', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const encoding = isGsm7(text) && countSeptets(text) <= 160 ? 'gsm7' : 'cp949'
      assert.deepEqual(domesticPart(text), {
        kind: 'text',
        text,
        encoding,
        part: 1,
        parts: 1,
        concatReference: 0,
      })
    }),
  )
  assert.equal(domesticPart('a'.repeat(160)).encoding, 'gsm7')
  assert.equal(domesticPart('a'.repeat(161)).encoding, 'cp949')
  assert.equal(domesticPart('€'.repeat(81)).encoding, 'cp949')
  assert.equal(domesticPart('인증번호 1234').encoding, 'cp949')
  assert.equal(tryCountCp949Bytes(domesticPart('가'.repeat(45)).text), 90)
})
