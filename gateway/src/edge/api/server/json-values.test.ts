import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { hasTooManyValues, maxValues } from './json-values.ts'

const list = (count: number): string => JSON.stringify(Array.from({ length: count }, (_, index) => index))
const fields = (count: number): string =>
  JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, ','])))

test('accepts the maximum number of values and refuses one more', () => {
  for (const make of [list, fields]) {
    assert.equal(hasTooManyValues(make(maxValues)), false)
    assert.equal(hasTooManyValues(make(maxValues + 1)), true)
  }
})

test('does not count commas inside a string', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(',', '"', '\\', 'a'), { maxLength: 40 }), (pieces) => {
      const text = pieces.join('').repeat(1_000)
      return !hasTooManyValues(JSON.stringify({ [text]: text }))
    }),
    { numRuns: 50 },
  )
})
