import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ThrottledLog } from './throttled-log.ts'

test('one line per kind is due every five seconds, with the number of suppressed lines', () => {
  const log = new ThrottledLog()
  assert.equal(log.due('a', 0), 0)
  for (let ms = 1; ms < 5_000; ms++) assert.equal(log.due('a', ms), undefined)
  assert.equal(log.due('b', 4_000), 0)
  assert.equal(log.due('a', 5_000), 4_999)
  assert.equal(log.due('a', 10_000), 0)
})

test('the first line of every kind is due, however many kinds there are', () => {
  const log = new ThrottledLog()
  for (let n = 0; n < 10_000; n++) assert.equal(log.due(`kind ${n}`, 0), 0)
})
