/** Depths in groups become messages and bytes by what the API processes have published. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Published } from '../../platform/broker/publish.ts'
import { PeerTotals } from './peer-totals.ts'
import { plus, QueueSize } from './queue-size.ts'

/** Groups of the same number of messages, of 500 bytes each. */
const groupsOf = (groups: number, messages: number): Published => ({
  ...{ groups, jobs: groups * messages, bytes: groups * messages * 500 },
})

test('a process that knows of nothing published takes a group for one message', () => {
  const size = new QueueSize()
  size.depth(7, groupsOf(0, 0))
  assert.equal(size.messages, 7)
  assert.equal(size.bytesOf(7), 3_500)
})

test('messages that wait keep their size when larger groups are published after them', () => {
  const size = new QueueSize()
  let published = groupsOf(0, 0)
  const publish = (more: Published): void => {
    published = plus(published, more)
    size.depth(published.groups, published)
  }
  size.depth(0, published)
  for (let n = 0; n < 1_250; n++) publish(groupsOf(20, 1))
  for (let n = 0; n < 5; n++) publish(groupsOf(20, 64))
  assert.equal(size.messages, 31_400)
  size.depth(0, published)
  assert.equal(size.messages, 0)
})

test('the oldest groups leave first: what is left is valued as what was published last', () => {
  const size = new QueueSize()
  let published = groupsOf(0, 0)
  for (const more of [groupsOf(500_000, 1), groupsOf(50_000, 10)]) {
    published = plus(published, more)
    size.depth(published.groups, published)
  }
  size.depth(60_000, published)
  assert.equal(size.messages, 510_000)
  size.depth(40_000, published)
  assert.deepEqual(size.atMost(published), { messages: 400_000, bytes: 200_000_000 })
})

test('groups of other processes have the size that those report, however late the report is', () => {
  const [size, others] = [new QueueSize(), new PeerTotals()]
  const [own, reported] = [groupsOf(5_000, 1), groupsOf(100_000, 10)]
  size.depth(0, groupsOf(0, 0))
  size.depth(105_000, plus(own, others.sum))
  others.report('other', reported, groupsOf(0, 0), 200)
  size.depth(105_000, plus(own, others.sum))
  assert.equal(size.messages, 1_005_000)
  // Reports are totals: what a lost one said is in the next one, and a repeated one adds nothing.
  for (const more of [20, 40, 40])
    others.report('other', plus(reported, groupsOf(more, 10)), plus(reported, groupsOf(more - 5, 10)), 400)
  assert.equal(size.atMost(plus(own, others.sum)).messages, 1_005_400)
})

test('groups that no process has reported are taken for such as wait beside them', () => {
  const size = new QueueSize()
  size.depth(0, groupsOf(0, 0))
  size.depth(110, groupsOf(10, 40))
  assert.equal(size.messages, 4_400)
})

test('what was published since the last depth counts in full', () => {
  const size = new QueueSize()
  size.depth(10, groupsOf(10, 1))
  const published = plus(groupsOf(10, 1), groupsOf(1, 25))
  assert.deepEqual(size.atMost(published), { messages: 35, bytes: 17_500 })
})
