import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BatchSize } from './batch-size.ts'

/** Returns the size after 20 full batches, each of which takes `fixedMs` plus 1/`perSecond` seconds per message. */
function sizeAfterFullBatches(size: BatchSize, fixedMs: number, perSecond: number): number {
  for (let n = 0; n < 20; n++) size.record(size.maxItems, fixedMs + (size.maxItems * 1000) / perSecond)
  return size.maxItems
}

test('batches shrink to a quarter of a second of work, but not below 64, and grow again', () => {
  const size = new BatchSize()
  assert.equal(sizeAfterFullBatches(size, 5, 5_000), 400)
  assert.equal(sizeAfterFullBatches(size, 0, 400), 100)
  assert.equal(sizeAfterFullBatches(size, 0, 20), 64)
  assert.equal(sizeAfterFullBatches(size, 5, 5_000), 400)
})

test('a batch that was not full does not change the size', () => {
  const size = new BatchSize()
  sizeAfterFullBatches(size, 0, 400)
  size.record(1, 2)
  size.record(1, 100)
  assert.equal(size.maxItems, 100)
})
