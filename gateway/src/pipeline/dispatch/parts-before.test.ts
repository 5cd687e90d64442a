/** Parts that are submitted before the next step of an account: its own, and those of others in the same turns. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { partsBefore } from './parts-before.ts'

const before = (parts: readonly (readonly [number, number])[], weights: Record<number, number> = {}) =>
  Object.fromEntries(partsBefore(new Map(parts), (accountId) => weights[accountId] ?? 1))

test('a large account does not delay a small one by more than its turns', () => {
  assert.deepEqual(
    before([
      [1, 8_000],
      [2, 3],
    ]),
    { 1: 8_003, 2: 6 },
  )
  assert.equal(partsBefore(new Map([[1, 8_000]]), () => 1).get(2), undefined, 'it has nothing in the lane')
})

test('an account that is alone waits for all of its own, and equal ones for each other', () => {
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
