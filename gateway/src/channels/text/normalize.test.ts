import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { normalizeText } from './normalize.ts'

const byDefinition = (text: string): string =>
  text.normalize('NFC').replaceAll('\r\n', '\n').replaceAll('\r', '\n')

const cases: readonly (readonly [before: string, after: string])[] = [
  ['', ''],
  ['plain ASCII', 'plain ASCII'],
  ['안녕하세요', '안녕하세요'],
  ['\u1112\u1161\u11ab\u1100\u1173\u11af', '한글'],
  ['가\u11a8', '각'],
  ['e\u0301', 'é'],
  ['か\u3099', 'が'],
  ['a\r\nb\rc\nd', 'a\nb\nc\nd'],
  ['\r\r\n\n\r', '\n\n\n\n'],
  ['\u212b', 'Å'],
]

for (const [before, after] of cases) {
  test(`makes ${JSON.stringify(after)} of ${JSON.stringify(before)}`, () => {
    assert.equal(normalizeText(before), after)
  })
}

test('never replaces a character with a similar one', () => {
  const text = '₩ \u00a0 – — “ ” … 〜 ～ ｶﾞ ① ﬁ \u200b \ufe0f 😀'
  assert.equal(normalizeText(text), text)
})

test('uses the fast path only for characters that NFC never changes', () => {
  const samples = ['A', 'é', 'ʰ', '가', '각', '힣']
  const changed: string[] = []
  for (let unit = 0; unit < 0xd7a4; unit = unit === 0x2ff ? 0xac00 : unit + 1) {
    const character = String.fromCharCode(unit)
    for (const text of [
      character,
      ...samples.flatMap((sample) => [sample + character, character + sample]),
    ]) {
      if (normalizeText(text) !== byDefinition(text)) changed.push(text)
    }
  }
  assert.deepEqual(changed, [])
})

test('is NFC with LF line ends for every text, and stays so when repeated', () => {
  const fragment = fc.oneof(
    fc.constantFrom(
      '\r',
      '\n',
      '\r\n',
      'e',
      '\u0301',
      '\u0327',
      '가',
      '각',
      '\u1100',
      '\u1161',
      '\u11a8',
      '\u2126',
    ),
    fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)),
    fc.integer({ min: 0, max: 0x10ffff }).map((point) => String.fromCodePoint(point)),
  )
  fc.assert(
    fc.property(fc.array(fragment, { maxLength: 30 }), (fragments) => {
      const text = fragments.join('')
      const normal = normalizeText(text)
      assert.equal(normal, byDefinition(text))
      assert.equal(normalizeText(normal), normal)
    }),
    { numRuns: 2000 },
  )
})
