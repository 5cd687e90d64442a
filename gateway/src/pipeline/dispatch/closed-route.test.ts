/**
 * What an operator does to a route while it is linked: drained and paused it submits nothing, loses nothing and still receives receipts;
 * another rate needs no new bind.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestBroker } from '../../../test/support/broker.ts'
import { atEnd } from '../../../test/support/cleanup.ts'
import { createTestDatabase } from '../../../test/support/database.ts'
import { acceptedJobs } from '../../../test/support/fixtures.ts'
import { joinMembers } from '../../../test/support/membership.ts'
import { allowEverything } from '../../../test/support/policy.ts'
import { sendThroughQueue } from '../../../test/support/settle.ts'
import { quietLog, testMetrics } from '../../../test/support/silent-log.ts'
import { smppRoute } from '../../../test/support/smpp-route.ts'
import { deliverBody } from '../../../test/support/smpp/fixtures.ts'
import { listen, type Peer } from '../../../test/support/smpp/peer.ts'
import { waitFor } from '../../../test/support/wait.ts'
import { createSchedulingSettingsTable } from '../../accounts/scheduling-settings.ts'
import type { Receipt } from '../../connectors/connector.ts'
import { countWaiting } from '../../records/waiting/count-waiting.ts'
import { setRouteEnabled, setRouteRate, setRouteTraffic, upsertRoute } from '../../routes/queries.ts'
import { createRouter } from '../../routes/router.ts'
import { RouteStates } from '../../routes/states.ts'
import { createRouteTable } from '../../routes/table.ts'
import { startIntake } from '../intake/intake.ts'
import { WaitingWatch } from '../scheduling/waiting-watch.ts'
import { createAttemptWriter } from './attempt-writer.ts'
import { startDispatch } from './dispatch.ts'

const { database } = await createTestDatabase()
const { broker, topology } = await createTestBroker()

async function carrier(name: string): Promise<Peer & { readonly taken: () => number }> {
  let taken = 0
  const peer = await listen({
    submit_sm: (pdu, session) => {
      taken++
      session.send('submit_sm_resp', 0, pdu.sequence, { messageId: `${name}${taken}` })
    },
  })
  atEnd(() => peer.close())
  return Object.assign(peer, { taken: () => taken })
}

const [first, second] = [await carrier('a'), await carrier('b')]
await upsertRoute(database, smppRoute('first', first, { priority: 10, failoverAfterSeconds: 1 }))
await upsertRoute(
  database,
  smppRoute('second', second, { priority: 20, failoverAfterSeconds: 1, enabled: false }),
)

const routes = createRouteTable(database, quietLog)
const schedulingSettings = createSchedulingSettingsTable(database, quietLog)
const states = new RouteStates(database, quietLog)
await Promise.all([routes.start(), schedulingSettings.start(), states.start()])
atEnd(async () => {
  routes.stop()
  schedulingSettings.stop()
  await states.stop()
})
await broker.declare(topology.dispatch)
const metrics = testMetrics()
const receipts: { readonly routeId: string; readonly receipt: Receipt }[] = []
const stage = {
  ...{ broker, topology, database, metrics, schedulingSettings, states, log: quietLog },
  publisher: broker.publisher,
  stopOf: () => undefined,
  policy: allowEverything,
  router: createRouter(routes, states),
  waitingWatch: new WaitingWatch(database, quietLog),
}
const dispatch = startDispatch(routes, {
  ...stage,
  attemptWriter: createAttemptWriter(database, metrics, quietLog),
  membership: joinMembers(database),
  sendToSettle: sendThroughQueue(broker.publisher, topology),
  onReceipt: (routeId, receipt) => {
    receipts.push({ routeId, receipt })
    return Promise.resolve()
  },
  openFile: () => Promise.resolve(null),
})
const intake = startIntake({ ...stage, stepTtlSeconds: 600, retentionDays: 30 })
atEnd(() => Promise.all([intake.stop(), dispatch.stop()]))

async function send(count: number): Promise<void> {
  const jobs = acceptedJobs(count)
  await Promise.all(jobs.map((job) => broker.publisher.send(topology.accepted.normal, JSON.stringify(job))))
}
const routeIs = (id: string, wanted: Readonly<Record<string, unknown>>): boolean =>
  routes.value.some((route) => {
    const values = route as unknown as Record<string, unknown>
    return route.id === id && Object.entries(wanted).every(([name, value]) => values[name] === value)
  })
const recorded = async (): Promise<number> =>
  (await database.query<{ n: number }>('select count(*) as n from messages')).rows[0]!.n

test('a paused route submits nothing and keeps its bind; what no other route serves waits, and is sent afterwards', async () => {
  await waitFor('the link', () => states.of('first')?.linked === true)
  await setRouteTraffic(database, 'first', 'paused')
  await waitFor('the pause', () => routeIs('first', { traffic: 'paused' }))
  await waitFor('no capacity', () => states.of('first')?.capacity.normal === 0)
  await send(10)
  await waitFor('the steps', async () => (await countWaiting(database, 'first')) === 10)
  assert.deepEqual([first.taken(), first.sessions.length, first.sessions[0]!.closed], [0, 1, false])
  await setRouteTraffic(database, 'first', 'open')
  await waitFor('the messages', () => first.taken() === 10)
})

test('another rate is applied over the same bind, and bounds what follows', async () => {
  await setRouteRate(database, 'first', 2)
  await waitFor('the rate', () => states.of('first')?.rate === 2)
  const before = first.taken()
  await send(30)
  await waitFor('the messages', async () => (await recorded()) === 40)
  await waitFor('some', () => first.taken() > before)
  assert.ok(first.taken() - before < 10)
  assert.deepEqual([first.sessions.length, first.sessions[0]!.closed], [1, false])
})

test('a drained route hands over what waits, in memory and in the table, and takes nothing more', async () => {
  await setRouteEnabled(database, 'second', true)
  await waitFor('the other link', () => states.of('second')?.linked === true)
  await setRouteTraffic(database, 'first', 'draining')
  await waitFor('all messages', () => first.taken() + second.taken() >= 40)
  assert.equal(await countWaiting(database, 'first'), 0)
  const taken = first.taken()
  await send(10)
  await waitFor('the new messages', () => first.taken() + second.taken() >= 50)
  assert.deepEqual([first.taken(), first.taken() + second.taken()], [taken, 50])
  assert.equal(states.of('first')?.linked, true)
})

test('a drained route still receives its receipts, over the same bind', async () => {
  const session = first.sessions[0]!
  const text =
    'id:a1 sub:001 dlvrd:001 submit date:2611160900 done date:2611160901 stat:DELIVRD err:000 text:'
  session.send('deliver_sm', 0, 77, deliverBody({}, text))
  await waitFor('the receipt', () => receipts.some(({ routeId }) => routeId === 'first'))
  assert.deepEqual([first.sessions.length, session.closed], [1, false])
})

test('a drained route without another one keeps what has reached it until it is opened again', async () => {
  await setRouteEnabled(database, 'second', false)
  await setRouteTraffic(database, 'first', 'open')
  await setRouteRate(database, 'first', 1)
  await waitFor('the rate', () => routeIs('first', { traffic: 'open', partsPerSecond: 1 }))
  const before = first.taken()
  await send(20)
  await waitFor('the messages', async () => (await recorded()) === 70)
  await waitFor('the first of them', () => first.taken() > before)
  await setRouteTraffic(database, 'first', 'draining')
  await waitFor('the drain', () => routeIs('first', { traffic: 'draining' }))
  await waitFor(
    'the rest',
    async () => first.taken() - before + (await countWaiting(database, 'first')) === 20,
  )
  await setRouteRate(database, 'first', 0)
  await setRouteTraffic(database, 'first', 'open')
  await waitFor('the rest', () => first.taken() - before === 20)
  assert.equal(first.sessions.length, 1)
})
