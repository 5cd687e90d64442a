/** When steps may end again after an outage: a wait after each one, limited only while PostgreSQL answers. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { OutageWait } from './outage-wait.ts'

const limits = { fromMs: 2_500, waitMs: 8_000, maxWaitMs: 60_000 }

test('a slow PostgreSQL puts deadlines off up to the limit, and they end from then on until it is fast again', () => {
  const wait = new OutageWait(limits, 0)
  for (let now = 3_000; now < 60_000; now += 3_000) assert.equal(wait.answered(now), false)
  for (let now = 60_000; now < 90_000; now += 3_000) assert.equal(wait.answered(now), true)
  for (let now = 90_000; now < 100_000; now += 500) assert.equal(wait.answered(now), true)
  assert.equal(wait.answered(103_000), false, 'a new outage')
})

test('after an outage in which queries failed steps wait, however soon it followed another one', () => {
  const wait = new OutageWait(limits, 0)
  assert.equal(wait.answered(500), false)
  wait.failed()
  assert.equal(wait.answered(300_000), false)
  for (let now = 300_500; now < 308_000; now += 500) assert.equal(wait.answered(now), false)
  assert.equal(wait.answered(308_000), true)
})
