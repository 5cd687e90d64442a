import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newBucket, shouldRefuseTry, takeToken } from './limits.ts'

test('admits the rate and nothing above it', () => {
  const bucket = newBucket(10, 0)
  const passed = (now: number): number =>
    Array.from({ length: 50 }, () => takeToken(bucket, now)).filter(Boolean).length
  assert.equal(passed(0), 10)
  assert.equal(passed(500), 5)
  assert.equal(passed(10_000), 10)
})

test('has no limit at rate 0', () => {
  const bucket = newBucket(0, 0)
  assert.ok(Array.from({ length: 1000 }, () => takeToken(bucket, 0)).every(Boolean))
})

test('refuses the first tries of a key, then accepts one and resets the count', () => {
  const tries = new Map<string, number>()
  const seen = Array.from({ length: 6 }, () => shouldRefuseTry(tries, 'key', 2))
  assert.deepEqual(seen, [true, true, false, true, true, false])
  assert.equal(tries.size, 0)
})

test('keeps a bounded number of tries', () => {
  const tries = new Map<string, number>()
  for (let count = 0; count < 100_500; count++) shouldRefuseTry(tries, `key ${count}`, 1)
  assert.equal(tries.size, 100_000)
})
