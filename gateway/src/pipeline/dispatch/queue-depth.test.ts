/** Room: seconds of work, never none and never more than memory and broker can bear. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { lanePrefetch, laneDepth } from './queue-depth.ts'

test('a rate gives two seconds of work, and a little where it is small', () => {
  assert.equal(laneDepth(500, 0), 1_000)
  assert.equal(laneDepth(1, 0), 20)
})

test('a route without a rate has four seconds of what it has shown', () => {
  assert.equal(laneDepth(Infinity, 0), 8_000)
  assert.equal(laneDepth(Infinity, 3_000), 12_000)
})

test('all that may be released is within the prefetch, and the broker can be asked for it', () => {
  const rate = fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 1_000_000 }))
  fc.assert(
    fc.property(rate, fc.integer({ min: 1, max: 640_000 }), fc.nat(100_000), (rate, window, throughput) => {
      const prefetch = lanePrefetch({ partsPerSecond: rate }, window)
      assert.ok(prefetch <= 65_535)
      assert.ok(prefetch >= laneDepth(rate === 0 ? Infinity : rate, throughput))
    }),
  )
})
