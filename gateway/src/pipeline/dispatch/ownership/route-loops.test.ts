import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { addCleanup } from '../../../../test/support/cleanup.ts'
import { createTestDatabase } from '../../../../test/support/engines/database.ts'
import { recordOne } from '../../../../test/support/fixtures.ts'
import { testRoute } from '../../../../test/support/routes.ts'
import { silentLog } from '../../../../test/support/silent-log.ts'
import { assertWithin, waitFor } from '../../../../test/support/wait.ts'
import type { Lane } from '../../../channels/lane.ts'
import { openDatabase } from '../../../platform/database/database.ts'
import { holdSteps, removeWaiting } from '../../../records/waiting/write-waiting.ts'
import { WaitingWatch } from '../../scheduling/waiting-watch.ts'
import { RouteLoops, type LoopedRoute } from './route-loops.ts'

const { database, url } = await createTestDatabase()
const statements = new Map<string, number>()
const counted = openDatabase(url, silentLog, {
  connections: 4,
  onStatement: (name) => statements.set(name, (statements.get(name) ?? 0) + 1),
})
const loops = new RouteLoops({
  database: counted,
  membership: { id: 'member' },
  waitingWatch: new WaitingWatch(counted, silentLog),
  log: silentLog,
})
addCleanup(() => counted.end())
addCleanup(() => loops.stop())

const backlogs = new Map<string, ReadonlySet<Lane>>()
const released: { readonly routeId: string; readonly at: number }[] = []
const idleRoute = (routeId: string): LoopedRoute => ({
  route: { ...testRoute(routeId), routeId },
  awaitsAgreement: false,
  readsDeliveryRate: true,
  queryable: null,
  isBlocked: false,
  isIdle: true,
  readState: () => ({
    routeId,
    owners: 1,
    linked: true,
    rate: null,
    breaker: 'closed',
    throttledShare: 0,
    arrivals: 0,
    submitted: 0,
    queued: 0,
    capacity: { urgent: 8_000, normal: 8_000, bulk: 8_000 },
    deliveryRate: null,
    received: 0,
  }),
  updateBacklog(waiting) {
    backlogs.set(routeId, waiting)
    return waiting.size > 0
  },
  releaseWaiting() {
    released.push({ routeId, at: performance.now() })
    return Promise.resolve()
  },
  moveAway: () => Promise.resolve(),
  updateDeliveryRate: () => undefined,
  agree: () => undefined,
})
const routes = Array.from({ length: 300 }, (_, index) => idleRoute(`route-${index}`))
for (const route of routes) loops.add(route)

test('300 idle routes cost a few statements per second', async () => {
  const written = async (): Promise<number> =>
    (await database.query('select from route_states where linked')).rowCount!
  await waitFor('the states to be written', async () => (await written()) === routes.length)
  statements.clear()
  const seconds = 2
  await pause(seconds * 1_000)
  const sent = [...statements.values()].reduce((sum, count) => sum + count, 0)
  assert.ok(sent / seconds <= 10, JSON.stringify(Object.fromEntries(statements)))
})

test('a step that begins to wait on an idle route is released promptly and wakes only its route', async () => {
  const key = await recordOne(database)
  const row = {
    accountId: 1,
    routeId: 'route-7',
    lane: 'urgent',
    parts: 1,
    tries: 0,
    reason: 'backlog',
  } as const
  const before = performance.now()
  await holdSteps(database, [{ ...key, ...row, releaseAt: new Date() }])
  await waitFor('the release', () => released.length > 0, { everyMs: 5 })
  // Found within 200 ms; the rest is for a busy machine.
  assertWithin('the release', released[0]!.at - before, 1_000)
  assert.deepEqual(backlogs.get('route-7'), new Set(['urgent']))
  assert.equal(backlogs.get('route-8')!.size, 0)
  await removeWaiting(database, [key])
  await waitFor('the end of the backlog', () => backlogs.get('route-7')!.size === 0)
  assert.deepEqual(new Set(released.map(({ routeId }) => routeId)), new Set(['route-7']))
})

test('moving steps of one route blocks no other and never overlaps itself', async () => {
  const moves = { stuck: 0, other: 0 }
  let release = (): void => undefined
  const stuck = new Promise<void>((resolve) => (release = resolve))
  const blocked = [
    { ...idleRoute('stuck'), isBlocked: true, moveAway: () => (moves.stuck++, stuck) },
    { ...idleRoute('other'), isBlocked: true, moveAway: () => (moves.other++, Promise.resolve()) },
  ]
  for (const route of blocked) loops.add(route)
  await waitFor('two moves of the other route', () => moves.other >= 2)
  assert.equal(moves.stuck, 1)
  let removed = false
  const removing = loops.remove(blocked[0]!).then(() => (removed = true))
  await pause(50)
  assert.equal(removed, false, 'a route is removed when its work has ended')
  release()
  await Promise.all([removing, loops.remove(blocked[1]!)])
})
