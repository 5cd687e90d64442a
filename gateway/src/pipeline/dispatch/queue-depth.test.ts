/** Queue depth: a few seconds of work, never zero, and bounded for memory and broker. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { lanePrefetch, laneDepth } from './queue-depth.ts'

test('a rate allows two seconds of work, and a minimum where it is small', () => {
  assert.equal(laneDepth(500, 0), 1_000)
  assert.equal(laneDepth(1, 0), 20)
})

test('a route without a rate is allowed four seconds of its throughput', () => {
  assert.equal(laneDepth(Infinity, 0), 8_000)
  assert.equal(laneDepth(Infinity, 3_000), 12_000)
})

test('the prefetch covers all that may be released, and AMQP allows it', () => {
  const rate = fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 1_000_000 }))
  fc.assert(
    fc.property(rate, fc.integer({ min: 1, max: 640_000 }), fc.nat(100_000), (rate, window, throughput) => {
      const prefetch = lanePrefetch({ partsPerSecond: rate }, window)
      assert.ok(prefetch <= 65_535)
      assert.ok(prefetch >= laneDepth(rate === 0 ? Infinity : rate, throughput))
    }),
  )
})
