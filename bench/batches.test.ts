import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeBatches } from './batches.ts'

test('counts statements per message and messages per batch of the measured time only', () => {
  const before = { statements: 500, stages: { intake: { batches: 10, messages: 100 } } }
  const after = { statements: 900, stages: { intake: { batches: 30, messages: 1_100 } } }
  assert.equal(
    describeBatches(before, after, 1_000),
    '0.40 statements per message; messages per batch: intake 50.0',
  )
})
