import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { SubmitOutcome } from '../../../carriers/connectors/connector.ts'
import { breakerDefaults, type BreakerSettings } from '../../../platform/circuit-breaker.ts'
import { RouteBreaker } from './route-breaker.ts'

const outcomes = {
  accepted: { kind: 'accepted', carrierId: '1' },
  throttled: { kind: 'throttled', code: 'x', retryAfterMs: 1 },
  wrongNumber: { kind: 'refused', cause: 'bad-number', code: 'x', text: '' },
  systemFault: { kind: 'refused', cause: 'temporary-failure', code: 'x', text: '' },
  unreachable: { kind: 'unreachable', code: 'x', text: '' },
  unknown: { kind: 'unknown', code: 'x', text: '' },
} as const satisfies Record<string, SubmitOutcome>
type OutcomeName = keyof typeof outcomes
const failures: readonly OutcomeName[] = ['systemFault', 'unreachable', 'unknown']

function setUp(settings: Partial<BreakerSettings> = {}) {
  const clock = { ms: 1_000 }
  const breaker = new RouteBreaker({ now: () => clock.ms, random: () => 0, ...settings })
  return {
    clock,
    breaker,
    /** Submits several times with this outcome; returns how many submissions got a pass. */
    submit: (name: OutcomeName, times = 1): number => {
      let passed = 0
      for (let n = 0; n < times; n++) {
        const pass = breaker.enter()
        if (pass === null) continue
        passed++
        breaker.record(pass, outcomes[name])
      }
      return passed
    },
  }
}

test('opens when half of at least twenty recent outcomes are failures', () => {
  for (const name of failures) {
    const { breaker, submit } = setUp()
    submit('accepted', 10)
    submit(name, 9)
    assert.equal(breaker.state, 'closed', 'nineteen are too few')
    submit(name)
    assert.equal(breaker.state, 'open', name)
    assert.equal(submit('accepted', 5), 0)
  }
})

test('never opens for wrong numbers or for a carrier that throttles', () => {
  const { breaker, submit } = setUp()
  submit('wrongNumber', 1_000)
  submit('throttled', 1_000)
  assert.equal(breaker.state, 'closed')
})

test('a success never opens it, even one that makes the sample large enough', () => {
  const { breaker, submit } = setUp()
  submit('unknown', 15)
  submit('accepted', 5)
  assert.equal(breaker.state, 'closed')
  submit('unknown')
  assert.equal(breaker.state, 'open')
})

test('drops outcomes that are too old or beyond the sample size', () => {
  const aged = setUp()
  aged.submit('unknown', 19)
  aged.clock.ms += breakerDefaults.windowMs + 1
  aged.submit('unknown', 19)
  assert.equal(aged.breaker.state, 'closed')
  const busy = setUp({ windowOutcomes: 40 })
  busy.submit('accepted', 40)
  busy.submit('unknown', 19)
  busy.submit('accepted', 40)
  busy.submit('unknown', 19)
  assert.equal(busy.breaker.state, 'closed')
  busy.submit('accepted', 1_000)
  busy.submit('unknown', 20)
  assert.equal(busy.breaker.state, 'open', 'half of the last forty')
})

test('admits only probes after its open time and closes when all succeed', () => {
  const { breaker, submit, clock } = setUp()
  submit('unknown', 20)
  assert.equal(breaker.pauseMs, 5_000)
  clock.ms += 4_999
  assert.equal(breaker.enter(), null)
  clock.ms += 1
  assert.equal(breaker.state, 'half-open')
  const passes = Array.from({ length: 10 }, () => breaker.enter())
  const given = passes.filter((pass) => pass !== null)
  assert.equal(given.length, breakerDefaults.probes)
  given.slice(1).forEach((pass) => breaker.record(pass, outcomes.accepted))
  assert.equal(breaker.state, 'half-open')
  breaker.record(given[0]!, outcomes.wrongNumber)
  assert.equal(breaker.state, 'closed')
  submit('unknown', 19)
  assert.equal(breaker.state, 'closed', 'outcomes from before the pause do not count')
})

test('successes of an earlier trial do not count in the next', () => {
  const { breaker, submit, clock } = setUp()
  submit('unknown', 20)
  clock.ms += breaker.pauseMs
  submit('accepted', breakerDefaults.probes - 1)
  submit('unknown')
  clock.ms += breaker.pauseMs
  submit('accepted', breakerDefaults.probes - 1)
  assert.equal(breaker.state, 'half-open')
  submit('accepted')
  assert.equal(breaker.state, 'closed')
})

test('a failed probe keeps it open longer, up to the longest time', () => {
  const { breaker, submit, clock } = setUp()
  submit('unknown', 20)
  const pauses = [breaker.pauseMs]
  for (let n = 0; n < 5; n++) {
    clock.ms += breaker.pauseMs
    assert.equal(submit('unknown'), 1)
    pauses.push(breaker.pauseMs)
  }
  assert.deepEqual(pauses, [5_000, 10_000, 20_000, 40_000, 60_000, 60_000])
})

test('a route that fails again soon stays open longer; one that was healthy for a minute starts over', () => {
  const { breaker, submit, clock } = setUp()
  const recover = (): void => {
    clock.ms += breaker.pauseMs
    submit('accepted', breakerDefaults.probes)
    assert.equal(breaker.state, 'closed')
  }
  submit('unknown', 20)
  recover()
  submit('unknown', 20)
  assert.equal(breaker.pauseMs, 10_000)
  recover()
  clock.ms += 60_000
  submit('unknown', 20)
  assert.equal(breaker.pauseMs, 5_000)
})

test('an outcome from before it opened neither closes nor opens it again', () => {
  const { breaker, submit, clock } = setUp()
  const early = Array.from({ length: 50 }, () => breaker.enter()!)
  submit('unknown', 20)
  for (const pass of early.slice(0, 25)) breaker.record(pass, outcomes.unknown)
  assert.equal(breaker.pauseMs, 5_000)
  clock.ms += 5_000
  assert.equal(breaker.state, 'half-open')
  for (const pass of early.slice(25)) breaker.record(pass, outcomes.unknown)
  assert.equal(breaker.state, 'half-open')
  for (const pass of early) breaker.record(pass, outcomes.accepted)
  assert.equal(breaker.state, 'half-open')
})

test('probes that are throttled, given back or without an outcome do not keep the breaker half-open', () => {
  const { breaker, submit, clock } = setUp()
  submit('unknown', 20)
  clock.ms += breaker.pauseMs
  assert.equal(submit('throttled', 100), 100)
  for (let n = 0; n < 100; n++) breaker.giveBack(breaker.enter()!)
  for (let n = 0; n < breakerDefaults.probes; n++) breaker.enter()
  assert.equal(breaker.enter(), null)
  clock.ms += breakerDefaults.probeTimeoutMs
  assert.equal(submit('accepted', breakerDefaults.probes), breakerDefaults.probes)
  assert.equal(breaker.state, 'closed')
})

test('jitter takes at most a fifth off the open time', () => {
  for (const chance of [0, 0.5, 0.999]) {
    const { breaker, submit } = setUp({ random: () => chance })
    submit('unknown', 20)
    assert.equal(breaker.pauseMs, 5_000 * (1 - chance / 5))
  }
})

const event = fc.oneof(
  { weight: 6, arbitrary: fc.record({ name: fc.constantFrom(...(Object.keys(outcomes) as OutcomeName[])) }) },
  { weight: 2, arbitrary: fc.record({ waitMs: fc.integer({ min: 1, max: 20_000 }) }) },
  { weight: 1, arbitrary: fc.record({ giveBack: fc.constant(true) }) },
)

test('gives no pass while open, few while half-open, and can always close', () => {
  fc.assert(
    fc.property(
      fc.array(event, { maxLength: 300 }),
      fc.double({ min: 0, max: 0.999, noNaN: true }),
      (events, chance) => {
        const { breaker, clock, submit } = setUp({ minOutcomes: 4, random: () => chance })
        const held: number[] = []
        for (const drawn of events) {
          if ('waitMs' in drawn) clock.ms += drawn.waitMs
          assert.ok(breaker.pauseMs >= 0 && breaker.pauseMs <= breakerDefaults.maxPauseMs)
          const before = breaker.state
          const pass = breaker.enter()
          if (before === 'open') assert.equal(pass, null)
          if (pass !== null) held.push(pass)
          // Passes are numbered by period: those of the current period have the newest number.
          if (before === 'half-open' && pass !== null)
            assert.ok(held.filter((other) => other === pass).length <= breakerDefaults.probes)
          const oldest = 'waitMs' in drawn ? undefined : held.shift()
          if (oldest === undefined) continue
          if ('name' in drawn) breaker.record(oldest, outcomes[drawn.name])
          else breaker.giveBack(oldest)
        }
        // A carrier that is healthy again is used within two maximum open times, from any state.
        for (let n = 0; n < 2 && breaker.state !== 'closed'; n++) {
          clock.ms += breakerDefaults.maxPauseMs
          submit('accepted', breakerDefaults.probes)
        }
        assert.equal(breaker.state, 'closed')
        assert.equal(submit('accepted', 50), 50)
      },
    ),
    { numRuns: 300 },
  )
})
