import assert from 'node:assert/strict'
import { test } from 'node:test'
import { evictOldest } from './evict-oldest.ts'

test('deletes only the oldest entry of a full set or map', () => {
  const names = new Set(['a', 'b', 'c'])
  evictOldest(names, 4)
  assert.deepEqual([...names], ['a', 'b', 'c'])
  evictOldest(names, 3)
  assert.deepEqual([...names], ['b', 'c'])
  const times = new Map([
    ['a', 1],
    ['b', 2],
  ])
  evictOldest(times, 2)
  assert.deepEqual([...times.keys()], ['b'])
  evictOldest(new Set(), 0)
})

test('deletes the oldest entry after others were deleted, added again or cleared', () => {
  const names = new Set(['a', 'b', 'c', 'd'])
  evictOldest(names, 4)
  names.delete('b')
  names.delete('c')
  names.add('c')
  evictOldest(names, 2)
  assert.deepEqual([...names], ['c'])
  evictOldest(names, 1)
  assert.deepEqual([...names], [])
  names.add('e').add('f')
  evictOldest(names, 2)
  assert.deepEqual([...names], ['f'])
  names.clear()
  names.add('g').add('h')
  evictOldest(names, 2)
  assert.deepEqual([...names], ['h'])
})

test('keeps the newest entries of many', () => {
  const limit = 1_000
  const numbers = new Set<number>()
  for (let number = 0; number < 10_000; number++) {
    // An entry in the middle is deleted now and then, so that the table also has gaps behind the oldest.
    if (number % 7 === 0) numbers.delete(number - 500)
    evictOldest(numbers, limit)
    numbers.add(number)
  }
  const kept = [...numbers]
  assert.equal(kept.length, limit)
  assert.deepEqual(
    kept,
    kept.toSorted((one, other) => one - other),
  )
  const last = Array.from({ length: 400 }, (_, nth) => 9_600 + nth)
  assert.deepEqual(kept.slice(-400), last)
})
