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
