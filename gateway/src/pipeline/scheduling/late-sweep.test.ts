/** A worker that cannot read its tables leaves the sweep of the outbox to others, and does it when there are none. */
import assert from 'node:assert/strict'
import { beforeEach, test, type TestContext } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { createTestBroker } from '../../../test/support/broker.ts'
import { createTestDatabase } from '../../../test/support/database.ts'
import { acceptedJob, recordOne, smsStep } from '../../../test/support/fixtures.ts'
import { openPlacing, type Placing } from '../../../test/support/placing.ts'
import { joinMembers } from '../../../test/support/membership.ts'
import { quietLog, testMetrics } from '../../../test/support/silent-log.ts'
import { waitFor } from '../../../test/support/wait.ts'
import type { RouteJob, VerdictJob } from '../../jobs/jobs.ts'
import type { StepKey } from '../../jobs/step-key.ts'
import { clock } from '../../platform/clock.ts'
import { every } from '../../platform/periodic.ts'
import { holdSteps } from '../../records/waiting/write-waiting.ts'
import { upsertRoute } from '../../routes/queries.ts'
import { startOutboxSweep } from './outbox-sweep.ts'
import { createOutbox, type Outbox } from './outbox.ts'

const { database } = await createTestDatabase()
const testBroker = await createTestBroker()
const { broker, topology } = testBroker
const queue = topology.queueOf('texts')
await broker.declare([queue])
/** Its tables are from before the route was added. */
const old = await openPlacing(database)
const shared = { protocol: 'sandbox', options: {}, priority: 100, partsPerSecond: 0, enabled: true }
await upsertRoute(database, { id: 'texts', channels: ['sms'], ...shared })
const current = await openPlacing(database)

beforeEach(async () => {
  await database.query('truncate waiting, owned')
})

function startSweep(
  t: TestContext,
  placing: Placing,
  failingMs: () => number,
  lateTurnMs: number,
  change: Partial<Outbox> = {},
): void {
  const stage = { ...placing, database, publisher: broker.publisher, topology, log: quietLog }
  const outbox = { ...createOutbox({ ...stage, metrics: testMetrics(), stepTtlSeconds: 600 }), ...change }
  const sweep = startOutboxSweep({
    ...stage,
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
  // Longer than the test takes: the other one has the time.
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

test('without another one it sweeps all the same, and keeps no duty', async (t) => {
  startSweep(t, old, () => Infinity, 1_000)
  for (let nth = 0; nth < 2; nth += 1) {
    const key = await strandedStep()
    const [verdict] = (await testBroker.drain(topology.verdicts, 1)) as VerdictJob[]
    assert.equal(verdict!.msgKey, key.msgKey)
    await waitFor('the duty to be given up', async () => (await duties()) === 0)
  }
})

test('it does not sweep beside one that can read, also where its clock is wrong', async (t) => {
  const { maxSkewMs } = clock
  t.after(() => (clock.maxSkewMs = maxSkewMs))
  clock.maxSkewMs = -1
  const other = joinMembers(database).duty('outbox')
  await waitFor('the duty of the other one', () => other.hold())
  const renewing = every(100, 'renewing', quietLog, async () => void (await other.hold()))
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
