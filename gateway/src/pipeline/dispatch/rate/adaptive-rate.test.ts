import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { AdaptiveRate } from './adaptive-rate.ts'

function atClock(ceiling: number) {
  let now = 0
  const rate = new AdaptiveRate({ ceiling, now: () => now })
  return { rate, pass: (ms: number) => (now += ms) }
}

test('starts at its ceiling, or unbounded', () => {
  assert.equal(atClock(100).rate.value, 100)
  assert.equal(atClock(0).rate.value, Infinity)
})

test('throttled responses halve the throughput, and a burst of them counts once', () => {
  const { rate, pass } = atClock(100)
  for (let second = 0; second < 3; second++) {
    rate.recordSubmitted(80)
    pass(1_000)
  }
  for (let n = 0; n < 20; n++) rate.recordThrottle()
  const cut = rate.value
  assert.ok(cut > 40 && cut < 44, `${cut}`)
  for (let n = 0; n < 50; n++) rate.recordThrottle()
  assert.equal(rate.value, cut)
  pass(600)
  rate.recordThrottle()
  assert.ok(rate.value < cut)
})

test('a carrier that throttles a few at any rate does not bring the route to a stop', () => {
  const { rate, pass } = atClock(0)
  for (let tenth = 0; tenth < 1_200; tenth++) {
    rate.recordSubmitted(20)
    for (let n = 0; n < 19; n++) rate.recordResponse()
    rate.recordThrottle()
    pass(100)
  }
  assert.ok(rate.value > 200, `${rate.value} after two minutes at 200 per second`)
})

test('settles near the rate that the carrier accepts', () => {
  const { rate, pass } = atClock(1_000)
  let sent = 0
  for (let tenth = 0; tenth < 600; tenth++) {
    const now = rate.value / 10
    rate.recordSubmitted(now)
    const accepted = Math.min(now, 20)
    for (let n = 0; n < accepted; n++) rate.recordResponse()
    for (let n = 0; n < now - accepted; n++) rate.recordThrottle()
    if (tenth >= 100) sent += now
    pass(100)
  }
  assert.ok(sent / 50 > 160 && sent / 50 < 260, `${sent / 50} per second where 200 are accepted`)
})

test('regains a twentieth of its ceiling each second, up to its ceiling', () => {
  const { rate, pass } = atClock(100)
  rate.recordSubmitted(100)
  pass(1_000)
  for (let n = 0; n < 20; n++) rate.recordThrottle()
  const cut = rate.value
  pass(1_000)
  assert.ok(Math.abs(rate.value - cut - 5) < 0.01)
  pass(60_000)
  assert.equal(rate.value, 100)
})

test('an unlimited route learns a limit and drops it far above the throttled rate', () => {
  const { rate, pass } = atClock(0)
  rate.recordSubmitted(1_000)
  pass(1_000)
  for (let n = 0; n < 20; n++) rate.recordThrottle()
  assert.equal(Math.round(rate.value), 525)
  pass(10_000)
  assert.equal(Math.round(rate.value), 1_525)
  pass(60_000)
  assert.equal(rate.value, Infinity)
})

test('reports the fraction of recent responses that were throttled', () => {
  const { rate, pass } = atClock(100)
  for (let n = 0; n < 30; n++) rate.recordResponse()
  assert.equal(rate.throttledShare, 0)
  for (let n = 0; n < 70; n++) rate.recordThrottle()
  assert.ok(Math.abs(rate.throttledShare - 0.7) < 0.01)
  pass(11_000)
  rate.recordResponse()
  pass(11_000)
  assert.equal(rate.throttledShare, 0)
})

test('stays between its minimum and its ceiling for any sequence of outcomes', () => {
  const events = fc.array(fc.oneof(fc.constant('throttled'), fc.integer({ min: 1, max: 5_000 })), {
    maxLength: 200,
  })
  fc.assert(
    fc.property(events, fc.integer({ min: 1, max: 10_000 }), (happened, ceiling) => {
      const { rate, pass } = atClock(ceiling)
      for (const event of happened) {
        if (event === 'throttled') rate.recordThrottle()
        else {
          rate.recordSubmitted(event % 97)
          pass(event)
        }
        assert.ok(rate.value <= ceiling && rate.value >= ceiling * 0.05)
      }
    }),
    { numRuns: 300 },
  )
})
