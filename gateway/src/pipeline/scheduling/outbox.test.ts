import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestBroker } from '../../../test/support/engines/broker.ts'
import { createTestDatabase } from '../../../test/support/engines/database.ts'
import { recordOne } from '../../../test/support/fixtures.ts'
import { freezeDuring } from '../../../test/support/pipeline/freeze.ts'
import { openTestPlacement } from '../../../test/support/pipeline/placing.ts'
import { joinMembers } from '../../../test/support/membership.ts'
import { silentLog, testMetrics } from '../../../test/support/silent-log.ts'
import { waitFor } from '../../../test/support/wait.ts'
import type { RouteJob } from '../../jobs/jobs.ts'
import type { StepKey } from '../../jobs/step-key.ts'
import { clock } from '../../platform/time/clock.ts'
import { claimSteps, createClaim } from '../../records/messages/claim.ts'
import type { WaitReason } from '../../records/waiting/waiting-step.ts'
import { holdSteps } from '../../records/waiting/write-waiting.ts'
import { upsertRoute } from '../../carriers/routes/queries.ts'
import { startOutboxSweep } from './outbox-sweep.ts'
import { createOutbox, type Outbox } from './outbox.ts'

const { database, url } = await createTestDatabase()
const testBroker = await createTestBroker()
const { broker, topology } = testBroker
const shared = { protocol: 'sandbox', options: {}, priority: 100, partsPerSecond: 0, enabled: true }
await upsertRoute(database, { id: 'texts', channels: ['sms'], ...shared })
const queue = topology.getQueue('texts')
await broker.declare([queue])
const context = {
  ...(await openTestPlacement(database)),
  database,
  publisher: broker.publisher,
  topology,
  metrics: testMetrics(),
  log: silentLog,
  stepTtlSeconds: 600,
}

/** Records a message whose step is due and has no route: scheduled, or pending from a process that died. */
async function strandedStep(reason: WaitReason = 'scheduled'): Promise<StepKey> {
  const key = await recordOne(database)
  const row = { accountId: 1, routeId: '', lane: 'normal', parts: 1, tries: 0, reason } as const
  await holdSteps(database, [{ ...key, ...row, releaseAt: new Date(Date.now() - 1_000) }])
  return key
}

async function waitingCount(): Promise<number> {
  const { rows } = await database.query<{ n: number }>('select count(*) as n from waiting')
  return rows[0]!.n
}

const releasedJobs = async (count: number): Promise<RouteJob[]> =>
  (await testBroker.drain(queue, count)) as RouteJob[]

/** Returns the key of the step that is released first. Skips copies of earlier tests, which the broker may return late. */
async function firstReleased(...steps: readonly StepKey[]): Promise<string> {
  const wanted = new Set(steps.map(({ msgKey }) => msgKey))
  for (;;) {
    const job = (await releasedJobs(1)).find(({ msgKey }) => wanted.has(msgKey))
    if (job !== undefined) return job.msgKey
  }
}

// The second one takes the duty, the fourth one reads the accounts with due steps.
for (const statements of [2, 4]) {
  test(`a process stopped after statement ${statements} of its sweep delays due steps by seconds`, async () => {
    const key = await strandedStep()
    const frozen = await freezeDuring('sweep', url, statements)
    const sweep = startOutboxSweep({
      ...context,
      membership: joinMembers(database),
      outbox: createOutbox(context),
    })
    await waitFor('the step to be released', async () => (await waitingCount()) === 0, { timeoutMs: 15_000 })
    await sweep.stop()
    assert.equal(await firstReleased(key), key.msgKey)
    frozen.kill()
  })
}

test('one of several processes sweeps, and the next one begins when it stops', async () => {
  const sweeping = new Set<number>()
  const count = (nth: number): Outbox => ({
    ...createOutbox(context),
    hasStranded: () => true,
    async releaseStranded(mayContinue) {
      if (await mayContinue!()) sweeping.add(nth)
    },
  })
  const sweeps = [1, 2, 3].map((nth) =>
    startOutboxSweep({ ...context, membership: joinMembers(database), outbox: count(nth) }),
  )
  await waitFor('the first sweep', () => sweeping.size > 0)
  const renewedAt = async (): Promise<Date> =>
    (await database.query<{ at: Date }>('select max(seen_at) as at from members')).rows[0]!.at
  const before = await renewedAt()
  await waitFor('two renewals', async () => (await renewedAt()).getTime() > before.getTime() + 1_500)
  assert.equal(sweeping.size, 1)
  const [first] = [...sweeping]
  await sweeps[first! - 1]!.stop()
  await waitFor('another process to sweep', () => sweeping.size === 2)
  await Promise.all(sweeps.map((sweep) => sweep.stop()))
})

test('steps that two processes sweep at the same time may be released twice and are claimed once', async () => {
  const keys = await Promise.all(Array.from({ length: 40 }, () => strandedStep()))
  const outboxes = [createOutbox(context), createOutbox(context)]
  await Promise.all(outboxes.map((outbox) => outbox.releaseStranded()))
  assert.equal(await waitingCount(), 0)
  const ready = (): Promise<number> => broker.depth(queue)
  const jobs = await releasedJobs(keys.length)
  await waitFor('all copies', async () => {
    if ((await ready()) > 0) jobs.push(...(await releasedJobs(1)))
    return (await ready()) === 0
  })
  const claimed = new Map<string, number>()
  for (const job of jobs) {
    const [claim] = await claimSteps(database, [createClaim(job)])
    if (claim === 'claimed') claimed.set(job.msgKey, (claimed.get(job.msgKey) ?? 0) + 1)
  }
  assert.deepEqual(claimed, new Map(keys.map(({ msgKey }) => [msgKey, 1])))
})

test('scheduled messages wait while the clocks disagree; other steps are released', async (t) => {
  const scheduled = await strandedStep()
  const owed = await strandedStep('owed')
  const { maxSkewMs } = clock
  t.after(() => (clock.maxSkewMs = maxSkewMs))
  clock.maxSkewMs = -1
  const skewed = startOutboxSweep({
    ...context,
    membership: joinMembers(database),
    outbox: createOutbox(context),
  })
  t.after(() => skewed.stop())
  assert.equal(await firstReleased(owed, scheduled), owed.msgKey)
  await createOutbox(context).releaseStranded()
  assert.equal(await waitingCount(), 1)
  clock.maxSkewMs = maxSkewMs
  await waitFor('the scheduled message to be released', async () => (await waitingCount()) === 0)
  assert.equal(await firstReleased(scheduled), scheduled.msgKey)
})

test('only steps held without a fixed time are released while the clocks disagree', async (t) => {
  const { maxSkewMs } = clock
  t.after(() => (clock.maxSkewMs = maxSkewMs))
  clock.maxSkewMs = -1
  await database.query('truncate waiting')
  const held = async (rule: string, seconds: number): Promise<StepKey> => {
    const key = await strandedStep('rule')
    await database.query(
      `update waiting set rule = $2, created_at = release_at - $3 * interval '1 second' where msg_key = $1`,
      [key.msgKey, rule, seconds],
    )
    return key
  }
  // The step is held again after an outage of PostgreSQL, with the time of the first hold.
  const read = await held('sender-number-registered', 21)
  const timed = [
    await held('advertisement-quiet-hours', 39_600),
    await held('advertisement-country-hours', 39_600),
    await held('account-stopped', 0),
  ]
  await createOutbox(context).releaseStranded()
  assert.equal(await firstReleased(read, ...timed), read.msgKey)
  assert.equal(await waitingCount(), timed.length)
  clock.maxSkewMs = maxSkewMs
  await createOutbox(context).releaseStranded()
  assert.equal(await waitingCount(), 0)
})

test('a worker that releases no scheduled messages keeps no other from them', async (t) => {
  const other = joinMembers(database).duty('outbox without scheduled messages')
  await waitFor('the duty of the other one', () => other.hold())
  const key = await strandedStep()
  const sweep = startOutboxSweep({
    ...context,
    membership: joinMembers(database),
    outbox: createOutbox(context),
  })
  t.after(() => sweep.stop())
  assert.equal(await firstReleased(key), key.msgKey)
})
