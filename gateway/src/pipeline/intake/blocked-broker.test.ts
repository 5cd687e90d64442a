import assert from 'node:assert/strict'
import { test } from 'node:test'
import { blockable, type BlockableBroker } from '../../../test/support/engines/blockable-broker.ts'
import { createTestBroker, type TestBroker } from '../../../test/support/engines/broker.ts'
import { addCleanup } from '../../../test/support/cleanup.ts'
import { createTestDatabase } from '../../../test/support/engines/database.ts'
import {
  acceptedJob,
  acceptedJobs,
  createAccount,
  readAccountLedger,
  smsStep,
} from '../../../test/support/fixtures.ts'
import { openTestPlacement } from '../../../test/support/pipeline/placing.ts'
import { testRoute } from '../../../test/support/routes.ts'
import { silentLog, testMetrics } from '../../../test/support/silent-log.ts'
import { waitFor } from '../../../test/support/wait.ts'
import type { Step } from '../../channels/channel.ts'
import { lanes } from '../../channels/lane.ts'
import type { AcceptedJob, RouteJob, VerdictJob } from '../../jobs/jobs.ts'
import { listParked } from '../../records/parked/queries.ts'
import { upsertRoute } from '../../carriers/routes/queries.ts'
import { BacklogReleaser } from '../scheduling/backlog-releaser.ts'
import { createOutbox, type Outbox } from '../scheduling/outbox.ts'
import { startIntake } from './intake.ts'

const { database } = await createTestDatabase()
const metrics = testMetrics()
await upsertRoute(database, testRoute('north', { channels: ['sms'] }))
const unserved: Step = { channel: 'international', from: smsStep.from, text: 'hello' }
const code: Step = { ...smsStep, ttlSeconds: 180 }

interface TestBed extends TestBroker {
  readonly blocked: BlockableBroker
  readonly outbox: Outbox
  readonly releaser: BacklogReleaser
  publish(jobs: readonly unknown[]): Promise<void>
  /** Resolves when every queue of intake is empty and acknowledged. */
  drained(): Promise<void>
}

async function openTestBed(): Promise<TestBed> {
  // The previous test leaves a step on the same route, which would be released first.
  await database.query('delete from waiting')
  const testBroker = await createTestBroker()
  const { broker, topology } = testBroker
  const blocked = blockable(broker)
  const { publisher } = blocked
  const placing = await openTestPlacement(database)
  const services = { ...placing, publisher, broker: blocked, topology, database, metrics, log: silentLog }
  const intake = startIntake({ ...services, stepTtlSeconds: 60, retentionDays: 30 })
  addCleanup(() => intake.stop())
  return {
    ...testBroker,
    blocked,
    outbox: createOutbox({ ...services, stepTtlSeconds: 60 }),
    releaser: new BacklogReleaser({
      ...services,
      routeId: 'north',
      freeCapacity: () => 1_000,
      checkRules: () => null,
    }),
    async publish(jobs) {
      await Promise.all(
        jobs.map((job) => broker.publisher.send(topology.accepted.normal, JSON.stringify(job))),
      )
    },
    async drained() {
      // A consumer that stops waits for its handlers; unacknowledged messages return to the queue and are counted.
      await intake.stop()
      for (const lane of lanes) assert.equal(await broker.depth(topology.accepted[lane]), 0, lane)
    },
  }
}

const listKeys = (jobs: readonly { readonly msgKey: string }[]): string[] =>
  jobs.map(({ msgKey }) => msgKey).sort()

async function listWaiting(accountId: number): Promise<{ routeId: string; reason: string; lane: string }[]> {
  const found = await database.query<{ routeId: string; reason: string; lane: string }>(
    'select route_id as "routeId", reason, lane from waiting where account_id = $1 order by lane desc',
    [accountId],
  )
  return found.rows
}

for (const publishing of ['blocked', 'failing'] as const) {
  test(`${publishing}: messages are recorded, held and acknowledged, and released afterwards, codes first`, async () => {
    const accountId = await createAccount(database, `drain-${publishing}`)
    const testBed = await openTestBed()
    const { blocked, topology } = testBed
    blocked.publishing = publishing
    const jobs = [...acceptedJobs(20, { accountId }), ...acceptedJobs(5, { accountId, steps: [code] })]
    await testBed.publish(jobs)
    await waitFor('the messages', async () => (await listWaiting(accountId)).length === 25)
    await testBed.drained()
    if (publishing === 'blocked') assert.equal(blocked.refused, 0, 'nothing was sent to the broker')
    assert.deepEqual(await readAccountLedger(database, accountId), {
      accepted: 25,
      final: 0,
      inFlight: 25,
      gap: 0,
    })
    for (const { routeId, reason } of await listWaiting(accountId))
      assert.deepEqual([routeId, reason], ['north', 'backlog'])

    assert.equal(publishing === 'blocked' ? await testBed.releaser.round() : 0, 0, 'no round while blocked')
    blocked.publishing = 'open'
    assert.equal(await testBed.releaser.round(), 25)
    const released = (await testBed.drain(topology.getQueue('north'), 25)) as RouteJob[]
    assert.deepEqual(listKeys(released), listKeys(jobs))
    const urgent = released.slice(0, 5)
    assert.ok(urgent.every(({ lane }) => lane === 'urgent'))
    assert.ok(urgent.every(({ content }) => content.ttlSeconds === 180))
    assert.deepEqual(await listWaiting(accountId), [])
  })

  test(`${publishing}: a message that no route serves is recorded, and fails when the broker accepts again`, async () => {
    const accountId = await createAccount(database, `unserved-${publishing}`)
    const testBed = await openTestBed()
    testBed.blocked.publishing = publishing
    const [job, neighbour] = [acceptedJob({ accountId, steps: [unserved] }), acceptedJob({ accountId })]
    await testBed.publish([job, neighbour])
    await waitFor('the messages', async () => (await listWaiting(accountId)).length === 2)
    await testBed.drained()
    if (publishing === 'blocked') await testBed.outbox.releaseStranded()
    assert.equal((await listWaiting(accountId)).length, 2)
    testBed.blocked.publishing = 'open'
    await testBed.outbox.releaseStranded()
    const [verdict] = (await testBed.drain(testBed.topology.verdicts, 1)) as VerdictJob[]
    assert.deepEqual([verdict!.msgKey, verdict!.cause], [job.msgKey, 'no-route'])
    assert.deepEqual(await listWaiting(accountId), [{ routeId: 'north', reason: 'backlog', lane: 'normal' }])
  })

  test(`${publishing}: a job that cannot be recorded is parked in its table, and its neighbours are recorded`, async () => {
    const accountId = await createAccount(database, `park-${publishing}`)
    const testBed = await openTestBed()
    testBed.blocked.publishing = publishing
    const bad: AcceptedJob = acceptedJob({ accountId, ref: 'a\u0000b' })
    await testBed.publish([...acceptedJobs(3, { accountId }), bad, { v: 7, msgKey: bad.msgKey }])
    await waitFor('the messages', async () => (await listWaiting(accountId)).length === 3)
    const parked = await waitFor('the jobs to be parked', async () => {
      const rows = (await listParked(database, 0, 100)).filter(({ msgKey }) => msgKey === bad.msgKey)
      return rows.length === 2 && rows
    })
    await testBed.drained()
    assert.deepEqual(new Set(parked.map(({ stage: name }) => name)), new Set(['intake']))
    assert.ok(parked.some(({ payload }) => payload.toString() === JSON.stringify(bad)))
  })
}

test('a held message is not released twice after a redelivery', async () => {
  const accountId = await createAccount(database, 'again')
  const testBed = await openTestBed()
  testBed.blocked.publishing = 'blocked'
  const job = acceptedJob({ accountId })
  await testBed.publish([job])
  await waitFor('the message', async () => (await listWaiting(accountId)).length === 1)
  testBed.blocked.publishing = 'open'
  await testBed.publish([job])
  await testBed.drained()
  assert.equal(await testBed.broker.depth(testBed.topology.getQueue('north')), 0)
  assert.equal((await listWaiting(accountId)).length, 1)
})
