import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countPartsAhead, QueueWait } from './queue-wait.ts'

/** Samples of a quarter of a second each. */
function sampled(throughputs: readonly number[], isBusy = true): QueueWait {
  const wait = new QueueWait()
  throughputs.forEach((throughput, n) => wait.sample(isBusy, throughput, n * 250))
  return wait
}

test('the minimum wait is the parts of the lane at the throughput of the route, and a little more', () => {
  const wait = sampled(new Array<number>(20).fill(200))
  assert.equal(wait.minMs(400), 2_400)
  assert.equal(wait.minMs(0), 200)
})

test('the minimum wait is 0 without a backlog, at the beginning of one, and when nothing was submitted', () => {
  for (const wait of [
    sampled(new Array<number>(20).fill(200), false),
    sampled(new Array<number>(10).fill(200)),
    sampled(new Array<number>(20).fill(0)),
  ])
    assert.equal(wait.minMs(400), 0)
})

test('a low throughput at the beginning does not count, and a short pause hardly', () => {
  const wait = sampled([1, 1, 1, 1, ...new Array<number>(12).fill(200), 0, 0, 0, 0])
  const ms = wait.minMs(400)
  assert.ok(ms >= 2_400 && ms < 2_700, String(ms))
})

test('the minimum wait is bounded, because a route may recover', () => {
  const wait = sampled(new Array<number>(20).fill(1))
  assert.equal(wait.minMs(8_000), 30_000)
})

test('a pause that the carrier requested is not a low throughput', () => {
  const wait = sampled(new Array<number>(20).fill(200))
  for (let at = 5_000; at <= 45_000; at += 250) wait.sample(true, 0, at, true)
  assert.equal(wait.minMs(400), 2_400)
})

test('a backlog that begins in a pause is learned after it', () => {
  const wait = new QueueWait()
  for (let at = 0; at <= 5_000; at += 250) wait.sample(true, 0, at, true)
  wait.sample(true, 20, 5_250)
  assert.equal(wait.minMs(400), 0)
})

test('a route that stalls at the beginning of a backlog is not a slow one', () => {
  // PostgreSQL is unavailable for 4 s: a few steps were claimed before that.
  const wait = sampled([...new Array<number>(6).fill(3), ...new Array<number>(16).fill(0), 3])
  assert.equal(wait.minMs(400), 0)
})

test('the throughput shortly before the backlog counts', () => {
  const wait = new QueueWait()
  for (let at = 0; at < 5_000; at += 250) wait.sample(false, 200, at)
  for (let at = 5_000; at <= 9_000; at += 250) wait.sample(true, 3, at)
  assert.ok(wait.minMs(400) < 4_000, String(wait.minMs(400)))
})

test('a route that has become slow is known as such within a minute', () => {
  const wait = new QueueWait()
  for (let at = 0; at < 5_000; at += 250) wait.sample(false, 200, at)
  for (let at = 5_000; at <= 65_000; at += 250) wait.sample(true, 10, at)
  assert.equal(wait.minMs(100), 11_200)
})

const before = (parts: readonly (readonly [number, number])[], weights: Record<number, number> = {}) =>
  Object.fromEntries(countPartsAhead(new Map(parts), (accountId) => weights[accountId] ?? 1))

test('a large account does not delay a small one by more than its turns', () => {
  assert.deepEqual(
    before([
      [1, 8_000],
      [2, 3],
    ]),
    { 1: 8_003, 2: 6 },
  )
  assert.equal(
    countPartsAhead(new Map([[1, 8_000]]), () => 1).get(2),
    undefined,
    'it has nothing in the lane',
  )
})

test('a single account waits for its own parts, and equal accounts for each other', () => {
  assert.deepEqual(before([[1, 400]]), { 1: 400 })
  assert.deepEqual(
    before([
      [1, 10],
      [2, 10],
      [3, 10],
    ]),
    { 1: 30, 2: 30, 3: 30 },
  )
})

test('a turn is as many parts as the weight of the account', () => {
  // Account 2 sends its 10 parts in 10 turns, in which the other one sends 40.
  assert.deepEqual(
    before(
      [
        [1, 100],
        [2, 10],
      ],
      { 1: 4 },
    ),
    { 1: 110, 2: 50 },
  )
})
