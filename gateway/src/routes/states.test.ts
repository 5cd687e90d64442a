/** States of routes: what one process publishes the others read, and capacity is granted once. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestDatabase } from '../../test/support/database.ts'
import { quietLog } from '../../test/support/silent-log.ts'
import { RouteStates, writeRouteState, type RouteState } from './states.ts'

const { database } = await createTestDatabase()

const state = (overrides: Partial<RouteState> = {}): RouteState => ({
  routeId: 'north',
  owner: 'here:1',
  linked: true,
  capacity: { urgent: 5, normal: 3, bulk: 0 },
  rate: 12.5,
  breaker: 'closed',
  throttledShare: 0.25,
  deliveryRate: null,
  seenAt: new Date(),
  version: '',
  ...overrides,
})

async function read(): Promise<RouteStates> {
  const states = new RouteStates(database, quietLog)
  await states.refresh()
  return states
}

test('every process reads what the owner publishes', async () => {
  await writeRouteState(database, state())
  const seen = (await read()).of('north')!
  assert.deepEqual({ ...seen, seenAt: null, version: '' }, { ...state(), seenAt: null })
  assert.ok(Math.abs(seen.seenAt.getTime() - Date.now()) < 1_000)
})

test('capacity is granted once per lane, and again after the owner has published again', async () => {
  await writeRouteState(database, state())
  const states = await read()
  assert.equal(states.reserveCapacity('north', 'normal', 2), true)
  assert.equal(states.reserveCapacity('north', 'normal', 2), false)
  assert.equal(states.reserveCapacity('north', 'urgent', 5), true)
  await states.refresh()
  assert.equal(
    states.reserveCapacity('north', 'normal', 2),
    false,
    'a state that was read before grants nothing more',
  )
  await writeRouteState(database, state())
  await states.refresh()
  assert.equal(states.reserveCapacity('north', 'normal', 2), true)
})

test('a route without a published state has no capacity', async () => {
  await writeRouteState(database, state())
  await database.query(`update route_states set seen_at = now() - interval '3 seconds'`)
  const states = await read()
  assert.equal(states.reserveCapacity('north', 'urgent', 1), false)
  assert.equal(states.reserveCapacity('south', 'urgent', 1), false)
})
