/** Depths in groups become messages and bytes by what this process published lately. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { QueueSize } from './queue-size.ts'

test('a process that has published nothing takes a group for one message', () => {
  const size = new QueueSize()
  size.depth(7, { groups: 0, jobs: 0, bytes: 0 })
  assert.equal(size.messages, 7)
})

test('the size of a group follows what is published now', () => {
  const size = new QueueSize()
  size.depth(0, { groups: 1_000, jobs: 1_000, bytes: 300_000 })
  for (let n = 1; n <= 30; n++) {
    size.depth(100, { groups: 1_000 + 10 * n, jobs: 1_000 + 400 * n, bytes: 300_000 + 100_000 * n })
  }
  assert.ok(Math.abs(size.messages - 4_000) < 100, `${size.messages} messages in 100 groups of 40`)
})

test('what was published since the last depth counts in full', () => {
  const size = new QueueSize()
  size.depth(10, { groups: 10, jobs: 10, bytes: 5_000 })
  assert.deepEqual(size.atMost({ groups: 11, jobs: 35, bytes: 15_000 }), { messages: 35, bytes: 15_000 })
})
