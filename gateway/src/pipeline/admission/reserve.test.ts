import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Lane } from '../../channels/lane.ts'
import { isUsedUp, LaneContent } from './reserve.ts'

const limits = { messages: 1_000, bytes: 100_000, minutes: 10 }
const open = (): Record<Lane, LaneContent> => ({
  urgent: new LaneContent(),
  normal: new LaneContent(),
  bulk: new LaneContent(),
})
const refused = (contents: Record<Lane, LaneContent>, nowMs: number): Lane[] =>
  (['urgent', 'normal', 'bulk'] as const).filter((lane) => isUsedUp(lane, contents, limits, nowMs))

test('bulk may use half of the messages and bytes, normal four fifths, urgent all', () => {
  const contents = open()
  const fill = (groups: number): void =>
    contents.bulk.setDepth(groups, { groups, jobs: 10 * groups, bytes: 1_000 * groups }, 0)
  fill(49)
  assert.deepEqual(refused(contents, 0), [])
  fill(50)
  assert.deepEqual(refused(contents, 0), ['bulk'])
  fill(80)
  assert.deepEqual(refused(contents, 0), ['normal', 'bulk'])
  fill(100)
  assert.deepEqual(refused(contents, 0), ['urgent', 'normal', 'bulk'])
})

test('groups are valued by what was published since the lane was empty', () => {
  const content = new LaneContent()
  content.setDepth(0, { groups: 1_000, jobs: 1_000, bytes: 200_000 }, 0)
  content.setDepth(5, { groups: 1_010, jobs: 1_640, bytes: 300_000 }, 500)
  assert.deepEqual([content.messages, content.bytes], [320, 50_000])
})

test('a lane that nothing drains is refused after its part of the minutes', () => {
  const contents = open()
  const minute = 60_000
  contents.normal.setDepth(1, { groups: 1, jobs: 1, bytes: 10 }, 0)
  assert.deepEqual(refused(contents, 7.9 * minute), [])
  assert.deepEqual(refused(contents, 8.1 * minute), ['normal'])
  contents.normal.setRecorded(8 * minute, 8.2 * minute)
  assert.deepEqual(refused(contents, 8.3 * minute), [])
})
