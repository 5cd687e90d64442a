import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { compileRanges, isPrefix, toPlain } from './numbering.ts'

test('a domestic number and its international spelling are the same', () => {
  assert.equal(toPlain('01012345678'), '821012345678')
  assert.equal(toPlain('+821012345678'), '821012345678')
  assert.equal(toPlain('+819012345678'), '819012345678')
  assert.equal(toPlain('0'), '82')
})

test('accepts domestic and international prefixes and rejects what cannot begin a number', () => {
  for (const prefix of ['0', '010', '02', '+8', '+81', '+821012345678']) assert.ok(isPrefix(prefix), prefix)
  for (const text of ['', '+', '+0', '10', '010-', '82', '+81 90', 'x', `0${'1'.repeat(12)}`])
    assert.ok(!isPrefix(text), text)
})

test('the longest matching range decides', () => {
  const digits = fc.stringMatching(/^\d{1,6}$/)
  fc.assert(
    fc.property(fc.uniqueArray(digits, { maxLength: 30 }), digits, (prefixes, tail) => {
      const carrierOf = compileRanges(prefixes.map((prefix) => ({ prefix: `+${prefix}`, carrier: prefix })))
      for (const number of [tail, ...prefixes.map((prefix) => prefix + tail)]) {
        const expected = prefixes
          .filter((prefix) => number.startsWith(prefix))
          .sort((left, right) => right.length - left.length)[0]
        assert.equal(carrierOf(number), expected)
      }
    }),
  )
})
