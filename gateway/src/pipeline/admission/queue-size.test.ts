/** Depths in groups become messages and bytes by what this process published lately. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { QueueSize } from './queue-size.ts'

test('a process that has published nothing takes a group for one message', () => {
  const size = new QueueSize()
  size.depth(7, { groups: 0, jobs: 0, bytes: 0 })
  assert.equal(size.messages, 7)
})

test('messages that wait keep their size when larger groups are published after them', () => {
  const size = new QueueSize()
  let published = { groups: 0, jobs: 0, bytes: 0 }
  const publish = (groups: number, jobs: number): void => {
    published = {
      groups: published.groups + groups,
      jobs: published.jobs + jobs,
      bytes: published.bytes + 500 * jobs,
    }
    size.depth(published.groups, published)
  }
  size.depth(0, published)
  for (let n = 0; n < 1_250; n++) publish(20, 20)
  for (let n = 0; n < 5; n++) publish(20, 1_280)
  assert.equal(size.messages, 31_400)
  size.depth(0, published)
  assert.equal(size.messages, 0)
})

test('groups of other processes are taken for such as this one publishes', () => {
  const size = new QueueSize()
  size.depth(0, { groups: 10, jobs: 400, bytes: 100_000 })
  size.depth(100, { groups: 10, jobs: 400, bytes: 100_000 })
  assert.equal(size.messages, 4_000)
})

test('what was published since the last depth counts in full', () => {
  const size = new QueueSize()
  size.depth(10, { groups: 10, jobs: 10, bytes: 5_000 })
  assert.deepEqual(size.atMost({ groups: 11, jobs: 35, bytes: 15_000 }), { messages: 35, bytes: 15_000 })
})
