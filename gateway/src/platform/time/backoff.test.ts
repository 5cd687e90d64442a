import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { backoffMs, ceilingMs, withJitter } from './backoff.ts'

const limits = { firstMs: 500, maxMs: 30_000 }
const anyLimits = fc.record({
  firstMs: fc.integer({ min: 1, max: 60_000 }),
  maxMs: fc.integer({ min: 1, max: 3_600_000 }),
})
const chance = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })

test('the ceiling doubles up to maxMs and stays there', () => {
  const waits = [0, 1, 2, 5, 6, 7, 1000].map((failures) => ceilingMs(failures, limits))
  assert.deepEqual(waits, [500, 1000, 2000, 16_000, 30_000, 30_000, 30_000])
})

test('a wait is above half the ceiling, up to the ceiling', () => {
  // A random number is always below 1, which would give exactly half.
  assert.equal(
    backoffMs(6, limits, () => 1),
    15_000,
  )
  for (let n = 0; n < 100; n++) {
    const wait = backoffMs(1, limits)
    assert.ok(wait > 500 && wait <= 1000)
  }
})

test('a wait is between half the ceiling and the ceiling, with any limits', () => {
  fc.assert(
    fc.property(anyLimits, fc.nat(2_000), chance, (some, failures, drawn) => {
      const wait = backoffMs(failures, some, () => drawn)
      const ceiling = ceilingMs(failures, some)
      assert.ok(Number.isFinite(wait) && wait >= ceiling / 2 && wait <= ceiling && ceiling <= some.maxMs)
    }),
  )
})

test('the ceiling never decreases with more failures', () => {
  fc.assert(
    fc.property(anyLimits, fc.nat(100), (some, failures) => {
      assert.ok(ceilingMs(failures + 1, some) >= ceilingMs(failures, some))
    }),
  )
})

test('jitter shortens or lengthens a wait by at most its fraction', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 86_400_000 }), chance, (ms, drawn) => {
      const shorter = withJitter(ms, -0.2, () => drawn)
      const longer = withJitter(ms, 0.2, () => drawn)
      assert.ok(shorter <= ms && shorter >= ms * 0.8)
      assert.ok(longer >= ms && longer <= ms * 1.2)
    }),
  )
})
