import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { afterOutcome, decideRetry } from './retries.ts'

test('only a submission that the carrier certainly did not accept is retried', () => {
  assert.deepEqual(
    Object.entries(afterOutcome)
      .filter(([, rule]) => !rule.recorded)
      .map(([kind]) => kind),
    ['throttled', 'unreachable'],
  )
})

test('a throttled submission does not count as a try; one to an unreachable carrier does', () => {
  assert.equal(afterOutcome.throttled.counts, false)
  assert.equal(afterOutcome.unreachable.counts, true)
})

test('every delay is long enough to avoid a hot loop, and has jitter', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 29 }),
      fc.double({ min: 0, max: 0.999, noNaN: true }),
      (tries, random) => {
        const next = decideRetry(tries, () => random)
        assert.ok(next.kind !== 'failed')
        assert.ok(next.afterMs >= 100 && next.afterMs <= 20_000)
        assert.notEqual(
          next.afterMs,
          (decideRetry(tries, () => (random + 0.5) % 1) as { afterMs: number }).afterMs,
        )
      },
    ),
  )
})

test('a step waits in the table after a few tries and fails after the maximum', () => {
  const kinds = Array.from({ length: 40 }, (_, n) => decideRetry(n + 1, () => 0).kind)
  assert.equal(kinds.indexOf('later'), 5)
  assert.equal(kinds.indexOf('failed'), 29)
  assert.ok(kinds.slice(29).every((kind) => kind === 'failed'))
})
