/**
 * Traffic and rate changes of a linked route: drained and paused it submits nothing, loses nothing and still
 * receives receipts; a changed rate needs no new bind.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestBroker } from '../../../test/support/engines/broker.ts'
import { addCleanup } from '../../../test/support/cleanup.ts'
import { createTestDatabase } from '../../../test/support/engines/database.ts'
import { acceptedJobs } from '../../../test/support/fixtures.ts'
import { joinMembers } from '../../../test/support/membership.ts'
import { allowEverything } from '../../../test/support/policy.ts'
import { sendThroughQueue } from '../../../test/support/pipeline/settle.ts'
import { silentLog, testMetrics } from '../../../test/support/silent-log.ts'
import { smppRoute } from '../../../test/support/smpp/smpp-route.ts'
import { deliverBody } from '../../../test/support/smpp/fixtures.ts'
import { listen, type Peer } from '../../../test/support/smpp/peer.ts'
import { waitFor } from '../../../test/support/wait.ts'
import { createSchedulingSettingsTable } from '../../identity/accounts/scheduling-settings.ts'
import type { Receipt } from '../../carriers/connectors/connector.ts'
import { countWaiting } from '../../records/waiting/count-waiting.ts'
import { setRouteEnabled, setRouteRate, setRouteTraffic, upsertRoute } from '../../carriers/routes/queries.ts'
import { createRouter } from '../../carriers/routes/router.ts'
import { RouteStates } from '../../carriers/routes/states.ts'
import { createRouteTable } from '../../carriers/routes/table.ts'
import { startIntake } from '../intake/intake.ts'
import { WaitingWatch } from '../scheduling/waiting-watch.ts'
import { createAttemptWriter } from './runner/attempt-writer.ts'
import { startDispatch } from './dispatch.ts'

const { database } = await createTestDatabase()
const { broker, topology } = await createTestBroker()

async function carrier(name: string): Promise<Peer & { readonly countSubmissions: () => number }> {
  let submissions = 0
  const peer = await listen({
    submit_sm: (pdu, session) => {
      submissions++
      session.send('submit_sm_resp', 0, pdu.sequence, { messageId: `${name}${submissions}` })
    },
  })
  addCleanup(() => peer.close())
  return Object.assign(peer, { countSubmissions: () => submissions })
}

const [first, second] = [await carrier('a'), await carrier('b')]
await upsertRoute(database, smppRoute('first', first, { priority: 10, failoverAfterSeconds: 1 }))
await upsertRoute(
  database,
  smppRoute('second', second, { priority: 20, failoverAfterSeconds: 1, enabled: false }),
)

const routes = createRouteTable(database, silentLog)
const schedulingSettings = createSchedulingSettingsTable(database, silentLog)
const states = new RouteStates(database, silentLog)
await Promise.all([routes.start(), schedulingSettings.start(), states.start()])
addCleanup(async () => {
  routes.stop()
  schedulingSettings.stop()
  await states.stop()
})
await broker.declare(topology.dispatch)
const metrics = testMetrics()
const receipts: { readonly routeId: string; readonly receipt: Receipt }[] = []
const services = {
  broker,
  topology,
  database,
  metrics,
  schedulingSettings,
  states,
  log: silentLog,
  publisher: broker.publisher,
  getBlock: () => undefined,
  policy: allowEverything,
  router: createRouter(routes, states),
  waitingWatch: new WaitingWatch(database, silentLog),
}
const dispatch = startDispatch(routes, {
  ...services,
  attemptWriter: createAttemptWriter(database, metrics, silentLog),
  membership: joinMembers(database),
  sendToSettle: sendThroughQueue(broker.publisher, topology),
  onReceipt: (routeId, receipt) => {
    receipts.push({ routeId, receipt })
    return Promise.resolve()
  },
  openFile: () => Promise.resolve(null),
})
const intake = startIntake({ ...services, stepTtlSeconds: 600, retentionDays: 30 })
addCleanup(() => Promise.all([intake.stop(), dispatch.stop()]))

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

test('a paused route keeps its bind and sends its waiting steps after it is opened', async () => {
  await waitFor('the link', () => states.get('first')?.linked === true)
  await setRouteTraffic(database, 'first', 'paused')
  await waitFor('the pause', () => routeIs('first', { traffic: 'paused' }))
  await waitFor('no capacity', () => states.get('first')?.capacity.normal === 0)
  await send(10)
  await waitFor('the steps', async () => (await countWaiting(database, 'first')) === 10)
  assert.deepEqual(
    [first.countSubmissions(), first.sessions.length, first.sessions[0]!.closed],
    [0, 1, false],
  )
  await setRouteTraffic(database, 'first', 'open')
  await waitFor('the messages', () => first.countSubmissions() === 10)
})

test('a changed rate applies over the same bind', async () => {
  await setRouteRate(database, 'first', 2)
  await waitFor('the rate', () => states.get('first')?.rate === 2)
  const before = first.countSubmissions()
  await send(30)
  await waitFor('the messages', async () => (await recorded()) === 40)
  await waitFor('some', () => first.countSubmissions() > before)
  assert.ok(first.countSubmissions() - before < 10)
  assert.deepEqual([first.sessions.length, first.sessions[0]!.closed], [1, false])
})

test('a drained route moves its waiting steps and accepts no new ones', async () => {
  await setRouteEnabled(database, 'second', true)
  await waitFor('the other link', () => states.get('second')?.linked === true)
  await setRouteTraffic(database, 'first', 'draining')
  await waitFor('all messages', () => first.countSubmissions() + second.countSubmissions() >= 40)
  assert.equal(await countWaiting(database, 'first'), 0)
  const submissions = first.countSubmissions()
  await send(10)
  await waitFor('the new messages', () => first.countSubmissions() + second.countSubmissions() >= 50)
  assert.deepEqual(
    [first.countSubmissions(), first.countSubmissions() + second.countSubmissions()],
    [submissions, 50],
  )
  assert.equal(states.get('first')?.linked, true)
})

test('a drained route still receives its receipts, over the same bind', async () => {
  const session = first.sessions[0]!
  const text =
    'id:a1 sub:001 dlvrd:001 submit date:2611160900 done date:2611160901 stat:DELIVRD err:000 text:'
  session.send('deliver_sm', 0, 77, deliverBody({}, text))
  await waitFor('the receipt', () => receipts.some(({ routeId }) => routeId === 'first'))
  assert.deepEqual([first.sessions.length, session.closed], [1, false])
})

test('a drained route without alternative keeps its steps until it is opened', async () => {
  await setRouteEnabled(database, 'second', false)
  await setRouteTraffic(database, 'first', 'open')
  await setRouteRate(database, 'first', 1)
  await waitFor('the rate', () => routeIs('first', { traffic: 'open', partsPerSecond: 1 }))
  const before = first.countSubmissions()
  await send(20)
  await waitFor('the messages', async () => (await recorded()) === 70)
  await waitFor('the first of them', () => first.countSubmissions() > before)
  await setRouteTraffic(database, 'first', 'draining')
  await waitFor('the drain', () => routeIs('first', { traffic: 'draining' }))
  await waitFor(
    'the rest',
    async () => first.countSubmissions() - before + (await countWaiting(database, 'first')) === 20,
  )
  await setRouteRate(database, 'first', 0)
  await setRouteTraffic(database, 'first', 'open')
  await waitFor('the rest', () => first.countSubmissions() - before === 20)
  assert.equal(first.sessions.length, 1)
})
