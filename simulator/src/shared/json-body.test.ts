import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseFields } from './json-body.ts'

const read = (text: string, maxBytes = 1000): unknown => parseFields(Buffer.from(text), maxBytes)

test('reads an object with fields, within its size and depth', () => {
  assert.deepEqual(read('{"a":[1,"}"]}'), { a: [1, '}'] })
  for (const text of ['', '{}', '[]', '[1]', '"a"', 'null', '{"a":1', '\u0000']) {
    assert.equal(read(text), undefined, text)
  }
  assert.equal(read('{"a":1}', 6), undefined)
  const nested = (depth: number): string => `{"a":${'['.repeat(depth)}${']'.repeat(depth)}}`
  assert.notEqual(read(nested(31)), undefined)
  assert.equal(read(nested(32)), undefined)
})

test('a bracket in a string is not a level, even after an escaped quote', () => {
  const text = JSON.stringify({ a: `\\"${'['.repeat(100)}` })
  assert.deepEqual(read(text), JSON.parse(text))
})
