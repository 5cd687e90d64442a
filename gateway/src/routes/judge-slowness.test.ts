/** Why messages wait for a route. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { slownessOf, type SlowState } from './judge-slowness.ts'

const idle: SlowState = { throttledShare: 0, rate: null, submitted: 5, queued: 0, owners: 1 }

test('a route that keeps up is not slow', () => {
  assert.equal(slownessOf([{ ...idle, throttledShare: 0.4 }], 10, 0), null)
  assert.equal(slownessOf([], 30, 0), null)
  assert.equal(slownessOf([{ ...idle, queued: 50 }], 0, 0), null)
})

test('says whether the carrier throttles, the own limit is reached, or answers are slow', () => {
  assert.equal(slownessOf([idle], 30, 0), 'answers')
  // All of the backlog is in memory.
  assert.equal(slownessOf([{ ...idle, queued: 51 }], 0, 0), 'answers')
  assert.equal(slownessOf([idle, { ...idle, throttledShare: 0.2 }], 30, 0), 'throttled')
  // Learned before: at this rate nothing is refused.
  assert.equal(slownessOf([{ ...idle, rate: 20 }], 30, 0), 'throttled')
  assert.equal(slownessOf([{ ...idle, rate: 20 }], 30, 100), 'throttled')
  const halves = { ...idle, rate: 10, submitted: 9, owners: 2 }
  assert.equal(slownessOf([halves, halves], 30, 20), 'limit')
  assert.equal(slownessOf([halves, { ...halves, submitted: 1 }], 30, 20), 'answers')
})

test('an owner that is missing is not taken for a carrier that throttles', () => {
  const half = { ...idle, rate: 10, submitted: 9, owners: 2 }
  assert.equal(slownessOf([half], 30, 20), 'limit')
  assert.equal(slownessOf([{ ...half, submitted: 1 }], 30, 20), 'answers')
  assert.equal(slownessOf([{ ...half, rate: 5 }], 30, 20), 'throttled')
})
