/** The upgrade from queues per route and lane: every job in them is sent once, and the queues are deleted. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sendThroughQueue } from '../../../test/support/settle.ts'
import { createTestBroker } from '../../../test/support/broker.ts'
import { atEnd } from '../../../test/support/cleanup.ts'
import { createTestDatabase } from '../../../test/support/database.ts'
import { acceptedJobs, recordJobs, routeJob } from '../../../test/support/fixtures.ts'
import { openPlacing } from '../../../test/support/placing.ts'
import { quietLog, testMetrics } from '../../../test/support/silent-log.ts'
import { testRoute } from '../../../test/support/routes.ts'
import { waitFor } from '../../../test/support/wait.ts'
import { lanes } from '../../channels/lane.ts'
import { deleteRoute, upsertRoute } from '../../routes/queries.ts'
import { findRouteQueues } from '../../routes/queues.ts'
import { createAttemptWriter } from './attempt-writer.ts'
import { startDispatch, type Dispatch } from './dispatch.ts'

const { database } = await createTestDatabase()
const testBroker = await createTestBroker()
const { broker, topology } = testBroker
const metrics = testMetrics()
await broker.declare(topology.dispatch)

async function startWorker(): Promise<Dispatch> {
  const placing = await openPlacing(database)
  const dispatch = startDispatch(
    placing.routes,
    {
      ...{ ...placing, broker: await testBroker.open(), topology, database, metrics, log: quietLog },
      attemptWriter: createAttemptWriter(database, metrics, quietLog),
      leaseDatabase: database,
      sendToSettle: sendThroughQueue(broker.publisher, topology),
      onReceipt: () => Promise.resolve(),
    },
    { quietMs: 500, lookEveryMs: 200 },
  )
  atEnd(() => dispatch.stop())
  return dispatch
}

/** As a worker of the previous version left them. */
async function previousQueues(routeId: string, count: number): Promise<string[]> {
  await database.query('insert into route_queues (route_id) values ($1)', [routeId])
  await broker.declare([
    topology.previousOwner(routeId),
    ...lanes.map((lane) => topology.previousLane(routeId, lane)),
  ])
  const accepted = acceptedJobs(count)
  await recordJobs(database, accepted)
  const send = (job: (typeof accepted)[number], index: number): Promise<void> =>
    broker.publisher.send(
      topology.previousLane(routeId, lanes[index % lanes.length]!),
      JSON.stringify(routeJob(job)),
    )
  await Promise.all(accepted.map(send))
  return accepted.map(({ msgKey }) => msgKey)
}

async function attempts(keys: readonly string[]): Promise<{ route: string; n: number }[]> {
  const { rows } = await database.query<{ route: string; n: number }>(
    'select route_id as route, count(*)::int as n from attempts where msg_key = any($1) group by 1',
    [keys],
  )
  return rows
}

test('jobs of existing and deleted routes are sent once, by two new workers, and the queues are deleted', async () => {
  for (const id of ['kept', 'deleted'])
    await upsertRoute(database, testRoute(id, { protocol: 'sandbox', options: {} }))
  const keys = [...(await previousQueues('kept', 100)), ...(await previousQueues('deleted', 50))]
  await deleteRoute(database, 'deleted')
  const workers = [await startWorker(), await startWorker()]
  await waitFor('all to be sent', async () => {
    const [sent] = await attempts(keys)
    return sent?.n === keys.length
  })
  assert.deepEqual(await attempts(keys), [{ route: 'kept', n: 150 }])
  await waitFor('the queues to be forgotten', async () => (await findRouteQueues(database)).length === 0, {
    timeoutMs: 10_000,
  })
  for (const id of ['kept', 'deleted'])
    for (const queue of [topology.previousOwner(id), ...lanes.map((lane) => topology.previousLane(id, lane))])
      await assert.rejects(broker.depth(queue), /NOT_FOUND|no queue/)
  await Promise.all(workers.map((worker) => worker.stop()))
})

test('a queue that a worker of the previous version still consumes is left to it', async () => {
  await previousQueues('kept', 0)
  const lane = topology.previousLane('kept', 'normal')
  const previous = (await testBroker.open()).consume(lane, { prefetch: 10 }, () => Promise.resolve())
  await waitFor('the previous worker', () => previous.active)
  const worker = await startWorker()
  // Longer than the queues must be quiet.
  const rounds = performance.now() + 3_000
  await waitFor('some rounds', () => performance.now() > rounds)
  assert.deepEqual(await findRouteQueues(database), ['kept'])
  await previous.stop()
  await waitFor('the queues to be forgotten', async () => (await findRouteQueues(database)).length === 0, {
    timeoutMs: 10_000,
  })
  await worker.stop()
})
