import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BatchSize } from './batch-size.ts'

/** Returns the size after 20 full batches, each of which takes `fixedMs` and a time for each message. */
function after(size: BatchSize, fixedMs: number, perSecond: number): number {
  for (let n = 0; n < 20; n++) size.record(size.maxItems, fixedMs + (size.maxItems * 1000) / perSecond)
  return size.maxItems
}

test('batches shrink to a quarter of a second of work and grow again', () => {
  const size = new BatchSize()
  assert.equal(after(size, 5, 5_000), 400)
  assert.equal(after(size, 0, 400), 100)
  assert.equal(after(size, 0, 20), 64)
  assert.equal(after(size, 5, 5_000), 400)
})

test('a quick batch that was not full changes nothing', () => {
  const size = new BatchSize()
  after(size, 0, 400)
  size.record(1, 2)
  size.record(1, 100)
  assert.equal(size.maxItems, 100)
})
