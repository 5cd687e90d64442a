import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sendThroughQueue } from '../../../../test/support/pipeline/settle.ts'
import { createTestBroker } from '../../../../test/support/engines/broker.ts'
import { addCleanup } from '../../../../test/support/cleanup.ts'
import { createTestDatabase } from '../../../../test/support/engines/database.ts'
import { acceptedJobs, recordJobs, routeJob } from '../../../../test/support/fixtures.ts'
import { openTestPlacement, type TestPlacement } from '../../../../test/support/pipeline/placing.ts'
import { joinMembers } from '../../../../test/support/membership.ts'
import { createProxy } from '../../../../test/support/engines/proxy.ts'
import { silentLog, testMetrics } from '../../../../test/support/silent-log.ts'
import { listen } from '../../../../test/support/smpp/peer.ts'
import { smppRoute } from '../../../../test/support/smpp/smpp-route.ts'
import { brokerUrls } from '../../../../test/support/engines/services.ts'
import { testRoute } from '../../../../test/support/routes.ts'
import { assertWithin, waitFor } from '../../../../test/support/wait.ts'
import type { RouteJob } from '../../../jobs/jobs.ts'
import type { Broker } from '../../../platform/broker/broker.ts'
import { upsertRoute } from '../../../carriers/routes/queries.ts'
import type { Route } from '../../../carriers/routes/route.ts'
import { createAttemptWriter } from '../runner/attempt-writer.ts'
import { startDispatch, type Dispatch } from '../dispatch.ts'

const { database } = await createTestDatabase()
const testBroker = await createTestBroker()
const { broker, topology } = testBroker
const metrics = testMetrics()
await broker.declare(topology.dispatch)

/** Returns ids of routes that are all in the partition. */
function neighbours(partition: number, count: number): string[] {
  const ids = Array.from({ length: 1_000 }, (_, n) => `route-${n}`)
  return ids.filter((id) => topology.getPartition(id) === partition).slice(0, count)
}

const unlinked = { protocol: 'smpp', options: { host: '127.0.0.1', port: 1, systemId: 'a', password: 'b' } }
const sandbox = { protocol: 'sandbox', options: {} }
const [blocked, slow, fast] = neighbours(0, 3) as [string, string, string]
const save = (id: string, settings: Partial<Route>): Promise<void> =>
  upsertRoute(database, testRoute(id, { ...settings, failoverAfterSeconds: 600 }))

async function release(routeId: string, count: number): Promise<RouteJob[]> {
  const accepted = acceptedJobs(count)
  await recordJobs(database, accepted)
  const jobs = accepted.map((job) => routeJob(job, { routeId, lane: 'normal' }))
  // One by one, so that each is a separate broker message.
  for (const job of jobs) await broker.publisher.send(topology.getQueue(routeId), JSON.stringify(job))
  return jobs
}

async function attempts(jobs: readonly RouteJob[]): Promise<number> {
  const found = await database.query('select from attempts where msg_key = any($1)', [
    jobs.map(({ msgKey }) => msgKey),
  ])
  return found.rowCount ?? 0
}

async function start(workerBroker: Broker): Promise<{ placing: TestPlacement; dispatch: Dispatch }> {
  const placing = await openTestPlacement(database)
  const dispatch = startDispatch(placing.routes, {
    ...placing,
    broker: workerBroker,
    topology,
    database,
    metrics,
    log: silentLog,
    attemptWriter: createAttemptWriter(database, metrics, silentLog),
    membership: joinMembers(database),
    sendToSettle: sendThroughQueue(broker.publisher, topology),
    onReceipt: () => Promise.resolve(),
  })
  addCleanup(() => dispatch.stop())
  return { placing, dispatch }
}

test('unlinked and slow routes block no other route of the partition', async () => {
  await save(blocked, unlinked)
  await save(slow, { ...sandbox, partsPerSecond: 1 })
  await save(fast, sandbox)
  const { placing, dispatch } = await start(await testBroker.open())
  const stuck = [...(await release(blocked, 300)), ...(await release(slow, 300))]
  const started = performance.now()
  const passing = await release(fast, 300)
  await waitFor('the fast route', async () => (await attempts(passing)) === 300)
  assertWithin('the fast route', performance.now() - started, 10_000)
  assert.ok((await attempts(stuck)) < 30)
  // A changed link restarts only that route, and its steps stay with it.
  await save(blocked, sandbox)
  await placing.routes.refresh()
  await waitFor('the route that was blocked', async () => (await attempts(stuck.slice(0, 300))) === 300)
  const { rows } = await database.query<{ id: string; n: number }>(
    'select route_id as id, count(*)::int as n from attempts where route_id <> $1 group by 1 order by 1',
    [slow],
  )
  assert.deepEqual(
    Object.fromEntries(rows.map(({ id, n }) => [id, n])),
    { [blocked]: 300, [fast]: 300 },
    'each step once, on its own route',
  )
  await dispatch.stop()
})

test('steps that cannot be submitted for long move to the table and are submitted once', async () => {
  const [stopped, running] = neighbours(1, 2) as [string, string]
  await save(stopped, unlinked)
  await save(running, sandbox)
  const real = await testBroker.open()
  const consume: Broker['consume'] = (queue, options, handler) =>
    real.consume(queue, { ...options, maxHeldMs: 1_000 }, handler)
  const { placing, dispatch } = await start(Object.create(real, { consume: { value: consume } }) as Broker)
  const stuck = await release(stopped, 100)
  await waitFor('the steps to wait', async () => {
    const found = await database.query(`select from waiting where route_id = $1 and reason = 'backlog'`, [
      stopped,
    ])
    return found.rowCount === 100
  })
  const passing = await release(running, 20)
  await waitFor('the other route', async () => (await attempts(passing)) === 20)
  // Unacknowledged jobs would return to the queue when their channel ends.
  await dispatch.stop()
  await real.close()
  assert.equal(await broker.depth(topology.getQueue(stopped)), 0)

  await save(stopped, sandbox)
  await placing.routes.refresh()
  const next = await start(await testBroker.open())
  await waitFor('the steps to be submitted', async () => (await attempts(stuck)) === 100)
  await next.dispatch.stop()
})

test('a step that waits for its link blocks no other route after a broker outage', async () => {
  await save(blocked, unlinked)
  await save(fast, sandbox)
  const proxy = await createProxy(brokerUrls()[0]!)
  const { placing, dispatch } = await start(await testBroker.open({ urls: [proxy.url] }))
  const [waiting] = await release(blocked, 1)
  const first = await release(fast, 5)
  await waitFor('the neighbour', async () => (await attempts(first)) === 5)
  proxy.cut()
  await waitFor('the loss', () => !dispatch.healthy)
  const second = await release(fast, 5)
  await waitFor('the neighbour again', async () => (await attempts(second)) === 5)
  await waitFor('the other partitions', () => dispatch.healthy)
  // The step is in memory, and the broker has sent its job a second time: it is submitted once.
  await save(blocked, sandbox)
  await placing.routes.refresh()
  await waitFor('the step that waited', async () => (await attempts([waiting!])) === 1)
  await dispatch.stop()
  const { rows } = await database.query<{ outcome: string }>(
    'select outcome from attempts where msg_key = $1',
    [waiting!.msgKey],
  )
  assert.deepEqual(rows, [{ outcome: 'accepted' }])
})

test('an unresponsive carrier delays the handover of its neighbours by seconds only', async () => {
  const silent = await listen({ submit_sm: () => undefined })
  addCleanup(() => silent.close())
  await upsertRoute(database, smppRoute(blocked, silent))
  await save(fast, sandbox)
  const first = await start(await testBroker.open())
  await release(blocked, 1)
  await waitFor('the submission', () => silent.sessions[0]?.of('submit_sm').length === 1)
  const stopped = first.dispatch.stop()
  const started = performance.now()
  const next = await start(await testBroker.open())
  const passing = await release(fast, 3)
  await waitFor('the neighbour', async () => (await attempts(passing)) === 3)
  assertWithin('the neighbour', performance.now() - started, 8_000)
  await Promise.all([stopped, next.dispatch.stop()])
})
