import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { createTestBroker } from '../../../test/support/engines/broker.ts'
import { createTestDatabase } from '../../../test/support/engines/database.ts'
import { acceptedJob, recordJobs, smsStep } from '../../../test/support/fixtures.ts'
import { openTestPlacement } from '../../../test/support/pipeline/placing.ts'
import { silentLog, testMetrics } from '../../../test/support/silent-log.ts'
import type { RichStep, Step } from '../../channels/channel.ts'
import type { RouteJob } from '../../jobs/jobs.ts'
import type { StepKey } from '../../jobs/step-key.ts'
import type { GroupPublisher } from '../../platform/broker/publish.ts'
import { readWaiting } from '../../records/waiting/read-waiting.ts'
import { holdSteps } from '../../records/waiting/write-waiting.ts'
import { upsertRoute } from '../../carriers/routes/queries.ts'
import { BacklogReleaser } from './backlog-releaser.ts'
import { moveWaiting } from './move-waiting.ts'
import { createOutbox } from './outbox.ts'
import type { Placement } from './place.ts'
import { releaseSteps } from './release-waiting.ts'
import { releasePlaced } from './release.ts'

const { database } = await createTestDatabase()
const testBroker = await createTestBroker()
const { broker, topology } = testBroker
const shared = { protocol: 'sandbox', options: {}, priority: 100, partsPerSecond: 0, enabled: true }
await upsertRoute(database, { id: 'north', channels: ['sms', 'mms'], ...shared })
const queue = topology.getQueue('north')
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
const outbox = createOutbox(context)
const unreadable: RichStep = { channel: 'mms', content: {} }

beforeEach(() => database.query('truncate waiting, in_flight'))

async function hold(accountId: number, step: Step, routeId: string): Promise<StepKey> {
  const [key] = await recordJobs(database, [acceptedJob({ accountId, steps: [step] })])
  const row = { accountId, routeId, lane: 'normal', parts: 1, tries: 0, reason: 'backlog' } as const
  await holdSteps(database, [{ ...key!, ...row, releaseAt: new Date(Date.now() - 1_000) }])
  return key!
}

/** Holds one bad step between steps of other accounts: `release` must park it and release the others. */
async function releaseAround(
  bad: Step,
  routeId: string,
  release: (keys: readonly StepKey[]) => Promise<unknown>,
): Promise<void> {
  const keys = [await hold(6, smsStep, routeId), await hold(5, bad, routeId), await hold(7, smsStep, routeId)]
  await release(keys)
  const released = (await testBroker.drain(queue, 2)) as RouteJob[]
  const parked = (await testBroker.drain(topology.parked, 1)) as { stage: string; job: RouteJob }[]
  assert.deepEqual(new Set(released.map(({ msgKey }) => msgKey)), new Set([keys[0]!.msgKey, keys[2]!.msgKey]))
  assert.deepEqual(
    parked.map(({ stage, job }) => [stage, job.msgKey, job.step, job.try]),
    [['dispatch', keys[1]!.msgKey, 1, 1]],
  )
  const { rowCount } = await database.query('select from waiting')
  assert.equal(rowCount, 0)
}

test('the sweep of the outbox parks a step that cannot be placed, and releases the others', () =>
  releaseAround(unreadable, '', () => outbox.releaseStranded()))

test('the release after a commit parks a step that cannot be placed, and releases the others', () =>
  releaseAround(unreadable, '', (keys) => outbox.release(keys.map(({ msgKey }) => msgKey))))

test('moving steps to another route parks a step that cannot be placed, and moves the others', () =>
  releaseAround(unreadable, 'south', () => moveWaiting({ ...context, routeId: 'south' })))

test('moving steps to another route parks a step without content, and moves the others', () =>
  releaseAround(smsStep, 'south', async ([, bad]) => {
    await database.query(`update messages set flow = '[]' where msg_key = $1`, [bad!.msgKey])
    await moveWaiting({ ...context, routeId: 'south' })
  }))

test('the releaser of a route parks a step that cannot be serialized, and releases the others', async () => {
  const publisher = {
    canPublish: true,
    accepts: () => true,
    send(queue, job) {
      if (queue.name === topology.getQueue('north').name && job.includes('unserializable'))
        throw new RangeError('too deep')
      return broker.publisher.send(queue, job)
    },
  } as Pick<GroupPublisher, 'canPublish' | 'accepts' | 'send'> as GroupPublisher
  const releaser = new BacklogReleaser({
    ...context,
    publisher,
    routeId: 'north',
    freeCapacity: () => 100,
    checkRules: () => null,
  })
  await releaseAround({ ...smsStep, text: 'unserializable' }, 'north', () => releaser.round())
})

test('a release removes a published step, keeps a held one and parks one that cannot be placed', async () => {
  const keys = [
    await hold(1, smsStep, 'north'),
    await hold(2, smsStep, 'north'),
    await hold(3, smsStep, 'north'),
  ]
  const [published, held, parked] = keys.map(({ msgKey }) => msgKey)
  const steps = await readWaiting(database, [published!, held!, parked!])
  const results = await releaseSteps(context, steps, {
    place(job, { lane, parts }): Placement {
      if (job.msgKey === parked) throw new RangeError('cannot be placed')
      if (job.msgKey === published) return { kind: 'release', routeId: 'north', lane, job }
      const releaseAt = new Date(Date.now() + 60_000)
      return {
        kind: 'hold',
        held: { ...job, routeId: '', lane, parts, tries: 0, releaseAt, reason: 'retry' },
      }
    },
    publish: (placed) => releasePlaced(context, placed),
  })
  const byKey = new Map(steps.map(({ msgKey }, n) => [msgKey, results[n]]))
  assert.deepEqual(
    [published, held, parked].map((key) => byKey.get(key!)),
    ['removed', 'held', 'parked'],
  )
  const { rows } = await database.query<{ msg_key: string }>('select msg_key from waiting')
  assert.deepEqual(rows, [{ msg_key: held }])
  await testBroker.drain(queue, 1)
  await testBroker.drain(topology.parked, 1)
})
