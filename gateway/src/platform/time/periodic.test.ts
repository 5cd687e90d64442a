import assert from 'node:assert/strict'
import { test } from 'node:test'
import { silentLog } from '../../../test/support/silent-log.ts'
import { isSettled, waitFor } from '../../../test/support/wait.ts'
import { every, everyHour } from './periodic.ts'

test('starts immediately and repeats, one run at a time', async () => {
  let runs = 0
  let running = 0
  let max = 0
  const periodic = every(1, 'counting', silentLog, async () => {
    max = Math.max(max, ++running)
    await new Promise((resolve) => setTimeout(resolve, 3))
    running--
    runs++
  })
  await waitFor('three runs', () => runs >= 3)
  await periodic.stop()
  assert.equal(max, 1)
})

test('the next run follows a failed one', async () => {
  let runs = 0
  const periodic = every(1, 'failing', silentLog, () => {
    runs++
    return Promise.reject(new Error('unavailable'))
  })
  await waitFor('three runs', () => runs >= 3)
  await periodic.stop()
})

test('stop waits for the current run and starts no other', async () => {
  const run = Promise.withResolvers<undefined>()
  let runs = 0
  const periodic = every(1, 'waiting', silentLog, () => {
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

test('failed hourly work is repeated in the same hour', async (t) => {
  let runs = 0
  const periodic = everyHour({ now: () => 0 }, 'hourly', silentLog, () => {
    runs++
    return runs === 1 ? Promise.reject(new Error('unavailable')) : Promise.resolve()
  })
  t.after(() => periodic.stop())
  await waitFor('the failed run to be repeated', () => runs === 2)
})
