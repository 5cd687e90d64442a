/** Periodic work: never two runs at once, a failed run does not end the series, and stop waits for the current run. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { quietLog } from '../../test/support/silent-log.ts'
import { isSettled, waitFor } from '../../test/support/wait.ts'
import { every, everyHour } from './periodic.ts'

test('starts at once and repeats, one run at a time', async () => {
  let runs = 0
  let running = 0
  let max = 0
  const periodic = every(1, 'counting', quietLog, async () => {
    max = Math.max(max, ++running)
    await new Promise((resolve) => setTimeout(resolve, 3))
    running--
    runs++
  })
  await waitFor('three runs', () => runs >= 3)
  await periodic.stop()
  assert.equal(max, 1)
})

test('a failed run is followed by the next', async () => {
  let runs = 0
  const periodic = every(1, 'failing', quietLog, () => {
    runs++
    return Promise.reject(new Error('unavailable'))
  })
  await waitFor('three runs', () => runs >= 3)
  await periodic.stop()
})

test('stop waits for the current run, and no other follows', async () => {
  const run = Promise.withResolvers<undefined>()
  let runs = 0
  const periodic = every(1, 'waiting', quietLog, () => {
    runs++
    return run.promise
  })
  const stopped = periodic.stop()
  assert.equal(await isSettled(stopped), false)
  run.resolve(undefined)
  await stopped
  await new Promise((resolve) => setTimeout(resolve, 10))
  assert.equal(runs, 1)
})

test('hourly work that failed is repeated in the same hour', async (t) => {
  let runs = 0
  const periodic = everyHour({ now: () => 0 }, 'hourly', quietLog, () => {
    runs++
    return runs === 1 ? Promise.reject(new Error('unavailable')) : Promise.resolve()
  })
  t.after(() => periodic.stop())
  await waitFor('the failed run to be repeated', () => runs === 2)
})
