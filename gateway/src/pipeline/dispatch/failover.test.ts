import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sendThroughQueue } from '../../../test/support/pipeline/settle.ts'
import { createTestBroker } from '../../../test/support/engines/broker.ts'
import { addCleanup } from '../../../test/support/cleanup.ts'
import { createTestDatabase } from '../../../test/support/engines/database.ts'
import { acceptedJobs } from '../../../test/support/fixtures.ts'
import { joinMembers } from '../../../test/support/membership.ts'
import { allowEverything } from '../../../test/support/policy.ts'
import { silentLog, testMetrics } from '../../../test/support/silent-log.ts'
import { smppRoute } from '../../../test/support/smpp/smpp-route.ts'
import { waitFor } from '../../../test/support/wait.ts'
import { createSchedulingSettingsTable } from '../../identity/accounts/scheduling-settings.ts'
import { listen, type Peer } from '../../../test/support/smpp/peer.ts'
import { startIntake } from '../intake/intake.ts'
import { upsertRoute } from '../../carriers/routes/queries.ts'
import { createRouter } from '../../carriers/routes/router.ts'
import { RouteStates } from '../../carriers/routes/states.ts'
import { WaitingWatch } from '../scheduling/waiting-watch.ts'
import { createRouteTable } from '../../carriers/routes/table.ts'
import { createAttemptWriter } from './runner/attempt-writer.ts'
import { startDispatch } from './dispatch.ts'

const { database } = await createTestDatabase()
const { broker, topology } = await createTestBroker()

async function carrier(): Promise<Peer & { readonly countSubmissions: () => number; throttles: boolean }> {
  let submissions = 0
  const peer = await listen({
    submit_sm: (pdu, session) => {
      if (created.throttles) return session.send('submit_sm_resp', 0x58, pdu.sequence, { messageId: '' })
      submissions++
      session.send('submit_sm_resp', 0, pdu.sequence, { messageId: `m${submissions}` })
    },
  })
  addCleanup(() => peer.close())
  const created = Object.assign(peer, { countSubmissions: () => submissions, throttles: false })
  return created
}

const [first, second] = [await carrier(), await carrier()]
const preferred = smppRoute('first', first, { priority: 10, failoverAfterSeconds: 1 })
for (const route of [
  { ...preferred, options: { ...preferred.options, throttleRetryMs: 30_000 } },
  smppRoute('second', second, { priority: 20, failoverAfterSeconds: 1 }),
]) {
  await upsertRoute(database, route)
}

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
  onReceipt: () => Promise.resolve(),
  openFile: () => Promise.resolve(null),
})
const intake = startIntake({ ...services, stepTtlSeconds: 600, retentionDays: 30 })
addCleanup(() => Promise.all([intake.stop(), dispatch.stop()]))

async function send(count: number): Promise<void> {
  const jobs = acceptedJobs(count)
  await Promise.all(jobs.map((job) => broker.publisher.send(topology.accepted.normal, JSON.stringify(job))))
}
const linked = (id: string): boolean => states.get(id)?.linked === true

test('all messages take the preferred route while both carriers are reachable', async () => {
  await waitFor('both links', () => linked('first') && linked('second'))
  await send(20)
  await waitFor('the messages', () => first.countSubmissions() === 20)
  assert.equal(second.countSubmissions(), 0)
})

test('steps take the other route when the carrier requests a long pause', async () => {
  first.throttles = true
  await send(5)
  await waitFor('the messages', () => second.countSubmissions() === 5, { timeoutMs: 10_000 })
  assert.equal(states.get('first')?.linked, true)
})

test('steps that wait for a lost carrier take the other route, once each, with the reason', async () => {
  await first.close()
  await waitFor('the loss', () => states.get('first')?.linked === false)
  // Half of the steps arrive before the failover, half after it.
  await send(15)
  await waitFor('the first half', () => second.countSubmissions() >= 20, { timeoutMs: 10_000 })
  await send(15)
  await waitFor('the second half', () => second.countSubmissions() >= 35, { timeoutMs: 10_000 })
  assert.equal(second.countSubmissions(), 35)
  const reasons = await database.query<{ reason: string }>(
    `select distinct route_reason as reason from attempts where route_id = 'second'`,
  )
  assert.ok(
    reasons.rows.every(({ reason }) => /first/.test(reason)),
    JSON.stringify(reasons.rows),
  )
  const waitingRows = await database.query('select from waiting')
  assert.equal(waitingRows.rowCount, 0)
})
