import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Problem } from '../../contract/problem.ts'
import { requireValid } from '../issues.ts'
import { requireTextStep } from '../text-channel.ts'
import { international } from './international.ts'

const body = { from: '0234567890', to: '+4915112345678', text: 'hello' }
const stepOf = (text: string) =>
  requireTextStep(requireValid((issues) => international.draft({ ...body, text }, issues)).steps[0]!)
const partsOf = (text: string) => international.parts(stepOf(text), '20261114000000000' + '00ABCDEFGHIJKLM')
const refusal = (changes: object): Problem => {
  try {
    requireValid((issues) => international.draft({ ...body, ...changes }, issues))
  } catch (error) {
    assert.ok(error instanceof Problem)
    return error
  }
  return assert.fail('it was accepted')
}

for (const [name, text, parts] of [
  ['160 letters', 'a'.repeat(160), 1],
  ['161 letters', 'a'.repeat(161), 2],
  ['80 euro signs, two septets each', '€'.repeat(80), 1],
  ['765 letters', 'a'.repeat(765), 5],
  ['70 syllables', '가'.repeat(70), 1],
  ['71 syllables', '가'.repeat(71), 2],
  ['335 syllables', '가'.repeat(335), 5],
  ['35 emoji', '😀'.repeat(35), 1],
] as const) {
  test(`sends ${name} in ${parts} part${parts === 1 ? '' : 's'}`, () => {
    assert.equal(partsOf(text).length, parts)
  })
}

for (const [name, text] of [
  ['766 letters', 'a'.repeat(766)],
  ['336 syllables', '가'.repeat(336)],
  ['764 letters and a euro sign at a seam', 'a'.repeat(152) + '€' + 'a'.repeat(612)],
  ['335 units of emoji, which no seam may cut', '😀'.repeat(167) + 'a'],
] as const) {
  test(`rejects ${name}: six parts, A328`, () => {
    assert.equal(refusal({ text }).code, 'A328')
  })
}

test('composes decomposed text before it counts', () => {
  assert.equal(stepOf('é가'.normalize('NFD')).text, 'é가')
  assert.equal(partsOf('é'.repeat(160).normalize('NFD')).length, 1)
})

test('rejects U+0000 with A303', () => {
  assert.equal(refusal({ text: 'a\0b' }).code, 'A303')
})

test('rejects a lone surrogate with A303', () => {
  assert.equal(refusal({ text: 'half \ud83d' }).code, 'A303')
})

for (const to of [
  '',
  '01012345678',
  '4915112345678',
  '+0151123456',
  '+491',
  '+49 151',
  '+4915112345678901',
]) {
  test(`rejects the recipient '${to}' with A306`, () => {
    assert.equal(refusal({ to }).code, 'A306')
  })
}

test('rejects an invalid sender with A302', () => {
  for (const from of [
    '+82234567890',
    '12025550123',
    '+0202555',
    'Ac',
    'Acme Seoul Ltd',
    ' Acme',
    '한국',
    'Acme!',
  ])
    assert.equal(refusal({ from }).code, 'A302', from)
})

test('parts of a message have the same reference, and joined they are the text', () => {
  const text = 'Ünïcödé €{}'.repeat(20)
  const parts = partsOf(text)
  assert.ok(parts.length > 1)
  assert.equal(new Set(parts.map((part) => part.concatReference)).size, 1)
  assert.equal(parts.map((part) => part.text).join(''), text)
})

test('references of different messages have many values, also in their lower octet', () => {
  const references = new Set(
    Array.from({ length: 4_000 }, (_, n) => {
      const seed = `2026111400000000000${n.toString(36).toUpperCase().padStart(13, '0')}`
      return international.parts({ channel: 'international', from: '', text: 'a'.repeat(161) }, seed)[0]!
        .concatReference
    }),
  )
  for (const reference of references) assert.ok(reference >= 0 && reference <= 0xffff)
  assert.ok(references.size > 1_000, String(references.size))
  const octets = new Set([...references].map((reference) => reference & 0xff))
  assert.ok(octets.size > 240, String(octets.size))
})

test('no accepted text has more than five parts, and every part fits its encoding', () => {
  const text = fc.oneof(
    fc.string({
      unit: fc.constantFrom('a', 'b', '€', '{', ']', '~', '^', '|', '\\', 'é', '가'),
      maxLength: 800,
    }),
    fc.string({ unit: 'grapheme', maxLength: 400 }),
    fc.string({ unit: fc.constantFrom('a', '€'), minLength: 380, maxLength: 800 }),
    fc.string({ unit: fc.constantFrom('가', '😀', 'a'), minLength: 150, maxLength: 360 }),
  )
  fc.assert(
    fc.property(text, (candidate) => {
      let step
      try {
        step = stepOf(candidate)
      } catch (error) {
        assert.ok(error instanceof Problem)
        return
      }
      const parts = international.parts(step, 'seed')
      assert.ok(parts.length <= 5)
      assert.equal(parts.map((part) => part.text).join(''), step.text)
      for (const part of parts) {
        const single = parts.length === 1
        if (part.encoding === 'ucs2') assert.ok(part.text.length <= (single ? 70 : 67))
        else assert.ok(part.text.length <= (single ? 160 : 153))
        assert.ok(part.text.isWellFormed() || !step.text.isWellFormed(), 'no character is cut in half')
      }
    }),
    { numRuns: 500 },
  )
})
