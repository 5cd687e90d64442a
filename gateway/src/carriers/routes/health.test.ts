import assert from 'node:assert/strict'
import { test } from 'node:test'
import { computeRouteHealth, staleAfterMs, type HealthInput } from './health.ts'

const now = Date.UTC(2026, 10, 15)
const healthy: HealthInput = {
  linked: true,
  breaker: 'closed',
  throttledShare: 0,
  deliveryRate: 0.95,
  seenAt: new Date(now - 250),
}
const rules = { minDeliveryRate: 0.9 }
const reasonFor = (state: Partial<HealthInput>): string | undefined => {
  const { usable, reason } = computeRouteHealth({ ...healthy, ...state }, rules, now)
  return usable ? undefined : reason
}

test('a route that is owned, linked and delivers is healthy', () => {
  assert.deepEqual(computeRouteHealth(healthy, rules, now), { usable: true })
})

test('a route without a recently published state has no owner', () => {
  assert.deepEqual(computeRouteHealth(undefined, rules, now), {
    usable: false,
    reason: 'is owned by no process',
  })
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
  assert.equal(
    computeRouteHealth({ ...healthy, deliveryRate: 0 }, { minDeliveryRate: null }, now).usable,
    true,
  )
})

test('a half-open route is usable, on trial', () => {
  assert.deepEqual(computeRouteHealth({ ...healthy, breaker: 'half-open' }, rules, now), {
    usable: true,
    onTrial: true,
    reason: 'is on trial after failures',
  })
})
