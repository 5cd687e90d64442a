import assert from 'node:assert/strict'
import { test } from 'node:test'
import { maxDepth, isTooDeep } from './json-depth.ts'

const lists = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth)
const objects = (depth: number): string => '{"a":'.repeat(depth) + '1' + '}'.repeat(depth)

test('accepts the maximum depth and refuses one more level', () => {
  for (const nest of [lists, objects]) {
    assert.equal(isTooDeep(nest(maxDepth)), false)
    assert.equal(isTooDeep(nest(maxDepth + 1)), true)
    assert.equal(isTooDeep(`{"x":[1,${nest(maxDepth - 1)}]}`), true)
  }
})

test('does not count adjacent brackets or brackets inside a string', () => {
  const wide = JSON.stringify(Array.from({ length: 500 }, () => ({ a: [{}] })))
  assert.equal(isTooDeep(wide), false)
  const texts = JSON.stringify({ text: '[{'.repeat(200), other: `\\"${'{'.repeat(100)}`, 'key"[[': '\\' })
  assert.equal(isTooDeep(texts), false)
  assert.equal(isTooDeep(`{"text":"]]]]","deep":${lists(maxDepth)}}`), true)
})
