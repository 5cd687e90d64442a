/** States of routes: what one process tells the others see, and room is spent once. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestDatabase } from '../../test/support/database.ts'
import { quietLog } from '../../test/support/quiet.ts'
import { RouteStates, writeRouteState, type RouteState } from './states.ts'

const { database } = await createTestDatabase()

const state = (overrides: Partial<RouteState> = {}): RouteState => ({
  routeId: 'north',
  owner: 'here:1',
  linked: true,
  room: { urgent: 5, normal: 3, bulk: 0 },
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

test('what the owner tells is read by everybody', async () => {
  await writeRouteState(database, state())
  const seen = (await read()).of('north')!
  assert.deepEqual({ ...seen, seenAt: null, version: '' }, { ...state(), seenAt: null })
  assert.ok(Math.abs(seen.seenAt.getTime() - Date.now()) < 1_000)
})

test('room is given once, in each lane by itself, and again when the owner has spoken again', async () => {
  await writeRouteState(database, state())
  const states = await read()
  assert.equal(states.takeRoom('north', 'normal', 2), true)
  assert.equal(states.takeRoom('north', 'normal', 2), false)
  assert.equal(states.takeRoom('north', 'urgent', 5), true)
  await states.refresh()
  assert.equal(states.takeRoom('north', 'normal', 2), false, 'the same word read twice gives nothing more')
  await writeRouteState(database, state())
  await states.refresh()
  assert.equal(states.takeRoom('north', 'normal', 2), true)
})

test('a route nobody speaks for has no room', async () => {
  await writeRouteState(database, state())
  await database.query(`update route_states set seen_at = now() - interval '3 seconds'`)
  const states = await read()
  assert.equal(states.takeRoom('north', 'urgent', 1), false)
  assert.equal(states.takeRoom('south', 'urgent', 1), false)
})
