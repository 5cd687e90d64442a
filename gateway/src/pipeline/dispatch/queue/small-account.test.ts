import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestBroker } from '../../../../test/support/engines/broker.ts'
import { addCleanup } from '../../../../test/support/cleanup.ts'
import { createTestDatabase } from '../../../../test/support/engines/database.ts'
import { acceptedJobs, inAnHour } from '../../../../test/support/fixtures.ts'
import { openTestPlacement } from '../../../../test/support/pipeline/placing.ts'
import { joinMembers } from '../../../../test/support/membership.ts'
import { testRoute } from '../../../../test/support/routes.ts'
import { sendThroughQueue } from '../../../../test/support/pipeline/settle.ts'
import { silentLog, testMetrics } from '../../../../test/support/silent-log.ts'
import { waitFor } from '../../../../test/support/wait.ts'
import { recordMessages } from '../../../records/messages/record.ts'
import type { HeldStep } from '../../../records/waiting/waiting-step.ts'
import { upsertRoute } from '../../../carriers/routes/queries.ts'
import { createAttemptWriter } from '../runner/attempt-writer.ts'
import { startDispatch } from '../dispatch.ts'

const { database } = await createTestDatabase()
const testBroker = await createTestBroker()
const { broker, topology } = testBroker
const metrics = testMetrics()
const routeId = 'slow'
await broker.declare(topology.dispatch)

/** Records messages of the account that wait for the route. */
async function hold(accountId: number, count: number, dueAt: () => Date): Promise<void> {
  const jobs = acceptedJobs(count, { accountId })
  const common = { step: 1, try: 1, accountId, routeId, lane: 'normal', parts: 1, tries: 0 } as const
  const held = jobs.map(({ msgKey }): [string, HeldStep] => [
    msgKey,
    { ...common, msgKey, releaseAt: new Date(Date.now() - 1_000), reason: 'backlog' },
  ])
  await recordMessages(database, jobs, dueAt, new Map(held))
}

async function countSent(accountId: number): Promise<number> {
  const { rows } = await database.query<{ n: number }>(
    `select count(*)::int as n from attempts a join messages m using (msg_key) where m.account_id = $1`,
    [accountId],
  )
  return rows[0]!.n
}

test('steps of a small account reach the carrier during the flood of another', async () => {
  // 20 parts in memory: 5 seconds of this rate.
  const slow = { protocol: 'sandbox', options: {}, partsPerSecond: 4 }
  await upsertRoute(database, testRoute(routeId, slow))
  await hold(1, 200, inAnHour)
  const placing = await openTestPlacement(database)
  const dispatch = startDispatch(placing.routes, {
    ...placing,
    broker: await testBroker.open(),
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
  // The owner knows its throughput after three seconds with a backlog.
  await waitFor('the flood', async () => (await countSent(1)) >= 18, { timeoutMs: 20_000 })
  await hold(2, 2, () => new Date(Date.now() + 5_000))
  await waitFor('the other account', async () => (await countSent(2)) === 2, { timeoutMs: 6_000 })
  assert.ok((await countSent(1)) < 60, 'the flood still waits')
})
