/** Sliding counts: bounded, and an account with many recipients makes room at its own expense. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SlidingCounts } from './velocity.ts'

test('one large sender does not make the process forget the counts of other accounts', () => {
  const counts = new SlidingCounts(3_600_000, 1_000)
  for (let n = 0; n < 19; n++) counts.add(1, 'often', 0)
  for (let n = 0; n < 5_000; n++) counts.add(2, `other ${n}`, 0)
  assert.equal(counts.count(1, 'often', 0), 19)
  assert.deepEqual([counts.count(2, 'other 0', 0), counts.count(2, 'other 4999', 0)], [0, 1])
})

test('the bound holds over many accounts, and a large one that has stopped makes room for new ones', () => {
  const counts = new SlidingCounts(3_600_000, 1_000)
  for (let n = 0; n < 600; n++) counts.add(1, `first ${n}`, 0)
  for (let n = 0; n < 390; n++) counts.add(2, `second ${n}`, 0)
  for (let n = 0; n < 500; n++) counts.add(3 + (n % 50), `new ${n}`, 0)
  assert.equal(counts.size, 1_000)
  for (let n = 0; n < 500; n++) assert.equal(counts.count(3 + (n % 50), `new ${n}`, 0), 1)
})
