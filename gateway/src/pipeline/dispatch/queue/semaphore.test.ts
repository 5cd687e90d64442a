import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { isSettled } from '../../../../test/support/wait.ts'
import { Semaphore } from '../runner/submit-part.ts'

test('admits as many as fit, and the next when one is released', async () => {
  const semaphore = new Semaphore(2)
  await semaphore.acquire()
  await semaphore.acquire()
  const waiting = semaphore.acquire()
  assert.equal(await isSettled(waiting), false)
  semaphore.release()
  await waiting
})

test('waiters are admitted in the order of their requests, and a later request does not overtake them', async () => {
  const semaphore = new Semaphore(1)
  await semaphore.acquire()
  const [first, second] = [semaphore.acquire(), semaphore.acquire()]
  semaphore.release()
  const newcomer = semaphore.acquire()
  await first
  assert.equal(await isSettled(second), false)
  semaphore.release()
  await second
  assert.equal(await isSettled(newcomer), false)
  semaphore.release()
  await newcomer
})

test('never admits more than its capacity, and admits every waiter in the end', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 6 }),
      fc.array(fc.integer({ min: 0, max: 4 }), { maxLength: 30 }),
      async (capacity, turnsInside) => {
        const semaphore = new Semaphore(capacity)
        let inside = 0
        await Promise.all(
          turnsInside.map(async (turns) => {
            await semaphore.acquire()
            inside++
            assert.ok(inside <= capacity, `${inside} of ${capacity}`)
            for (let n = 0; n < turns; n++) await Promise.resolve()
            inside--
            semaphore.release()
          }),
        )
        assert.equal(inside, 0)
      },
    ),
  )
})
