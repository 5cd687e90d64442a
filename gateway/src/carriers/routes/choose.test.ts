import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chooseRoute, trialOneIn, type Health, type RouteRequest } from './choose.ts'
import { compileRoutes } from './compile.ts'
import type { Route } from './route.ts'
import { testRoute as route } from '../../../test/support/routes.ts'

const request: RouteRequest = { accountId: 1, channel: 'sms', to: '01012345678', msgKey: 'K1' }

/** Chooses a route. Routes that are not in `health` are healthy. */
function choose(routes: Route[], change: Partial<RouteRequest> = {}, health: Record<string, Health> = {}) {
  const choice = chooseRoute(
    compileRoutes(routes),
    { ...request, ...change },
    (id) => health[id] ?? { usable: true },
  )
  return choice === null ? null : { id: choice.route.id, reason: choice.reason }
}
const unlinked: Health = { usable: false, reason: 'is not linked' }

test('chooses the enabled route of the channel with the lowest priority number', () => {
  const routes = [
    route('second', { priority: 20 }),
    route('abroad', { priority: 1, channels: ['international'] }),
    route('off', { priority: 5, enabled: false }),
    route('first', { priority: 10, channels: ['international', 'sms'] }),
  ]
  assert.deepEqual(choose(routes), { id: 'first', reason: 'priority 10' })
  assert.equal(choose(routes, { channel: 'international', to: '+819012345678' })?.id, 'abroad')
})

test('returns null when no route matches the message', () => {
  assert.equal(choose([]), null)
  assert.equal(choose([route('off', { enabled: false })]), null)
  assert.equal(choose([route('abroad', { channels: ['international'] })]), null)
  assert.equal(choose([route('others', { accounts: [2, 3] })]), null)
  assert.equal(choose([route('japan', { prefixes: ['+81'] })]), null)
})

test('a route for some accounts serves those and no others', () => {
  const routes = [route('own', { accounts: [2], priority: 1 }), route('shared', { priority: 2 })]
  assert.equal(choose(routes, { accountId: 2 })?.id, 'own')
  // The reason names no failover: the route with the lower priority number does not serve this account.
  assert.deepEqual(choose(routes, { accountId: 1 }), { id: 'shared', reason: 'priority 2' })
})

test('a prefix matches in domestic and international spelling', () => {
  const mobile = [route('mobile', { channels: ['sms', 'international'], prefixes: ['010'] })]
  assert.equal(choose(mobile, { to: '01099998888' })?.id, 'mobile')
  assert.equal(choose(mobile, { to: '+821099998888', channel: 'international' })?.id, 'mobile')
  assert.equal(choose(mobile, { to: '0212345678' }), null)
  assert.equal(choose(mobile, { to: '+819010001000', channel: 'international' }), null)
  assert.equal(choose([route('country', { prefixes: ['+82'] })], { to: '0212345678' })?.id, 'country')
  assert.equal(choose([route('two', { prefixes: ['+81', '010'] })])?.id, 'two')
})

test('a carrier rule matches only when the carrier is known, by the longest range', () => {
  const routes = [route('skt', { carriers: ['10001', '10010'] })]
  const ranges = [
    { prefix: '010', carrier: '10002' },
    { prefix: '+82101', carrier: '10001' },
    { prefix: '01012', carrier: '10003' },
  ]
  const isMatched = (to: string): boolean =>
    chooseRoute(compileRoutes(routes, ranges), { ...request, to }, () => ({ usable: true })) !== null
  assert.deepEqual(
    [isMatched('01011112222'), isMatched('01012345678'), isMatched('01099998888')],
    [true, false, false],
  )
  assert.equal(choose(routes, { to: '01011112222' }), null)
})

test('uses the next route while the first is not usable, with the reason', () => {
  const routes = [
    route('kt-1', { priority: 1 }),
    route('kt-2', { priority: 2 }),
    route('kt-3', { priority: 3 }),
  ]
  assert.deepEqual(choose(routes, {}, { 'kt-1': unlinked }), {
    id: 'kt-2',
    reason: 'second choice: kt-1 is not linked',
  })
  assert.deepEqual(choose(routes, {}, { 'kt-1': unlinked, 'kt-2': { usable: false } }), {
    id: 'kt-3',
    reason: 'third choice: kt-1 is not linked and 1 more cannot take it',
  })
})

test('a less preferred route that is not usable is not mentioned', () => {
  const routes = [route('kt-1', { priority: 1 }), route('kt-2', { priority: 2 })]
  assert.deepEqual(choose(routes, {}, { 'kt-2': unlinked }), { id: 'kt-1', reason: 'priority 1' })
})

test('waits for the best route if none is usable, and gives that reason', () => {
  const routes = [route('kt-1', { priority: 1 }), route('kt-2', { priority: 2 })]
  assert.deepEqual(choose(routes, {}, { 'kt-1': unlinked, 'kt-2': { usable: false } }), {
    id: 'kt-1',
    reason: 'waits: kt-1 is not linked, and no other route is healthy',
  })
  assert.deepEqual(choose([route('kt-1')], {}, { 'kt-1': unlinked }), {
    id: 'kt-1',
    reason: 'waits: kt-1 is not linked',
  })
})

test('usable routes of the same priority share messages, and the reason names their weights', () => {
  const routes = [route('a', { weight: 3 }), route('b', { weight: 1 }), route('c', { weight: 5 })]
  const { id, reason } = choose(routes, {}, { c: unlinked })!
  assert.equal(reason, `priority 100, weight ${id === 'a' ? 3 : 1} of 4; c is not linked`)
})

test('a route on trial gets one message in ten while another is healthy', () => {
  const routes = [route('failed', { priority: 1 }), route('other', { priority: 2 })]
  const health = { failed: { usable: true, onTrial: true, reason: 'is on trial after failures' } }
  const keys = Array.from({ length: 5_000 }, (_, n) => `20261115${n}`)
  const tried = keys.filter((msgKey) => choose(routes, { msgKey }, health)!.id === 'failed').length
  assert.ok(Math.abs(tried - keys.length / trialOneIn) < 100, `${tried} of ${keys.length}`)
  const otherToo = { ...health, other: unlinked }
  assert.ok(keys.every((msgKey) => choose(routes, { msgKey }, otherToo)!.id === 'failed'))
  const waits = keys.map((msgKey) => choose(routes, { msgKey }, otherToo)!.reason)
  assert.ok(waits.includes('on trial, and no other route is healthy'))
})
