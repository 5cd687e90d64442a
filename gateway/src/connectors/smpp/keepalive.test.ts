/** When silence counts as silence. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Keepalive } from './keepalive.ts'
import { waitFor } from '../../../test/support/wait.ts'

class Patient {
  asked = 0
  received = 0
  now = 0
  silent = false
  readonly pulse: Keepalive

  constructor(intervalMs: number, timeoutMs: number) {
    this.pulse = new Keepalive(intervalMs, timeoutMs, {
      ask: () => (this.asked += 1),
      received: () => this.received,
      clock: () => this.now,
      onSilence: () => (this.silent = true),
    })
    this.pulse.start()
  }
}

test('any PDU is a sign of life while the answer is late; then silence is silence', async () => {
  const made = new Patient(1, 10)
  await waitFor('the question', () => made.asked === 1)
  const began = performance.now()
  await waitFor('many times the limit', () => {
    made.now += 10
    made.received += 1
    return performance.now() - began > 60
  })
  assert.deepEqual([made.silent, made.asked], [false, 1])
  await waitFor('the verdict', () => {
    made.now += 10
    return made.silent
  })
  made.pulse.stop()
})

test('time in which nobody listened is no silence', async () => {
  const made = new Patient(1, 1)
  await waitFor('the question', () => made.asked === 1)
  const began = performance.now()
  await waitFor('many times the limit', () => performance.now() - began > 40)
  assert.equal(made.silent, false)
  made.now = 1
  await waitFor('the verdict', () => made.silent)
})

test('asks again after each answer, and never after it was stopped', async () => {
  const made = new Patient(1, 1000)
  for (let count = 1; count <= 3; count += 1) {
    await waitFor('the question', () => made.asked === count)
    made.pulse.start()
  }
  made.pulse.stop()
  made.pulse.start()
  const began = performance.now()
  await waitFor('some intervals', () => performance.now() - began > 20)
  assert.equal(made.asked, 3)
})
