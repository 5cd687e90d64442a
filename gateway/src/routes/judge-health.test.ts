/** Health of a route: the order of the conditions, their limits, and the reason given. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { healthOf, staleAfterMs, type HealthFigures } from './judge-health.ts'

const now = Date.UTC(2026, 10, 15)
const healthy: HealthFigures = {
  linked: true,
  breaker: 'closed',
  throttledShare: 0,
  deliveryRate: 0.95,
  seenAt: new Date(now - 250),
}
const rules = { minDeliveryRate: 0.9 }
const reasonFor = (state: Partial<HealthFigures>): string | undefined => {
  const { usable, reason } = healthOf({ ...healthy, ...state }, rules, now)
  return usable ? undefined : reason
}

test('a route that is owned, linked and delivers is healthy', () => {
  assert.deepEqual(healthOf(healthy, rules, now), { usable: true })
})

test('a route whose state is not published is owned by no process', () => {
  assert.deepEqual(healthOf(undefined, rules, now), { usable: false, reason: 'is owned by no process' })
  assert.equal(reasonFor({ seenAt: new Date(now - staleAfterMs) }), undefined)
  assert.equal(
    reasonFor({ seenAt: new Date(now - staleAfterMs - 1), linked: false }),
    'is owned by no process',
  )
})

test('a route that is not linked, paused, throttled or delivers too little is not usable', () => {
  assert.equal(reasonFor({ linked: false, breaker: 'open' }), 'is not linked')
  assert.equal(
    reasonFor({ breaker: 'open', throttledShare: 1 }),
    'is paused by its circuit breaker after failures',
  )
  assert.equal(reasonFor({ throttledShare: 0.5 }), undefined)
  assert.equal(reasonFor({ throttledShare: 0.625 }), 'is throttled by its carrier (62.5 % of submissions)')
  assert.equal(reasonFor({ deliveryRate: 0.9 }), undefined)
  assert.equal(reasonFor({ deliveryRate: 0.7 }), 'delivers 70 %, less than 90 %')
})

test('a delivery rate that is unknown, or without a minimum, does not matter', () => {
  assert.equal(reasonFor({ deliveryRate: null }), undefined)
  assert.equal(healthOf({ ...healthy, deliveryRate: 0 }, { minDeliveryRate: null }, now).usable, true)
})

test('a half-open route is usable, on trial', () => {
  assert.deepEqual(healthOf({ ...healthy, breaker: 'half-open' }, rules, now), {
    usable: true,
    onTrial: true,
    reason: 'is on trial after failures',
  })
})
