/** Queue depth: a few seconds of work, never zero, and bounded for memory and broker. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { laneDepth, maxLaneDepth, partitionPrefetch } from './queue-depth.ts'

test('a rate allows two seconds of work, and a minimum where it is small', () => {
  assert.equal(laneDepth(500, 0), 1_000)
  assert.equal(laneDepth(1, 0), 20)
})

test('a route without a rate is allowed four seconds of its throughput', () => {
  assert.equal(laneDepth(Infinity, 0), 8_000)
  assert.equal(laneDepth(Infinity, 3_000), 12_000)
})

test('what all routes of a partition may have in their queue fits into its prefetch', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1_000 }), (routes) => {
      assert.ok(3 * routes * maxLaneDepth(routes) <= partitionPrefetch)
    }),
  )
  assert.equal(maxLaneDepth(1), 20_000)
})
