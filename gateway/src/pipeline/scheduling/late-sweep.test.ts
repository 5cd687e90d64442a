import assert from 'node:assert/strict'
import { beforeEach, test, type TestContext } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { createTestBroker } from '../../../test/support/engines/broker.ts'
import { createTestDatabase } from '../../../test/support/engines/database.ts'
import { acceptedJob, recordOne, smsStep } from '../../../test/support/fixtures.ts'
import { openTestPlacement, type TestPlacement } from '../../../test/support/pipeline/placing.ts'
import { joinMembers } from '../../../test/support/membership.ts'
import { silentLog, testMetrics } from '../../../test/support/silent-log.ts'
import { waitFor } from '../../../test/support/wait.ts'
import type { RouteJob, VerdictJob } from '../../jobs/jobs.ts'
import type { StepKey } from '../../jobs/step-key.ts'
import { clock } from '../../platform/time/clock.ts'
import { every } from '../../platform/time/periodic.ts'
import { holdSteps } from '../../records/waiting/write-waiting.ts'
import { upsertRoute } from '../../carriers/routes/queries.ts'
import { startOutboxSweep } from './outbox-sweep.ts'
import { createOutbox, type Outbox } from './outbox.ts'

const { database } = await createTestDatabase()
const testBroker = await createTestBroker()
const { broker, topology } = testBroker
const queue = topology.getQueue('texts')
await broker.declare([queue])
/** Placement of a worker that has not read the route. */
const old = await openTestPlacement(database)
const shared = { protocol: 'sandbox', options: {}, priority: 100, partsPerSecond: 0, enabled: true }
await upsertRoute(database, { id: 'texts', channels: ['sms'], ...shared })
const current = await openTestPlacement(database)

beforeEach(async () => {
  await database.query('truncate waiting, owned')
})

function startSweep(
  t: TestContext,
  placing: TestPlacement,
  failingMs: () => number,
  lateTurnMs: number,
  change: Partial<Outbox> = {},
): void {
  const services = { ...placing, database, publisher: broker.publisher, topology, log: silentLog }
  const outbox = { ...createOutbox({ ...services, metrics: testMetrics(), stepTtlSeconds: 600 }), ...change }
  const sweep = startOutboxSweep({
    ...services,
    membership: joinMembers(database),
    outbox,
    failingMs,
    lateTurnMs,
  })
  t.after(() => sweep.stop())
}

async function strandedStep(): Promise<StepKey> {
  const key = await recordOne(database, acceptedJob({ steps: [smsStep] }))
  const row = { accountId: 1, routeId: '', lane: 'normal', parts: 1, tries: 0, reason: 'scheduled' } as const
  await holdSteps(database, [{ ...key, ...row, releaseAt: new Date(Date.now() - 1_000) }])
  return key
}

const duties = async (): Promise<number> =>
  (await database.query(`select from owned where kind = 'duty'`)).rowCount!

test('a worker whose tables become old gives its duty to one that can read', async (t) => {
  let failingMs = 0
  // Longer than the test takes, so the late worker leaves all work to the other one.
  const lateTurnMs = 60_000
  startSweep(t, old, () => failingMs, lateTurnMs)
  const before = await strandedStep()
  const [verdict] = (await testBroker.drain(topology.verdicts, 1)) as VerdictJob[]
  assert.deepEqual([verdict!.msgKey, verdict!.cause], [before.msgKey, 'no-route'])
  assert.equal(await duties(), 1)
  failingMs = 10_001
  await waitFor('the duty to be given up', async () => (await duties()) === 0)
  const keys = [await strandedStep(), await strandedStep()]
  startSweep(t, current, () => 0, lateTurnMs)
  const jobs = (await testBroker.drain(queue, 2)) as RouteJob[]
  assert.deepEqual(new Set(jobs.map(({ msgKey }) => msgKey)), new Set(keys.map(({ msgKey }) => msgKey)))
  assert.equal(await broker.depth(topology.verdicts), 0)
})

test('a late worker sweeps if there is no other, and keeps no duty', async (t) => {
  startSweep(t, old, () => Infinity, 1_000)
  for (let nth = 0; nth < 2; nth += 1) {
    const key = await strandedStep()
    const [verdict] = (await testBroker.drain(topology.verdicts, 1)) as VerdictJob[]
    assert.equal(verdict!.msgKey, key.msgKey)
    await waitFor('the duty to be given up', async () => (await duties()) === 0)
  }
})

test('a late worker does not sweep at the same time as another, even with a wrong clock', async (t) => {
  const { maxSkewMs } = clock
  t.after(() => (clock.maxSkewMs = maxSkewMs))
  clock.maxSkewMs = -1
  const other = joinMembers(database).duty('outbox')
  await waitFor('the duty of the other one', () => other.hold())
  const renewing = every(100, 'renewing', silentLog, async () => void (await other.hold()))
  t.after(() => renewing.stop())
  await strandedStep()
  let mayBegin: boolean | undefined
  startSweep(t, old, () => Infinity, 1_000, {
    async releaseStranded(mayContinue) {
      mayBegin = await mayContinue!()
    },
  })
  await waitFor('a turn', () => mayBegin === false)
  await renewing.stop()
  await other.release()
  await waitFor('a turn without the other', () => mayBegin === true)
  await waitFor('the duties to be given up', async () => (await duties()) === 0)
})

test('one turn of a late worker ends although work is left', async (t) => {
  await strandedStep()
  let turns = 0
  startSweep(t, old, () => Infinity, 500, {
    async releaseStranded(mayContinue) {
      turns += 1
      while (await mayContinue!()) await pause(10)
    },
  })
  await waitFor('two turns', () => turns === 2)
})

test('a worker that cannot reach the broker gives up its duty', async (t) => {
  await strandedStep()
  let held = false
  startSweep(t, current, () => 0, 1_000, {
    canPublish: false,
    async releaseStranded(mayContinue) {
      held ||= await mayContinue!()
    },
  })
  await waitFor('the duty', () => held)
  await waitFor('the duty to be given up', async () => (await duties()) === 0)
})
