import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sendThroughQueue } from '../../../test/support/pipeline/settle.ts'
import { createTestBroker } from '../../../test/support/engines/broker.ts'
import { addCleanup } from '../../../test/support/cleanup.ts'
import { createTestDatabase } from '../../../test/support/engines/database.ts'
import { acceptedJobs, recordJobs, routeJob } from '../../../test/support/fixtures.ts'
import { openTestPlacement } from '../../../test/support/pipeline/placing.ts'
import { joinMembers } from '../../../test/support/membership.ts'
import { createProxy } from '../../../test/support/engines/proxy.ts'
import { silentLog, testMetrics } from '../../../test/support/silent-log.ts'
import { smppRoute } from '../../../test/support/smpp/smpp-route.ts'
import { assertWithin, waitFor } from '../../../test/support/wait.ts'
import { listen, type Peer } from '../../../test/support/smpp/peer.ts'
import type { RouteJob } from '../../jobs/jobs.ts'
import { openDatabase, type Database } from '../../platform/database/database.ts'
import { upsertRoute } from '../../carriers/routes/queries.ts'
import { createAttemptWriter } from './runner/attempt-writer.ts'
import { startDispatch } from './dispatch.ts'

const { database, url } = await createTestDatabase()
const testBroker = await createTestBroker()
const { topology } = testBroker
const metrics = testMetrics()

async function startWorker(workerDatabase: Database): Promise<void> {
  const broker = await testBroker.open()
  const placing = await openTestPlacement(database)
  const dispatch = startDispatch(placing.routes, {
    ...placing,
    broker,
    topology,
    database: workerDatabase,
    attemptWriter: createAttemptWriter(workerDatabase, metrics, silentLog),
    membership: joinMembers(workerDatabase),
    sendToSettle: sendThroughQueue(broker.publisher, topology),
    onReceipt: () => Promise.resolve(),
    metrics,
    log: silentLog,
  })
  addCleanup(() => dispatch.stop())
}

async function release(count: number): Promise<RouteJob[]> {
  const accepted = acceptedJobs(count)
  await recordJobs(database, accepted)
  const jobs = accepted.map((job) => routeJob(job, { routeId: 'shared' }))
  await Promise.all(
    jobs.map((job) => testBroker.broker.publisher.send(topology.getQueue('shared'), JSON.stringify(job))),
  )
  return jobs
}

async function attempted(jobs: readonly RouteJob[], outcomes: readonly string[]): Promise<boolean> {
  const found = await database.query('select from attempts where msg_key = any($1) and outcome = any($2)', [
    jobs.map(({ msgKey }) => msgKey),
    outcomes,
  ])
  return found.rowCount === jobs.length
}

const bound = (peer: Peer): number =>
  peer.sessions.filter((session) => !session.closed && session.of('bind_transceiver').length > 0).length

test('the link of an isolated owner moves to another process while its statements hang', async () => {
  const peer = await listen({
    submit_sm: (pdu, session) =>
      session.send('submit_sm_resp', 0, pdu.sequence, { messageId: `m${pdu.sequence}` }),
  })
  addCleanup(() => peer.close())
  await upsertRoute(database, smppRoute('shared', peer))
  await testBroker.broker.declare([topology.getQueue('shared')])
  const proxy = await createProxy(url)
  // Long enough that the statements of the first owner hang for the whole takeover.
  const proxied = openDatabase(proxy.url, silentLog, { connections: 4, silentMs: 12_000 })
  addCleanup(() => proxied.end())
  await startWorker(proxied)
  const before = await release(5)
  await waitFor('the first owner', () => attempted(before, ['accepted']))
  // The second worker joins after the cut; otherwise it would take half of the partitions.
  proxy.mute()
  const started = performance.now()
  const stuck = await release(5)
  await waitFor('the first owner to take them', async () => {
    return (await testBroker.broker.depth(topology.getQueue('shared'))) === 0
  })
  await startWorker(database)
  await waitFor('the link to close', () => peer.sessions[0]!.closed, { timeoutMs: 9_000 })
  const after = await release(20)
  await waitFor('the next owner', () => attempted(after, ['accepted']), { timeoutMs: 6_000 })
  assertWithin('the takeover', performance.now() - started, 15_000)
  assert.equal(bound(peer), 1)
  assert.equal(peer.sessions[0]!.of('unbind').length, 1)
  // Jobs that the first owner had received reach the next one when the hanging statements have failed.
  await waitFor('the rest', () => attempted(stuck, ['accepted']), { timeoutMs: 40_000 })
  const submitted = peer.sessions.reduce((sum, session) => sum + session.of('submit_sm').length, 0)
  assert.ok(submitted <= 30, `${submitted} submissions of 30 messages`)
  proxy.unmute()
})
