import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findSlowness, type SlowState } from './slowness.ts'

const idle: SlowState = { throttledShare: 0, rate: null, submitted: 5, queued: 0, owners: 1 }

test('a route that keeps up is not slow', () => {
  assert.equal(findSlowness([{ ...idle, throttledShare: 0.4 }], 10, 0), null)
  assert.equal(findSlowness([], 30, 0), null)
  assert.equal(findSlowness([{ ...idle, queued: 50 }], 0, 0), null)
})

test('distinguishes throttling by the carrier, the limit of the route and slow responses', () => {
  assert.equal(findSlowness([idle], 30, 0), 'answers')
  // All of the backlog is in memory.
  assert.equal(findSlowness([{ ...idle, queued: 51 }], 0, 0), 'answers')
  assert.equal(findSlowness([idle, { ...idle, throttledShare: 0.2 }], 30, 0), 'throttled')
  // The rate was measured from earlier refusals; at this rate nothing is refused.
  assert.equal(findSlowness([{ ...idle, rate: 20 }], 30, 0), 'throttled')
  assert.equal(findSlowness([{ ...idle, rate: 20 }], 30, 100), 'throttled')
  const halves = { ...idle, rate: 10, submitted: 9, owners: 2 }
  assert.equal(findSlowness([halves, halves], 30, 20), 'limit')
  assert.equal(findSlowness([halves, { ...halves, submitted: 1 }], 30, 20), 'answers')
})

test('a missing owner does not count as throttling by the carrier', () => {
  const half = { ...idle, rate: 10, submitted: 9, owners: 2 }
  assert.equal(findSlowness([half], 30, 20), 'limit')
  assert.equal(findSlowness([{ ...half, submitted: 1 }], 30, 20), 'answers')
  assert.equal(findSlowness([{ ...half, rate: 5 }], 30, 20), 'throttled')
})
