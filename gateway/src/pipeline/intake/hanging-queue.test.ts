import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestBroker } from '../../../test/support/engines/broker.ts'
import { addCleanup } from '../../../test/support/cleanup.ts'
import { createTestDatabase } from '../../../test/support/engines/database.ts'
import { acceptedJob, smsStep } from '../../../test/support/fixtures.ts'
import { openHangingQueues } from '../../../test/support/engines/hanging-queues.ts'
import { openTestPlacement } from '../../../test/support/pipeline/placing.ts'
import { testRoute } from '../../../test/support/routes.ts'
import { silentLog, testMetrics } from '../../../test/support/silent-log.ts'
import { assertWithin, waitFor } from '../../../test/support/wait.ts'
import type { Step } from '../../channels/channel.ts'
import type { RouteJob } from '../../jobs/jobs.ts'
import type { Broker } from '../../platform/broker/broker.ts'
import { upsertRoute } from '../../carriers/routes/queries.ts'
import { BacklogReleaser } from '../scheduling/backlog-releaser.ts'
import { startIntake } from './intake.ts'

const publishTimeoutMs = 1_000
const { database } = await createTestDatabase()
const testBroker = await createTestBroker()
const { topology } = testBroker
const abroad: Step = { channel: 'international', from: smsStep.from, text: 'hello' }

/** Candidates for two routes whose partitions differ. */
const routeIds = Array.from({ length: 100 }, (_, n) => `route-${n}`)
const hung = routeIds[0]!
const healthy = routeIds.find((id) => topology.getPartition(id) !== topology.getPartition(hung))!

test('one queue that does not confirm delays one batch, and no step of another queue after that', async () => {
  await upsertRoute(database, testRoute(hung, { channels: ['international'] }))
  await upsertRoute(database, testRoute(healthy, { channels: ['sms'] }))
  const { publisher, hang, resume } = await openHangingQueues(publishTimeoutMs)
  const broker = Object.create(testBroker.broker, { publisher: { value: publisher } }) as Broker
  const placing = await openTestPlacement(database)
  const services = {
    ...placing,
    publisher,
    broker,
    topology,
    database,
    metrics: testMetrics(),
    log: silentLog,
  }
  const intake = startIntake({ ...services, stepTtlSeconds: 60, retentionDays: 30 })
  addCleanup(() => intake.stop())
  const waiting = async (): Promise<number> =>
    (await database.query('select from waiting where route_id = $1 and reason = $2', [hung, 'backlog']))
      .rowCount ?? 0
  const accepted: string[] = []
  const accept = async (): Promise<void> => {
    const jobs = [acceptedJob({ steps: [abroad] }), acceptedJob()]
    accepted.push(jobs[0]!.msgKey)
    for (const job of jobs)
      void testBroker.broker.publisher.send(topology.accepted.normal, JSON.stringify(job))
    await testBroker.drain(topology.getQueue(healthy), 1)
  }

  hang(topology.getQueue(hung))
  await accept()
  await waitFor('the first step to wait', async () => (await waiting()) === 1)
  const started = performance.now()
  for (let n = 0; n < 10; n++) await accept()
  // Ten waits would take ten times as long as one.
  assertWithin('ten sends to the healthy queue', performance.now() - started, 5 * publishTimeoutMs)
  await waitFor('the other steps to wait', async () => (await waiting()) === 11)

  const releaser = new BacklogReleaser({
    ...services,
    routeId: hung,
    freeCapacity: () => 100,
    checkRules: () => null,
  })
  assert.equal(await releaser.round(), 0, 'no round while the queue does not confirm')
  resume()
  await waitFor('the queue to confirm', () => publisher.accepts(topology.getQueue(hung)))
  assert.equal(await releaser.round(), 11)
  const released = (await testBroker.drain(topology.getQueue(hung), 12)) as RouteJob[]
  assert.deepEqual(
    new Set(released.map(({ msgKey }) => msgKey)),
    new Set(accepted),
    'all of them; the first one twice, because it arrived after all',
  )
})
