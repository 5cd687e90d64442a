import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sendThroughQueue } from '../../../test/support/pipeline/settle.ts'
import { createTestBroker } from '../../../test/support/engines/broker.ts'
import { addCleanup } from '../../../test/support/cleanup.ts'
import { createTestDatabase } from '../../../test/support/engines/database.ts'
import { acceptedJobs, recordJobs, routeJob } from '../../../test/support/fixtures.ts'
import { openTestPlacement } from '../../../test/support/pipeline/placing.ts'
import { joinMembers } from '../../../test/support/membership.ts'
import { sumCounter, silentLog, testMetrics } from '../../../test/support/silent-log.ts'
import { smppRoute } from '../../../test/support/smpp/smpp-route.ts'
import { waitFor } from '../../../test/support/wait.ts'
import { listen, type Peer, type Script } from '../../../test/support/smpp/peer.ts'
import { deliverBody } from '../../../test/support/smpp/fixtures.ts'
import type { Receipt } from '../../carriers/connectors/connector.ts'
import { findRefusals } from '../../records/attempts/attempts.ts'
import type { RouteJob, VerdictJob } from '../../jobs/jobs.ts'
import type { Broker } from '../../platform/broker/broker.ts'
import type { Metrics } from '../../platform/metrics.ts'
import { upsertRoute } from '../../carriers/routes/queries.ts'
import { digestLogin } from '../../carriers/routes/logins.ts'
import type { Route } from '../../carriers/routes/route.ts'
import type { RouteTable } from '../../carriers/routes/table.ts'
import { createAttemptWriter } from './runner/attempt-writer.ts'
import { startDispatch, type Dispatch } from './dispatch.ts'

const { database } = await createTestDatabase()
const testBroker = await createTestBroker()
const { topology } = testBroker

const accepting: Script = {
  submit_sm: (pdu, session) =>
    session.send('submit_sm_resp', 0, pdu.sequence, { messageId: `m${pdu.sequence}` }),
}
const refusing: Script = {
  submit_sm: (pdu, session) => session.send('submit_sm_resp', 0x0b, pdu.sequence, { messageId: '' }),
}

async function carrier(script: Script): Promise<Peer> {
  const peer = await listen(script)
  addCleanup(() => peer.close())
  return peer
}

interface Worker {
  readonly broker: Broker
  readonly routes: RouteTable
  readonly dispatch: Dispatch
  readonly receipts: { routeId: string; receipt: Receipt; login: string | undefined }[]
  readonly metrics: Metrics
}

async function startWorker(): Promise<Worker> {
  const broker = await testBroker.open()
  const placing = await openTestPlacement(database)
  const { routes } = placing
  const metrics = testMetrics()
  const receipts: Worker['receipts'] = []
  const dispatch = startDispatch(routes, {
    ...placing,
    broker,
    topology,
    database,
    attemptWriter: createAttemptWriter(database, metrics, silentLog),
    membership: joinMembers(database),
    sendToSettle: sendThroughQueue(broker.publisher, topology),
    onReceipt: (routeId, receipt, login) => {
      receipts.push({ routeId, receipt, login })
      return Promise.resolve()
    },
    metrics,
    log: silentLog,
  })
  addCleanup(() => dispatch.stop())
  return { broker, routes, dispatch, receipts, metrics }
}

/** Replaces all routes. */
async function saveRoutes(...routes: Route[]): Promise<void> {
  await database.query('delete from routes')
  for (const route of routes) await upsertRoute(database, route)
  await testBroker.broker.declare(routes.map((route) => topology.getQueue(route.id)))
}

async function release(routeId: string, count: number): Promise<RouteJob[]> {
  const accepted = acceptedJobs(count)
  await recordJobs(database, accepted)
  const jobs = accepted.map((job) => routeJob(job, { routeId, lane: 'normal' }))
  await Promise.all(
    jobs.map((job) => testBroker.broker.publisher.send(topology.getQueue(routeId), JSON.stringify(job))),
  )
  return jobs
}

async function waitForOutcome(jobs: readonly RouteJob[], outcome: string): Promise<void> {
  await waitFor(`${jobs.length} × ${outcome}`, async () => {
    const found = await database.query('select from attempts where outcome = $1 and msg_key = any($2)', [
      outcome,
      jobs.map((job) => job.msgKey),
    ])
    return found.rowCount === jobs.length
  })
}

const bound = (peer: Peer): number =>
  peer.sessions.filter((session) => !session.closed && session.of('bind_transceiver').length > 0).length
const submitted = (peer: Peer): number =>
  peer.sessions.reduce((sum, session) => sum + session.of('submit_sm').length, 0)

test('a stopped worker is replaced by the other without duplicate submissions', async () => {
  const peer = await carrier(accepting)
  await saveRoutes(smppRoute('shared', peer))
  const workers = [await startWorker(), await startWorker()]
  await waitForOutcome(await release('shared', 50), 'accepted')
  assert.equal(bound(peer), 1)
  await waitFor('both workers to be healthy', () => workers.every(({ dispatch }) => dispatch.healthy))
  const more = await release('shared', 50)
  await workers[0]!.dispatch.stop()
  await waitForOutcome(more, 'accepted')
  await waitForOutcome(await release('shared', 5), 'accepted')
  assert.equal(submitted(peer), 105)
  await workers[1]!.dispatch.stop()
  await waitFor('the link to close', () => bound(peer) === 0)
})

test('a refusal of the carrier becomes a verdict for settle', async () => {
  const peer = await carrier(refusing)
  await saveRoutes(smppRoute('strict', peer))
  const worker = await startWorker()
  const jobs = await release('strict', 3)
  const verdicts = (await testBroker.drain(topology.verdicts, 3)) as VerdictJob[]
  assert.deepEqual(
    new Set(verdicts.map(({ kind, msgKey, cause }) => `${kind} ${msgKey} ${cause}`)),
    new Set(jobs.map(({ msgKey }) => `verdict ${msgKey} bad-number`)),
  )
  assert.equal((await findRefusals(database, jobs)).length, 3)
  await worker.dispatch.stop()
})

test('a receipt is forwarded with its route id and acknowledged', async () => {
  const peer = await carrier(accepting)
  await saveRoutes(smppRoute('talking', peer))
  const worker = await startWorker()
  const session = await peer.session()
  await session.got('bind_transceiver')
  const text =
    'id:4711 sub:001 dlvrd:001 submit date:2611141200 done date:2611141201 stat:DELIVRD err:000 text:'
  session.send('deliver_sm', 0, 7, deliverBody({}, text))
  await session.got('deliver_sm_resp')
  const [received] = worker.receipts
  assert.equal(received!.routeId, 'talking')
  assert.equal(received!.login, digestLogin(worker.routes.value[0]!))
  assert.ok(received!.login !== undefined)
  assert.deepEqual([received!.receipt.carrierId, received!.receipt.result], ['4711', 'delivered'])
  await worker.dispatch.stop()
})

test('changed routes relink, disabled ones close, and broken ones affect no other', async () => {
  const [old, other, replacement] = [
    await carrier(accepting),
    await carrier(accepting),
    await carrier(accepting),
  ]
  await saveRoutes(smppRoute('moving', old), smppRoute('steady', other))
  const worker = await startWorker()
  await waitFor('both links', () => bound(old) === 1 && bound(other) === 1)
  await saveRoutes(
    smppRoute('moving', replacement),
    smppRoute('steady', other),
    smppRoute('broken', other, { protocol: 'pigeon' }),
  )
  await worker.routes.refresh()
  await waitFor('the new link', () => bound(replacement) === 1)
  await waitFor('the old link to close', () => bound(old) === 0)
  await waitForOutcome(await release('moving', 5), 'accepted')
  await waitForOutcome(await release('steady', 5), 'accepted')
  assert.equal(other.sessions.length, 1, 'a route that did not change keeps its link')
  await saveRoutes(smppRoute('moving', replacement, { enabled: false }), smppRoute('steady', other))
  await worker.routes.refresh()
  await waitFor('the link to close', () => bound(replacement) === 0)
  await waitForOutcome(await release('steady', 5), 'accepted')
  await worker.dispatch.stop()
})

test('a job of an unknown version is parked, and the rest of its group is processed', async () => {
  const peer = await carrier(accepting)
  await saveRoutes(smppRoute('newer', peer))
  const worker = await startWorker()
  const [older, newer] = [acceptedJobs(4), acceptedJobs(1)]
  await recordJobs(database, [...older, ...newer])
  const unreadable = { ...routeJob(newer[0]!, { routeId: 'newer' }), v: 2 }
  const jobs = older.map((job) => routeJob(job, { routeId: 'newer' }))
  await Promise.all(
    [...jobs.slice(0, 2), unreadable, ...jobs.slice(2)].map((job) =>
      testBroker.broker.publisher.send(topology.getQueue('newer'), JSON.stringify(job)),
    ),
  )
  await waitForOutcome(jobs, 'accepted')
  const [parked] = await testBroker.drain(topology.parked, 1)
  const reason = 'route job of version 2; this process reads version 1'
  assert.deepEqual(parked, { stage: 'dispatch', job: unreadable, reason })
  assert.equal(submitted(peer), 4)
  assert.equal(await sumCounter(worker.metrics.parked, { stage: 'dispatch' }), 1)
  await worker.dispatch.stop()
  assert.equal(await testBroker.broker.depth(topology.getQueue('newer')), 0)
})
