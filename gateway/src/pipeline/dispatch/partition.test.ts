/** One queue for many routes: a route that cannot send, is slow or restarts holds up no other one of its partition. */
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
import type { RouteJob } from '../../jobs/jobs.ts'
import { upsertRoute } from '../../routes/queries.ts'
import type { Route } from '../../routes/route.ts'
import { createAttemptWriter } from './attempt-writer.ts'
import { startDispatch } from './dispatch.ts'

const { database } = await createTestDatabase()
const testBroker = await createTestBroker()
const { broker, topology } = testBroker
const metrics = testMetrics()
await broker.declare(topology.dispatch)

/** Ids that share a partition. */
function neighbours(count: number): string[] {
  const ids = Array.from({ length: 1_000 }, (_, n) => `route-${n}`)
  return ids.filter((id) => topology.partitionOf(id) === topology.partitionOf(ids[0]!)).slice(0, count)
}

const unlinked = { protocol: 'smpp', options: { host: '127.0.0.1', port: 1, systemId: 'a', password: 'b' } }
const sandbox = { protocol: 'sandbox', options: {} }
const [blocked, slow, fast] = neighbours(3) as [string, string, string]
const save = (id: string, settings: Partial<Route>): Promise<void> =>
  upsertRoute(database, testRoute(id, { ...settings, failoverAfterSeconds: 600 }))

async function release(routeId: string, count: number): Promise<RouteJob[]> {
  const accepted = acceptedJobs(count)
  await recordJobs(database, accepted)
  const jobs = accepted.map((job) => routeJob(job, { routeId, lane: 'normal' }))
  // One by one: each is a message of its own at the broker.
  for (const job of jobs) await broker.publisher.send(topology.queueOf(routeId), JSON.stringify(job))
  return jobs
}

async function attempts(jobs: readonly RouteJob[]): Promise<number> {
  const found = await database.query('select from attempts where msg_key = any($1)', [
    jobs.map(({ msgKey }) => msgKey),
  ])
  return found.rowCount ?? 0
}

test('a route without a link and a slow one hold up no other route of the partition', async () => {
  await save(blocked, unlinked)
  await save(slow, { ...sandbox, partsPerSecond: 1 })
  await save(fast, sandbox)
  const placing = await openPlacing(database)
  const dispatch = startDispatch(placing.routes, {
    ...{ ...placing, broker: await testBroker.open(), topology, database, metrics, log: quietLog },
    attemptWriter: createAttemptWriter(database, metrics, quietLog),
    leaseDatabase: database,
    sendToSettle: sendThroughQueue(broker.publisher, topology),
    onReceipt: () => Promise.resolve(),
  })
  atEnd(() => dispatch.stop())
  const stuck = [...(await release(blocked, 300)), ...(await release(slow, 300))]
  const started = performance.now()
  const passing = await release(fast, 300)
  await waitFor('the fast route', async () => (await attempts(passing)) === 300)
  assert.ok(performance.now() - started < 10_000)
  assert.ok((await attempts(stuck)) < 30)
  // A change of one link restarts that route alone, and its steps stay with it.
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
