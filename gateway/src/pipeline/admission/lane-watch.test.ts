/** What an API process knows of a lane: its age grows while nothing is recorded, and only while something waits. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LaneWatch } from './lane-watch.ts'

const empty = { ageMs: 0, messages: 0, drained: 0, stalledMs: 0 }

test('an empty lane has no age, however long ago something was recorded', () => {
  const watch = new LaneWatch()
  assert.deepEqual(watch.view(1e9), { ...empty, silentMs: Infinity })
  watch.recorded(5, 40, 1e9)
  assert.equal(watch.view(1e9 + 100).ageMs, 40)
  assert.deepEqual(watch.view(1e9 + 60_000), { ...empty, silentMs: 60_000 })
})

test('while messages wait and nothing is recorded, the age grows and the lane stands still', () => {
  const watch = new LaneWatch()
  watch.depth(10, 0)
  watch.recorded(100, 300, 500)
  assert.equal(watch.view(500).ageMs, 300)
  const later = watch.view(10_500)
  assert.deepEqual([later.ageMs, later.stalledMs, later.drained], [10_300, 10_000, 0])
  watch.recorded(100, 10_400, 10_600)
  assert.deepEqual([watch.view(10_600).ageMs, watch.view(10_600).stalledMs], [10_400, 0])
})

test('a lane that was empty for an hour stands still only from when it filled', () => {
  const watch = new LaneWatch()
  watch.recorded(1, 900, 0)
  watch.depth(0, 1_000)
  watch.depth(3, 3_600_000)
  const { ageMs, stalledMs } = watch.view(3_602_000)
  assert.deepEqual([ageMs, stalledMs], [2_000, 2_000])
})

test('what is drained is a rate over the reports of all workers', () => {
  const watch = new LaneWatch()
  for (let ms = 0; ms < 10_000; ms += 200) {
    watch.recorded(300, 100, ms)
    watch.recorded(500, 100, ms)
  }
  const { drained } = watch.view(9_800)
  assert.ok(Math.abs(drained - 4_000) < 500, `${drained} a second`)
})

test('the first report of a worker counts with its own time, not with the whole window', () => {
  const watch = new LaneWatch()
  watch.recorded(1_000, 100, 5_000)
  assert.equal(watch.view(5_000).drained, 5_000)
})
