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
  const checks = [add('unknown'), add('unknown'), add('unknown'), add('known'), add('known'), add('known')]
  await settle()
  assert.deepEqual(running, ['unknown', 'known', 'known'])
  ends[0]!()
  await settle()
  assert.deepEqual(running.slice(3), ['known'])
  for (let n = 1; n < 6; n++) {
    ends[n]!()
    await settle()
  }
  await Promise.all(checks)
  assert.deepEqual(running.slice(4), ['unknown', 'unknown'])
})

test('refuses unknown clients with Retry-After if their queue is full; known ones continue', async () => {
  const { queue, running, ends, add } = setUp()
  // One check runs, and 30 wait.
  const checks = Array.from({ length: 31 }, () => add('unknown'))
  await assert.rejects(add('unknown'), (error) => {
    assert.ok(error instanceof Problem)
    assert.deepEqual([error.code, error.retryAfterSeconds], ['A920', 5])
    return true
  })
  assert.throws(() => queue.requireRoom('unknown'), Problem)
  checks.push(add('known'))
  await settle()
  assert.deepEqual(running, ['unknown', 'known'])
  for (let n = 0; n < 32; n++) {
    ends[n]!()
    await settle()
  }
  await Promise.all(checks)
})

test('a check that fails frees its slot', async () => {
  const { queue, add, running } = setUp()
  await assert.rejects(
    queue.run('unknown', () => Promise.reject(new Error('broken'))),
    /broken/,
  )
  assert.equal(await queue.run('unknown', () => Promise.resolve(7)), 7)
  void add('unknown')
  await settle()
  assert.equal(running.length, 1)
})
