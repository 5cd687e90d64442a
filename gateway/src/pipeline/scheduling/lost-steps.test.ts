import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestBroker } from '../../../test/support/engines/broker.ts'
import { createTestDatabase } from '../../../test/support/engines/database.ts'
import { recordOne, routeJob, acceptedJob, recordJobs } from '../../../test/support/fixtures.ts'
import { openTestPlacement } from '../../../test/support/pipeline/placing.ts'
import { silentLog, sumCounter, testMetrics } from '../../../test/support/silent-log.ts'
import { waitFor } from '../../../test/support/wait.ts'
import { upsertRoute } from '../../carriers/routes/queries.ts'
import type { RouteJob } from '../../jobs/jobs.ts'
import type { StepKey } from '../../jobs/step-key.ts'
import { claimSteps, createClaim } from '../../records/messages/claim.ts'
import { holdSteps } from '../../records/waiting/write-waiting.ts'
import { startLostSteps } from './lost-steps.ts'
import { createOutbox } from './outbox.ts'

const { database } = await createTestDatabase()
const testBroker = await createTestBroker()
const { broker, topology } = testBroker
const shared = { protocol: 'sandbox', options: {}, priority: 100, partsPerSecond: 0, enabled: true }
await upsertRoute(database, { id: 'texts', channels: ['sms'], ...shared })
const queue = topology.getQueue('texts')
await broker.declare([queue])
const metrics = testMetrics()
const minutesAgo = (minutes: number): number => Date.now() - minutes * 60_000
const recorded = (minutes: number): Promise<StepKey> =>
  recordOne(database, { acceptedAt: minutesAgo(minutes) })
const waiting = async (): Promise<string[]> =>
  (await database.query<{ key: string }>('select msg_key as key from waiting order by 1')).rows.map(
    ({ key }) => key,
  )

test('a step whose job was lost with its queue is placed again, and no other', async () => {
  const lost = [await recorded(20), await recorded(21), await recorded(70), await recorded(8 * 60 + 5)]
  await recorded(5)
  const claimed = await recorded(20)
  await claimSteps(database, [createClaim(claimed)])
  const held = await recorded(20)
  const wait = {
    accountId: 1,
    routeId: 'texts',
    lane: 'normal',
    parts: 1,
    tries: 0,
    reason: 'backlog',
  } as const
  await holdSteps(database, [{ ...held, ...wait, releaseAt: new Date() }])
  const parked = acceptedJob({ acceptedAt: minutesAgo(20) })
  await recordJobs(database, [parked])
  await database.query(
    `insert into parked (digest, stage, msg_key, reason, payload) values ('1', 'dispatch', $1, '', $2)`,
    [parked.msgKey, JSON.stringify(routeJob(parked))],
  )
  const search = startLostSteps({ database, metrics, log: silentLog, confirmMs: 10, maxSteps: 1 })
  await waitFor('the search', async () => (await sumCounter(metrics.lostSteps)) >= lost.length)
  await search.stop()
  const expected = lost.map(({ msgKey }) => msgKey)
  assert.deepEqual(await waiting(), [...expected, held.msgKey].sort())
  assert.equal(await sumCounter(metrics.lostSteps), lost.length)

  const context = { ...(await openTestPlacement(database)), database, topology, metrics, log: silentLog }
  await createOutbox({ ...context, publisher: broker.publisher, stepTtlSeconds: 600 }).releaseStranded()
  const jobs = (await testBroker.drain(queue, lost.length)) as RouteJob[]
  assert.deepEqual(jobs.map(({ msgKey }) => msgKey).sort(), expected.sort())
})
