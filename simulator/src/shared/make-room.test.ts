/** What a carrier remembers stays within its limit, and the oldest is forgotten first. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeRoom } from './make-room.ts'

test('the oldest entry of a full set or map goes, and nothing else', () => {
  const names = new Set(['a', 'b', 'c'])
  makeRoom(names, 4)
  assert.deepEqual([...names], ['a', 'b', 'c'])
  makeRoom(names, 3)
  assert.deepEqual([...names], ['b', 'c'])
  const times = new Map([
    ['a', 1],
    ['b', 2],
  ])
  makeRoom(times, 2)
  assert.deepEqual([...times.keys()], ['b'])
  makeRoom(new Set(), 0)
})
