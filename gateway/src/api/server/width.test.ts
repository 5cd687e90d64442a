import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { holdsTooMuch, maxValues } from './width.ts'

const list = (count: number): string => JSON.stringify(Array.from({ length: count }, (_, index) => index))
const fields = (count: number): string =>
  JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, ','])))

test('takes as many values as are allowed and refuses one more', () => {
  for (const make of [list, fields]) {
    assert.equal(holdsTooMuch(make(maxValues)), false)
    assert.equal(holdsTooMuch(make(maxValues + 1)), true)
  }
})

test('never counts commas inside a text', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(',', '"', '\\', 'a'), { maxLength: 40 }), (pieces) => {
      const text = pieces.join('').repeat(1_000)
      return !holdsTooMuch(JSON.stringify({ [text]: text }))
    }),
    { numRuns: 50 },
  )
})
