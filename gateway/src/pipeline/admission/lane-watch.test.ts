/** What an API process knows of a lane: its age grows while nothing is recorded, and only while something waits. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LaneReport } from './lane-progress.ts'
import { LaneWatch } from './lane-watch.ts'

const empty = { ageMs: 0, messages: 0, held: 0, heldByActive: 0, drained: 0, stalledMs: 0 }
const report = (recorded: number, ageMs: number, coveredMs = 200): LaneReport => ({
  ...{ recorded, coveredMs, held: 0, ageMs },
})

test('an empty lane has no age, however long ago something was recorded', () => {
  const watch = new LaneWatch()
  assert.deepEqual(watch.view(1e9), { ...empty, silentMs: Infinity })
  watch.report('one', report(5, 40), 1e9)
  assert.equal(watch.view(1e9 + 100).ageMs, 40)
  assert.deepEqual(watch.view(1e9 + 60_000), { ...empty, silentMs: 60_000 })
})

test('while messages wait and nothing is recorded, the age grows and the lane stands still', () => {
  const watch = new LaneWatch()
  watch.depth(10, 0)
  watch.report('one', report(100, 300), 500)
  assert.equal(watch.view(500).ageMs, 300)
  const later = watch.view(10_500)
  assert.deepEqual([later.ageMs, later.stalledMs, later.drained], [10_300, 10_000, 0])
  watch.report('one', report(100, 10_400), 10_600)
  assert.deepEqual([watch.view(10_600).ageMs, watch.view(10_600).stalledMs], [10_400, 0])
})

test('a lane that was empty for an hour stands still only from when it filled', () => {
  const watch = new LaneWatch()
  watch.report('one', report(1, 900), 0)
  watch.depth(0, 1_000)
  watch.depth(3, 3_600_000)
  const { ageMs, stalledMs } = watch.view(3_603_000)
  assert.deepEqual([ageMs, stalledMs], [3_000, 3_000])
})

test('what is drained is a rate over the reports of all workers', () => {
  const watch = new LaneWatch()
  for (let ms = 0; ms < 10_000; ms += 200) {
    watch.report('one', report(300, 100), ms)
    watch.report('other', report(500, 100), ms)
  }
  const { drained } = watch.view(9_800)
  assert.ok(Math.abs(drained - 4_000) < 500, `${drained} a second`)
})

test('the first report of a worker counts with its own time, not with the whole window', () => {
  const watch = new LaneWatch()
  watch.report('one', report(1_000, 100), 5_000)
  assert.equal(watch.view(5_000).drained, 5_000)
})

test('batches that take longer than a second give their true rate, and are no standstill', () => {
  const watch = new LaneWatch()
  watch.depth(1_000, 0)
  for (let n = 1; n <= 5; n++) {
    const atMs = 1_140 * n
    assert.equal(watch.view(atMs - 1).stalledMs, 0)
    watch.report('one', report(800, 2_000, 1_140), atMs)
    const { drained } = watch.view(atMs)
    assert.ok(Math.abs(drained - 702) < 1, `${drained} a second`)
  }
})

test('what workers hold is counted until nothing more is heard of them', () => {
  const watch = new LaneWatch()
  watch.report('one', { recorded: 0, coveredMs: 0, held: 300, ageMs: 0 }, 0)
  watch.report('other', { recorded: 0, coveredMs: 0, held: 50, ageMs: 0 }, 1_000)
  assert.equal(watch.view(1_000).held, 350)
  assert.equal(watch.view(2_000).held, 50)
})

test('messages of a worker that stands still delay new ones only while no other worker records', () => {
  const watch = new LaneWatch()
  const holding = { recorded: 0, coveredMs: 0, held: 9_000, ageMs: 0 }
  const heldAt = (ms: number) => {
    const { held, heldByActive } = watch.view(ms)
    return [held, heldByActive]
  }
  for (let ms = 0; ms <= 5_000; ms += 200) {
    watch.report('cut off', holding, ms)
    watch.report('recording', { ...report(80, 100), held: 10 }, ms)
    assert.deepEqual(heldAt(ms), [9_010, ms <= 2_000 ? 9_010 : 10])
  }
  for (let ms = 5_200; ms <= 9_000; ms += 200) watch.report('cut off', holding, ms)
  assert.deepEqual(heldAt(9_000), [9_000, 9_000])
  watch.report('cut off', { ...report(5, 9_000), held: 8_995 }, 9_200)
  assert.deepEqual(heldAt(9_200), [8_995, 8_995])
})
