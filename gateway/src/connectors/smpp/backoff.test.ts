/** The pauses between tries: their growth, their limit and their spread. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { backoffMs, jitter } from './backoff.ts'

const limits = { reconnectMinMs: 500, reconnectMaxMs: 30_000 }

test('doubles up to the greatest pause and stays there', () => {
  const pauses = [0, 1, 2, 5, 6, 7, 1000].map((failures) => backoffMs(failures, limits, () => 1))
  assert.deepEqual(pauses, [500, 1000, 2000, 16_000, 30_000, 30_000, 30_000])
})

test('spreads over the upper half, so that sessions do not knock together', () => {
  assert.equal(
    backoffMs(6, limits, () => 0),
    15_000,
  )
  for (let turn = 0; turn < 100; turn += 1) {
    const pause = jitter(1000)
    assert.ok(pause >= 500 && pause <= 1000)
  }
})
