/** A fault that every request meets writes a line every few seconds, which says how many it stands for. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RareLog } from './rare-log.ts'

test('of each kind one line is due in five seconds, with the number of those left out', () => {
  const log = new RareLog()
  assert.equal(log.due('a', 0), 0)
  for (let ms = 1; ms < 5_000; ms++) assert.equal(log.due('a', ms), undefined)
  assert.equal(log.due('b', 4_000), 0)
  assert.equal(log.due('a', 5_000), 4_999)
  assert.equal(log.due('a', 10_000), 0)
})

test('any number of kinds is bounded', () => {
  const log = new RareLog()
  for (let n = 0; n < 10_000; n++) assert.equal(log.due(`kind ${n}`, 0), 0)
})
