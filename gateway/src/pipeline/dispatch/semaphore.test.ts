/** The gate: never more inside than its capacity, first come first served, and an abort leaves the line. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { isSettled } from '../../../test/support/wait.ts'
import { Semaphore } from './semaphore.ts'

test('lets in as many parts as fit, and the next when one has left', async () => {
  const gate = new Semaphore(3)
  await gate.enter(2)
  await gate.enter(1)
  const waiting = gate.enter(1)
  assert.equal(await isSettled(waiting), false)
  gate.leave(1)
  await waiting
})

test('a message of more parts than the capacity enters alone', async () => {
  const gate = new Semaphore(2)
  await gate.enter(1)
  const large = gate.enter(5)
  assert.equal(await isSettled(large), false)
  gate.leave(1)
  await large
  const next = gate.enter(1)
  assert.equal(await isSettled(next), false)
  gate.leave(5)
  await next
})

test('a small one never overtakes a large one that came before it', async () => {
  const gate = new Semaphore(3)
  await gate.enter(2)
  const large = gate.enter(3)
  const small = gate.enter(1)
  assert.equal(await isSettled(small), false)
  gate.leave(2)
  await large
  assert.equal(await isSettled(small), false)
  gate.leave(3)
  await small
})

test('who gives up leaves the line, and takes no place', async () => {
  const gate = new Semaphore(1)
  await gate.enter(1)
  const stopping = new AbortController()
  const impatient = gate.enter(1, stopping.signal)
  const patient = gate.enter(1)
  stopping.abort(new Error('stopping'))
  await assert.rejects(impatient, /stopping/)
  gate.leave(1)
  await patient
  await assert.rejects(gate.enter(1, stopping.signal), /stopping/)
})

test('never has more inside than its capacity, whatever comes in whatever order', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 6 }),
      fc.array(fc.integer({ min: 1, max: 8 }), { maxLength: 30 }),
      async (capacity, crowd) => {
        const gate = new Semaphore(capacity)
        let inside = 0
        await Promise.all(
          crowd.map(async (parts) => {
            await gate.enter(parts)
            inside += parts
            assert.ok(inside <= capacity || inside === parts, `${inside} of ${capacity}`)
            await Promise.resolve()
            inside -= parts
            gate.leave(parts)
          }),
        )
        assert.equal(inside, 0)
      },
    ),
  )
})
