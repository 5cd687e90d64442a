/** Rounds: never two at once, a failed one does not end the series, and stop waits for the one in hand. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { quietLog } from '../../test/support/quiet.ts'
import { isSettled, waitFor } from '../../test/support/wait.ts'
import { every } from './periodic.ts'

test('begins at once and comes round again, one round at a time', async () => {
  let rounds = 0
  let running = 0
  let most = 0
  const periodic = every(1, 'counting', quietLog, async () => {
    most = Math.max(most, ++running)
    await new Promise((resolve) => setTimeout(resolve, 3))
    running--
    rounds++
  })
  await waitFor('three rounds', () => rounds >= 3)
  await periodic.stop()
  assert.equal(most, 1)
})

test('a failed round is followed by the next', async () => {
  let rounds = 0
  const periodic = every(1, 'failing', quietLog, () => {
    rounds++
    return Promise.reject(new Error('away'))
  })
  await waitFor('three rounds', () => rounds >= 3)
  await periodic.stop()
})

test('stop waits for the round in hand, and none comes after it', async () => {
  const round = Promise.withResolvers<undefined>()
  let rounds = 0
  const periodic = every(1, 'waiting', quietLog, () => {
    rounds++
    return round.promise
  })
  const stopped = periodic.stop()
  assert.equal(await isSettled(stopped), false)
  round.resolve(undefined)
  await stopped
  await new Promise((resolve) => setTimeout(resolve, 10))
  assert.equal(rounds, 1)
})
