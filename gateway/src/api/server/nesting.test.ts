import assert from 'node:assert/strict'
import { test } from 'node:test'
import { maxLevels, nestsTooDeep } from './nesting.ts'

const lists = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels)
const objects = (levels: number): string => '{"a":'.repeat(levels) + '1' + '}'.repeat(levels)

test('takes as many levels as are allowed and refuses one more', () => {
  for (const nest of [lists, objects]) {
    assert.equal(nestsTooDeep(nest(maxLevels)), false)
    assert.equal(nestsTooDeep(nest(maxLevels + 1)), true)
    assert.equal(nestsTooDeep(`{"x":[1,${nest(maxLevels - 1)}]}`), true)
  }
})

test('never counts brackets side by side or inside a text', () => {
  const wide = JSON.stringify(Array.from({ length: 500 }, () => ({ a: [{}] })))
  assert.equal(nestsTooDeep(wide), false)
  const texts = JSON.stringify({ text: '[{'.repeat(200), other: `\\"${'{'.repeat(100)}`, 'key"[[': '\\' })
  assert.equal(nestsTooDeep(texts), false)
  assert.equal(nestsTooDeep(`{"text":"]]]]","deep":${lists(maxLevels)}}`), true)
})
