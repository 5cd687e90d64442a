import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findFailingPrefixes, type SentNumber } from './failing-prefixes.ts'

const sent = (prefix: string, result: SentNumber['result'], count: number): SentNumber[] =>
  Array.from({ length: count }, (_, nth) => ({
    number: `${prefix}${String(1_000_000 + nth * 7_919).slice(-6)}`,
    result,
  }))

test('finds a range of numbers that fails while others are delivered', () => {
  const numbers = [
    ...sent('+8490', 'failed', 30),
    ...sent('+8491', 'delivered', 30),
    ...sent('0101', 'delivered', 60),
  ]
  assert.deepEqual(findFailingPrefixes(numbers), [{ prefix: '+8490', failed: 30, sent: 30 }])
})

test('returns the longest common prefix of the numbers, at most six characters', () => {
  const numbers = [...sent('+849012', 'failed', 20), ...sent('0101', 'delivered', 20)]
  assert.deepEqual(
    findFailingPrefixes(numbers).map(({ prefix }) => prefix),
    ['+84901'],
  )
})

test('does not return the empty prefix while most results are open', () => {
  const numbers = [...sent('+8490', 'failed', 20), ...sent('0101', 'open', 40)]
  assert.deepEqual(
    findFailingPrefixes(numbers).map(({ prefix }) => prefix),
    ['+8490'],
  )
})

test('the prefix is empty if every number fails', () => {
  const numbers = [...sent('+81', 'failed', 20), ...sent('0101', 'failed', 20)]
  assert.deepEqual(findFailingPrefixes(numbers), [{ prefix: '', failed: 40, sent: 40 }])
})

test('finds no prefix for failures that are few or spread over many prefixes', () => {
  const spread = [...sent('0101', 'failed', 30), ...sent('0101', 'delivered', 70)]
  assert.deepEqual(findFailingPrefixes(spread), [])
  assert.deepEqual(findFailingPrefixes(sent('+84', 'failed', 9)), [])
})
