import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Problem } from '../../../contract/problem.ts'
import { CheckQueue, type CheckLane } from './check-queue.ts'

function setUp() {
  const queue = new CheckQueue()
  const running: CheckLane[] = []
  const ends: (() => void)[] = []
  const add = (lane: CheckLane): Promise<void> =>
    queue.run(lane, () => {
      running.push(lane)
      return new Promise<void>((resolve) => ends.push(resolve))
    })
  return { queue, running, ends, add }
}
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

test('unknown clients get one thread; known ones get the others and go first', async () => {
  const { running, ends, add } = setUp()
  const all = [
    add('stranger'),
    add('stranger'),
    add('stranger'),
    add('familiar'),
    add('familiar'),
    add('familiar'),
  ]
  await settle()
  assert.deepEqual(running, ['stranger', 'familiar', 'familiar'])
  ends[0]!()
  await settle()
  assert.deepEqual(running.slice(3), ['familiar'])
  for (let n = 1; n < 6; n++) {
    ends[n]!()
    await settle()
  }
  await Promise.all(all)
  assert.deepEqual(running.slice(4), ['stranger', 'stranger'])
})

test('refuses unknown clients with Retry-After if their queue is full; known ones continue', async () => {
  const { queue, running, ends, add } = setUp()
  const all = Array.from({ length: 31 }, () => add('stranger'))
  await assert.rejects(add('stranger'), (error) => {
    assert.ok(error instanceof Problem)
    assert.deepEqual([error.code, error.retryAfterSeconds], ['A920', 5])
    return true
  })
  assert.throws(() => queue.requireRoom('stranger'), Problem)
  all.push(add('familiar'))
  await settle()
  assert.deepEqual(running, ['stranger', 'familiar'])
  for (let n = 0; n < 32; n++) {
    ends[n]!()
    await settle()
  }
  await Promise.all(all)
})

test('a check that fails frees its slot', async () => {
  const { add, running } = setUp()
  const queue = new CheckQueue()
  await assert.rejects(
    queue.run('stranger', () => Promise.reject(new Error('broken'))),
    /broken/,
  )
  assert.equal(await queue.run('stranger', () => Promise.resolve(7)), 7)
  void add('stranger')
  await settle()
  assert.equal(running.length, 1)
})
