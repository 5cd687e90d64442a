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

test('the lanes of all routes of a partition fit into its prefetch', () => {
  const partitions = fc.integer({ min: 1, max: 32 })
  fc.assert(
    fc.property(partitions, fc.integer({ min: 1, max: 90 }), (owned, routes) => {
      const prefetch = partitionPrefetch(owned)
      assert.ok(3 * routes * maxLaneDepth(routes, prefetch) <= prefetch)
    }),
  )
  assert.ok(maxLaneDepth(1, partitionPrefetch(1)) >= 19_000)
})

test('the partitions of a process together hold a bounded number of messages', () => {
  for (let owned = 1; owned <= 32; owned++) assert.ok(owned * partitionPrefetch(owned) <= 200_000)
})
