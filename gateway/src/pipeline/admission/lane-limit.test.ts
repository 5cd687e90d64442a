/** The limit of a lane, against a model of the first queue: it holds the delay, wastes little, and ends with the load. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LaneLimit } from './lane-limit.ts'
import { LaneWatch, type LaneView } from './lane-watch.ts'

const stepMs = 50
const held = { held: 0, heldByActive: 0 }
const tickMs = 200

interface Step {
  readonly atMs: number
  readonly waitMs: number
  readonly admitted: number
  readonly limit: number | undefined
}

/** A queue that `capacity` messages a second leave; `offered` ask to enter. Reports and depths come every 200 ms. */
function simulate(
  offered: (atMs: number) => number,
  capacity: (atMs: number) => number,
  seconds: number,
): Step[] {
  const watch = new LaneWatch()
  const control = new LaneLimit()
  const queue: { atMs: number; left: number }[] = []
  const steps: Step[] = []
  let limit: number | undefined
  let recorded = 0
  let ageMs = 0
  for (let atMs = 0; atMs < seconds * 1000; atMs += stepMs) {
    const admitted = (Math.min(offered(atMs), limit ?? Infinity) * stepMs) / 1000
    if (admitted > 0) queue.push({ atMs, left: admitted })
    let free = (capacity(atMs) * stepMs) / 1000
    while (free > 0 && queue.length > 0) {
      const first = queue[0]!
      const taken = Math.min(free, first.left)
      first.left -= taken
      free -= taken
      recorded += taken
      ageMs = atMs - first.atMs
      if (first.left <= 1e-9) queue.shift()
    }
    if (atMs % tickMs === 0) {
      const waiting = queue.reduce((sum, { left }) => sum + left, 0)
      watch.report('worker', { recorded, coveredMs: tickMs, held: 0, ageMs }, atMs)
      watch.depth(Math.floor(waiting), atMs)
      recorded = 0
      limit = control.next(watch.view(atMs), offered(atMs), atMs)
    }
    const waitMs = (queue.reduce((sum, { left }) => sum + left, 0) * 1000) / Math.max(1, capacity(atMs))
    steps.push({ atMs, waitMs, admitted, limit })
  }
  return steps
}

const between = (steps: readonly Step[], from: number, to: number): Step[] =>
  steps.filter(({ atMs }) => atMs >= from * 1000 && atMs < to * 1000)
const sum = (steps: readonly Step[]): number => steps.reduce((all, { admitted }) => all + admitted, 0)
const longest = (steps: readonly Step[]): number => Math.max(...steps.map(({ waitMs }) => waitMs))

for (const capacity of [500, 6_000, 20_000]) {
  test(`four times what ${capacity} a second can record waits a few seconds at first and one later, and the capacity is used`, () => {
    const steps = simulate(
      () => 4 * capacity,
      () => capacity,
      60,
    )
    assert.ok(longest(steps) < 4_000, `${longest(steps)} ms at first`)
    const settled = between(steps, 15, 60)
    assert.ok(longest(settled) < 1_200, `${longest(settled)} ms later`)
    const used = sum(settled) / 45 / capacity
    assert.ok(used > 0.85, `${(used * 100).toFixed(0)} % of the capacity`)
  })
}

test('a load below the capacity is never limited, from the start of the process on', () => {
  const steps = simulate(
    () => 5_000,
    () => 6_000,
    30,
  )
  assert.ok(steps.every(({ limit }) => limit === undefined))
})

test('a capacity that falls is followed, and its return as well', () => {
  const steps = simulate(
    () => 20_000,
    (atMs) => (atMs > 20_000 && atMs < 40_000 ? 1_500 : 6_000),
    70,
  )
  assert.ok(longest(between(steps, 35, 40)) < 2_000, `${longest(between(steps, 35, 40))} ms when it is slow`)
  const used = sum(between(steps, 55, 70)) / 15 / 6_000
  assert.ok(used > 0.85, `${(used * 100).toFixed(0)} % after its return`)
})

test('the limit ends some seconds after the load', () => {
  const steps = simulate(
    (atMs) => (atMs < 10_000 ? 20_000 : 100),
    () => 6_000,
    30,
  )
  assert.ok(between(steps, 5, 10).every(({ limit }) => limit !== undefined))
  assert.equal(steps.at(-1)!.limit, undefined)
})

test('while nothing is recorded any more, the limit is the capacity last known, and at least an assumed one', () => {
  const steps = simulate(
    () => 1_000,
    (atMs) => (atMs > 5_000 && atMs < 15_000 ? 0 : 6_000),
    35,
  )
  const limits = between(steps, 5, 15).flatMap(({ limit }) => limit ?? [])
  assert.ok(limits.length > 0 && limits.every((limit) => limit >= 1_500), 'a load of 1,000 a second passes')
  assert.equal(sum(between(steps, 5, 15)), 10_000)
  assert.equal(steps.at(-1)!.limit, undefined)
})

test('a process that has heard of no worker yet limits nothing: the reserve bounds the queue', () => {
  const steps = simulate(
    () => 20_000,
    () => 0,
    30,
  )
  assert.ok(steps.every(({ limit }) => limit === undefined))
})

test('after a standstill of 20 s a load of half the capacity is not refused while the queue drains', () => {
  const steps = simulate(
    () => 3_000,
    (atMs) => (atMs > 5_000 && atMs < 25_000 ? 0 : 6_000),
    60,
  )
  const admitted = sum(between(steps, 24, 60))
  assert.ok(admitted > 0.99 * 36 * 3_000, `${admitted} of ${36 * 3_000}`)
  assert.ok(longest(between(steps, 55, 60)) < 500, 'the queue is drained')
})

test('when the queue is empty again after a standstill, a load below the capacity passes', () => {
  const control = new LaneLimit()
  control.next({ ageMs: 100, messages: 0, ...held, drained: 6_000, stalledMs: 0, silentMs: 0 }, 5_000, 0)
  control.next(
    { ageMs: 4_000, messages: 20_000, ...held, drained: 0, stalledMs: 4_000, silentMs: 4_000 },
    5_000,
    4_000,
  )
  const limit = control.next(
    { ageMs: 4_100, messages: 0, ...held, drained: 5_000, stalledMs: 0, silentMs: 0 },
    5_000,
    4_200,
  )
  assert.ok(limit! >= 6_000, String(limit))
})

test('however old the queue is, a part of what is drained is left for new messages', () => {
  const control = new LaneLimit()
  const view: LaneView = { ageMs: 600_000, messages: 1e6, ...held, drained: 4_000, stalledMs: 0, silentMs: 0 }
  let limit: number | undefined
  for (let ms = 0; ms < 20_000; ms += 200) limit = control.next(view, 20_000, ms)
  assert.ok(limit !== undefined && limit >= 900 && limit < 2_000, String(limit))
})

test('a stall of a second refuses nobody while few messages wait', () => {
  for (const offered of [25, 100]) {
    // Repeated stalls: intake records little for 1.2 seconds of every six.
    const capacity = (atMs: number): number => (atMs > 3_000 && atMs % 6_000 < 1_200 ? 5 : 3_000)
    const refusing = simulate(() => offered, capacity, 40).filter(
      ({ limit }) => limit !== undefined && limit < offered,
    )
    assert.deepEqual(refusing, [], `${offered} messages a second`)
  }
})

test('an intake that stays slow refuses although few messages wait', () => {
  const steps = simulate(
    () => 100,
    (atMs) => (atMs < 3_000 ? 3_000 : 20),
    30,
  )
  assert.ok(longest(between(steps, 20, 30)) < 15_000, `${longest(steps)} ms`)
  assert.ok(between(steps, 10, 30).every(({ limit }) => limit !== undefined && limit < 40))
})
