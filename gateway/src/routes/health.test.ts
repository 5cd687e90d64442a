/** When a route is well: the order of the signs, their bounds, and what is said. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { healthOf, staleAfterMs, type HealthFigures } from './health.ts'

const now = Date.UTC(2026, 10, 15)
const well: HealthFigures = {
  linked: true,
  breaker: 'closed',
  throttledShare: 0,
  deliveryRate: 0.95,
  seenAt: new Date(now - 250),
}
const rules = { minDeliveryRate: 0.9 }
const why = (signs: Partial<HealthFigures>): string | undefined => {
  const { usable, why } = healthOf({ ...well, ...signs }, rules, now)
  return usable ? undefined : why
}

test('a route that is seen, linked and delivers is well', () => {
  assert.deepEqual(healthOf(well, rules, now), { usable: true })
})

test('a route nobody tells of is owned by no process', () => {
  assert.deepEqual(healthOf(undefined, rules, now), { usable: false, why: 'is owned by no process' })
  assert.equal(why({ seenAt: new Date(now - staleAfterMs) }), undefined)
  assert.equal(why({ seenAt: new Date(now - staleAfterMs - 1), linked: false }), 'is owned by no process')
})

test('an unlinked, resting, throttled or badly delivering route is not usable', () => {
  assert.equal(why({ linked: false, breaker: 'open' }), 'is not linked')
  assert.equal(why({ breaker: 'open', throttledShare: 1 }), 'has failed too often and rests')
  assert.equal(why({ throttledShare: 0.5 }), undefined)
  assert.equal(why({ throttledShare: 0.625 }), 'is throttled by its carrier (62.5 % of submissions)')
  assert.equal(why({ deliveryRate: 0.9 }), undefined)
  assert.equal(why({ deliveryRate: 0.7 }), 'delivers 70 %, less than 90 %')
})

test('a delivery rate that is not known, or not asked for, harms nobody', () => {
  assert.equal(why({ deliveryRate: null }), undefined)
  assert.equal(healthOf({ ...well, deliveryRate: 0 }, { minDeliveryRate: null }, now).usable, true)
})

test('a half-open route is usable, on trial', () => {
  assert.deepEqual(healthOf({ ...well, breaker: 'half-open' }, rules, now), {
    usable: true,
    onTrial: true,
    why: 'is on trial after failures',
  })
})
