import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestDatabase } from '../../../test/support/engines/database.ts'
import { silentLog } from '../../../test/support/silent-log.ts'
import { assertWithin } from '../../../test/support/wait.ts'
import { StatePublisher, type CurrentState } from './state-publisher.ts'
import { RouteStates } from './states.ts'
import { writeRouteStates } from './states-table.ts'

const { database } = await createTestDatabase()

const state = (overrides: Partial<CurrentState> = {}): CurrentState => ({
  routeId: 'north',
  owners: 1,
  linked: true,
  linkReason: null,
  capacity: { urgent: 5, normal: 3, bulk: 0 },
  rate: 12.5,
  breaker: 'closed',
  throttledShare: 0.25,
  arrivals: 2.5,
  submitted: 1.5,
  queued: 7,
  deliveryRate: null,
  received: 0,
  ...overrides,
})

let members = 0

/** Creates a process that publishes these states whenever `publish` is called. */
async function createPublisher(...states: CurrentState[]): Promise<StatePublisher> {
  const publisher = new StatePublisher(database, `member ${++members}`, silentLog)
  for (const routeState of states)
    publisher.add(routeState.routeId, { isIdle: false, readState: () => routeState })
  await addMember(publisher.owner)
  return publisher
}

const addMember = (id: string) =>
  database.query(`insert into members (id, role, host) values ($1, 'worker', 'here:1')`, [id])

/** Moves the last heartbeat of a member. */
const moveHeartbeat = (id: string, by: string) =>
  database.query('update members set seen_at = now() + $2::interval where id = $1', [id, by])

async function read(): Promise<RouteStates> {
  const states = new RouteStates(database, silentLog)
  await states.refresh()
  return states
}

const versions = async (): Promise<Record<string, string>> => {
  const { rows } = await database.query<{ id: string; changed: string }>(
    'select route_id as id, changed::text from route_states',
  )
  return Object.fromEntries(rows.map(({ id, changed }) => [id, changed]))
}

test('every process reads what the owner publishes', async () => {
  const publisher = await createPublisher(state())
  await publisher.publish()
  const { seenAt, version, ...routeState } = (await read()).get('north')!
  assert.deepEqual({ ...routeState, received: 0 }, { ...state(), owner: publisher.owner })
  assert.notEqual(version, '')
  assertWithin('the state', Math.abs(seenAt.getTime() - Date.now()), 1_000)
})

test('an idle route is written once, and a busy route of the same process every time', async () => {
  let received = 0
  const publisher = await createPublisher(state({ routeId: 'idle' }))
  publisher.add('busy', { isIdle: false, readState: () => state({ routeId: 'busy', received: received++ }) })
  await publisher.publish()
  const before = await versions()
  await publisher.publish()
  await publisher.publish()
  const after = await versions()
  assert.equal(after.idle, before.idle)
  assert.notEqual(after.busy, before.busy)
})

test('capacity is granted once per lane, and again after the route has received steps', async () => {
  let received = 0
  const publisher = await createPublisher()
  publisher.add('north', { isIdle: false, readState: () => state({ received }) })
  await publisher.publish()
  const states = await read()
  assert.equal(states.reserveCapacity('north', 'normal', 2), true)
  assert.equal(states.reserveCapacity('north', 'normal', 2), false)
  assert.equal(states.reserveCapacity('north', 'urgent', 5), true)
  await publisher.publish()
  await states.refresh()
  assert.equal(
    states.reserveCapacity('north', 'normal', 2),
    false,
    'a state that was read before grants nothing more',
  )
  received++
  await publisher.publish()
  await states.refresh()
  assert.equal(states.reserveCapacity('north', 'normal', 2), true)
})

test('a route whose owner is silent has no capacity; the routes of others keep theirs', async () => {
  const silent = await createPublisher(state({ routeId: 'silent' }))
  await silent.publish()
  await (await createPublisher(state({ routeId: 'other' }))).publish()
  const states = await read()
  await moveHeartbeat(silent.owner, '-6 s')
  await states.refresh()
  assert.equal(states.reserveCapacity('silent', 'urgent', 1), false)
  assert.equal(states.reserveCapacity('other', 'urgent', 1), true)
  assert.equal(states.reserveCapacity('unknown', 'urgent', 1), false)
  assert.ok(Date.now() - states.get('silent')!.seenAt.getTime() > 5_000)
})

test('a dead owner grants no capacity after the clock of PostgreSQL was set back', async () => {
  const dead = await createPublisher(state({ routeId: 'dead' }))
  await dead.publish()
  await (await createPublisher(state({ routeId: 'alive' }))).publish()
  const states = await read()
  await moveHeartbeat(dead.owner, '1 hour')
  await states.refresh()
  assert.equal(states.reserveCapacity('dead', 'urgent', 1), false)
  assert.equal(states.reserveCapacity('alive', 'urgent', 1), true)
})

test('a route that its process releases has no owner, although the process is alive', async () => {
  const publisher = await createPublisher(state({ routeId: 'released' }), state({ routeId: 'kept' }))
  await publisher.publish()
  const states = await read()
  publisher.remove('released')
  await publisher.publish()
  await states.refresh()
  assert.equal(states.reserveCapacity('released', 'urgent', 1), false)
  assert.equal(states.get('released')!.owner, '')
  assert.equal(states.reserveCapacity('kept', 'urgent', 1), true)
})

test('a process that stops releases its routes', async () => {
  const publisher = await createPublisher(state({ routeId: 'stopped' }))
  await publisher.publish()
  const states = await read()
  assert.equal(states.reserveCapacity('stopped', 'urgent', 1), true)
  await publisher.stop()
  await states.refresh()
  assert.equal(states.reserveCapacity('stopped', 'urgent', 1), false)
})

const losses = {
  'a crash of PostgreSQL has emptied the tables': () => database.query('truncate route_states'),
  'a resumed process has overwritten the state': () =>
    writeRouteStates(database, {
      owner: 'frozen',
      changed: [state({ routeId: 'lost', linked: false })],
      released: [],
      written: [],
    }),
}
for (const [loss, lose] of Object.entries(losses)) {
  test(`states are written again after ${loss}`, async () => {
    const publisher = await createPublisher(state({ routeId: 'lost' }), state({ routeId: 'other' }))
    await publisher.publish()
    const states = await read()
    await lose()
    await publisher.write()
    await publisher.publish()
    await states.refresh()
    for (const routeId of ['lost', 'other']) {
      const routeState = states.get(routeId)!
      assert.deepEqual([routeState.owner, routeState.linked], [publisher.owner, true], routeId)
      assertWithin('the state', Date.now() - routeState.seenAt.getTime(), 1_000)
    }
  })
}

test('reads a state whose transaction committed out of order', async () => {
  const states = await read()
  const publicationOf = (routeId: string) => ({
    owner: 'slow',
    released: [],
    written: [],
    changed: [state({ routeId })],
  })
  const client = await database.connect()
  try {
    await client.query('begin')
    await writeRouteStates(client, { ...publicationOf('early'), owner: 'another' })
    await writeRouteStates(database, publicationOf('late'))
    await states.refresh()
    assert.deepEqual([states.get('early'), states.get('late')?.linked], [undefined, true])
    await client.query('commit')
  } finally {
    client.release()
  }
  await states.refresh()
  assert.equal(states.get('early')?.linked, true)
})
