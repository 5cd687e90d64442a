import assert from 'node:assert/strict'
import { test } from 'node:test'
import { OperationError } from '../errors.ts'
import { SignInPauses, type SignInAttempt } from './pauses.ts'

const home: SignInAttempt = { name: 'kim', network: '10.0.0.1', known: false }

function createPauses() {
  const time = { now: 0 }
  const pauses = new SignInPauses(undefined, () => time.now)
  /** Returns the pause in seconds; 0 if the attempt is checked. */
  const attempt = (made: SignInAttempt): number => {
    try {
      pauses.reserve(made)
      return 0
    } catch (error) {
      assert.ok(error instanceof OperationError && error.code === 'too-many-requests')
      return error.retryAfterSeconds!
    }
  }
  return { time, pauses, attempt }
}

test('the pause doubles from 30 seconds to 30 minutes after five failed attempts', () => {
  const { time, attempt } = createPauses()
  for (let i = 0; i < 5; i++) assert.equal(attempt(home), 0)
  const seen: number[] = []
  for (let i = 0; i < 8; i++) {
    const seconds = attempt(home)
    seen.push(seconds)
    time.now += seconds * 1000
    assert.equal(attempt(home), 0)
  }
  assert.deepEqual(seen, [30, 60, 120, 240, 480, 960, 1800, 1800])
})

test('a success ends the pause of its name and network; an hour without failures ends all', () => {
  const { time, pauses, attempt } = createPauses()
  for (let i = 0; i < 4; i++) attempt(home)
  pauses.reserve(home).succeeded()
  for (let i = 0; i < 5; i++) assert.equal(attempt(home), 0)
  assert.equal(attempt(home), 30)
  time.now += 3_600_000
  for (let i = 0; i < 5; i++) assert.equal(attempt(home), 0)
})

test('attempts with different names from one network share its pause', () => {
  const { attempt } = createPauses()
  for (let i = 0; i < 20; i++) assert.equal(attempt({ ...home, name: `name-${i}` }), 0)
  assert.equal(attempt({ ...home, name: 'another' }), 30)
  assert.equal(attempt({ ...home, known: true }), 0)
})

test('failures from everywhere delay an operator at most a minute, and not from known networks', () => {
  const { time, attempt } = createPauses()
  let longest = 0
  for (let i = 0; i < 500; i++) {
    const seconds = attempt({ ...home, network: `10.1.${i >> 8}.${i & 255}` })
    longest = Math.max(longest, seconds)
    time.now += seconds * 1000
  }
  assert.equal(longest, 60)
  assert.equal(attempt({ ...home, known: true }), 0)
  time.now += 60_000
  assert.equal(attempt(home), 0)
})

test('concurrent attempts share one limit', () => {
  const { pauses } = createPauses()
  const reservations = Array.from({ length: 5 }, () => pauses.reserve(home))
  assert.throws(() => pauses.reserve(home))
  for (const reservation of reservations) reservation.giveBack()
  pauses.reserve(home)
})

test('a flood of other names from other networks does not delay an operator', () => {
  const { attempt } = createPauses()
  for (let i = 0; i < 30_000; i++) attempt({ ...home, name: `n${i}`, network: `x${i}` })
  assert.equal(attempt(home), 0)
})
