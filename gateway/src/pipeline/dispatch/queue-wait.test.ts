/** The wait in the queue of a route: known only under a backlog, from the highest throughput, and bounded. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { QueueWait } from './queue-wait.ts'

/** Samples of a quarter of a second each. */
function sampled(
  throughputs: readonly number[],
  isBusy = true,
): { readonly wait: QueueWait; readonly now: number } {
  const wait = new QueueWait()
  throughputs.forEach((throughput, n) => wait.sample(isBusy, throughput, n * 250))
  return { wait, now: (throughputs.length - 1) * 250 }
}

test('it is the parts of the lane at the throughput of the route, and a little more', () => {
  const { wait, now } = sampled(new Array<number>(20).fill(200))
  assert.equal(wait.minMs(400, now), 2_400)
  assert.equal(wait.minMs(0, now), 200)
})

test('it is not known without a backlog, at the beginning of one, and when nothing was submitted', () => {
  for (const { wait, now } of [
    sampled(new Array<number>(20).fill(200), false),
    sampled(new Array<number>(10).fill(200)),
    sampled(new Array<number>(20).fill(0)),
  ])
    assert.equal(wait.minMs(400, now), 0)
})

test('what was submitted before the backlog does not count, and a short pause hardly', () => {
  const { wait, now } = sampled([1, 1, 1, 1, ...new Array<number>(12).fill(200), 0, 0, 0, 0])
  const ms = wait.minMs(400, now)
  assert.ok(ms > 2_400 && ms < 2_700, String(ms))
})

test('it is bounded, because a route may recover', () => {
  const { wait, now } = sampled(new Array<number>(20).fill(1))
  assert.equal(wait.minMs(8_000, now), 30_000)
})

test('a pause that the carrier asked for is not a low throughput', () => {
  const { wait, now } = sampled(new Array<number>(20).fill(200))
  const after = now + 40_000
  for (let at = now; at <= after; at += 250) wait.sample(true, 0, at, true)
  assert.equal(wait.minMs(400, after), 2_400)
})

test('a backlog that begins in a pause is learned after it', () => {
  const wait = new QueueWait()
  for (let at = 0; at <= 5_000; at += 250) wait.sample(true, 0, at, true)
  wait.sample(true, 20, 5_250)
  assert.equal(wait.minMs(400, 5_250), 0)
})
