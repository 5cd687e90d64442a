import assert from 'node:assert/strict'
import { test } from 'node:test'
import { longestGap, computeSpread, computeTrend } from './statistics.ts'

test('percentiles are measured values', () => {
  const spread = computeSpread(Array.from({ length: 100 }, (_, index) => 100 - index))
  assert.deepEqual(spread, { count: 100, p50: 50, p99: 99, max: 100 })
})

test('the trend of a straight line has its slope and no error', () => {
  const trend = computeTrend([
    [0, 10],
    [1, 12],
    [2, 14],
    [3, 16],
  ])
  assert.ok(Math.abs(trend.slope - 2) < 1e-9)
  assert.ok(trend.standardError < 1e-9)
  assert.equal(trend.mean, 13)
})

test('the longest gap is between consecutive moments, in any order of input', () => {
  assert.equal(longestGap([5, 1, 9, 2]), 4)
  assert.equal(longestGap([]), 0)
})
