import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TimerWheel } from './timer-wheel.ts'

test('never runs work before its delay, and runs it in order of time', async () => {
  const wheel = new TimerWheel()
  const ran: number[] = []
  const began = performance.now()
  await new Promise<void>((resolve) => {
    for (const delayMs of [30, 10, 20, 0]) {
      wheel.after(delayMs, () => {
        assert.ok(performance.now() - began >= delayMs)
        ran.push(delayMs)
        if (ran.length === 4) resolve()
      })
    }
  })
  assert.deepEqual(ran, [0, 10, 20, 30])
})

test('runs work that was added by work', async () => {
  const wheel = new TimerWheel()
  await new Promise<void>((resolve) => wheel.after(0, () => wheel.after(0, resolve)))
})

test('drops all work when cleared and can be reused', async () => {
  const wheel = new TimerWheel()
  let forgotten = true
  wheel.after(0, () => (forgotten = false))
  wheel.clear()
  await new Promise<void>((resolve) => wheel.after(10, resolve))
  assert.ok(forgotten)
})
