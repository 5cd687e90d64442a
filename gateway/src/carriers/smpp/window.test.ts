import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { lastSequence } from './pdu.ts'
import { waitFor } from '../../../test/support/wait.ts'
import type { SubmissionResult } from './window.ts'
import { Window } from './window.ts'

const response = { kind: 'response', commandStatus: 0, messageId: 'x' } as const

test('settles every submission exactly once, with one response, two responses or none', () => {
  const answers = fc.array(fc.integer({ min: 1, max: 30 }), { maxLength: 60 })
  fc.assert(
    fc.property(answers, fc.integer({ min: 0, max: 300 }), (sequences, writtenBytes) => {
      const window = new Window(60_000, () => performance.now())
      const settled = new Map<number, SubmissionResult[]>()
      for (let count = 1; count <= 20; count += 1) {
        const sequence = window.nextSequence()
        window.add(sequence, sequence * 10, (answer) =>
          settled.set(sequence, [...(settled.get(sequence) ?? []), answer]),
        )
      }
      const answered = new Set<number>()
      for (const sequence of sequences) {
        assert.equal(window.settle(sequence, response), sequence <= 20 && !answered.has(sequence))
        answered.add(sequence)
      }
      window.settleLost(writtenBytes, 'connection lost')
      window.settleLost(writtenBytes, 'connection lost')
      assert.equal(window.size, 0)
      for (let sequence = 1; sequence <= 20; sequence += 1) {
        const written = sequence * 10 <= writtenBytes
        const expected = answered.has(sequence)
          ? response
          : { kind: 'lost', written, reason: 'connection lost' }
        assert.deepEqual(settled.get(sequence), [expected])
      }
    }),
  )
})

test('expires the oldest first, and later ones at their own time', async () => {
  let now = 0
  const window = new Window(20, () => now)
  const expired: number[] = []
  const add = (after?: () => void): void => {
    const sequence = window.nextSequence()
    window.add(sequence, 0, ({ kind }) => {
      assert.equal(kind, 'timeout')
      expired.push(sequence)
      after?.()
    })
  }
  add(add)
  now = 10
  add()
  now = 20
  await waitFor('the first', () => expired.length === 1)
  now = 30
  await waitFor('the second', () => expired.length === 2)
  now = 40
  await waitFor('the one that was added in reaction to the first', () => expired.length === 3)
  assert.deepEqual(expired, [1, 2, 3])
})

test('does not count time in which reading was paused', async () => {
  let now = 0
  const window = new Window(1, () => now)
  let settled = 0
  window.add(1, 0, () => (settled += 1))
  const began = performance.now()
  await waitFor('many times the limit', () => performance.now() - began > 30)
  assert.equal(settled, 0)
  now = 1
  await waitFor('the timeout', () => settled === 1)
})

test('wraps sequence numbers around and skips those in use', () => {
  const window = new Window(60_000, () => 0, lastSequence - 1)
  window.add(1, 0, () => undefined)
  assert.deepEqual(
    [window.nextSequence(), window.nextSequence(), window.nextSequence()],
    [lastSequence, 2, 3],
  )
  window.settleLost(0, 'over')
})
