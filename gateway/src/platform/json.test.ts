import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isDeeperThan, stringifyNested } from './json.ts'

test('writes nested JSON that JSON.stringify cannot write', () => {
  const inner = '{"a":1,"b":["x\\u0000\\"",null,true,{}],"c":[]}'
  const deep = `${'[{"n":'.repeat(20_000)}${inner}${'},1]'.repeat(20_000)}`
  const value: unknown = JSON.parse(deep)
  assert.throws(() => JSON.stringify(value), RangeError)
  assert.equal(stringifyNested(value), deep)
  assert.equal(
    stringifyNested({ stage: 'intake', none: undefined, job: value }),
    `{"stage":"intake","job":${deep}}`,
  )
})

test('counts the levels of objects and arrays', () => {
  assert.equal(isDeeperThan([{ a: [1] }], 3), false)
  assert.equal(isDeeperThan([{ a: [1] }], 2), true)
  assert.equal(isDeeperThan('text', 0), false)
  assert.equal(isDeeperThan(JSON.parse('['.repeat(50_000) + ']'.repeat(50_000)), 64), true)
})
