/**
 * Only the last step of a flow waits for a route that is not read yet: any other fails immediately, so that the next one
 * starts. How long the last step may wait counts from when it was first held.
 */
import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { createTestBroker } from '../../../test/support/engines/broker.ts'
import { createTestDatabase } from '../../../test/support/engines/database.ts'
import { acceptedJob, recordJobs, smsStep } from '../../../test/support/fixtures.ts'
import { openTestPlacement } from '../../../test/support/pipeline/placing.ts'
import { silentLog, testMetrics } from '../../../test/support/silent-log.ts'
import type { StepJob, VerdictJob } from '../../jobs/jobs.ts'
import type { StepKey } from '../../jobs/step-key.ts'
import { readWaiting } from '../../records/waiting/read-waiting.ts'
import { holdSteps } from '../../records/waiting/write-waiting.ts'
import { releaseWaiting } from '../scheduling/release-waiting.ts'
import { MessageDays } from './message-days.ts'
import { recordAndRelease } from './record-and-release.ts'

const { database } = await createTestDatabase()
const testBroker = await createTestBroker()
const { broker, topology } = testBroker
const againAt = new Date(Date.now() + 60_000)
/** Start of the hold of each placed step. */
const heldTimes: (number | undefined)[] = []
const placing = await openTestPlacement(database)
const context = {
  ...placing,
  database,
  broker,
  topology,
  publisher: broker.publisher,
  metrics: testMetrics(),
  log: silentLog,
  stepTtlSeconds: 600,
  days: new MessageDays(database, 30),
  policy: {
    ...placing.policy,
    getReplacementTime(_: StepJob, heldAt?: number) {
      heldTimes.push(heldAt)
      return againAt.getTime()
    },
  },
}
const oneStep = () => acceptedJob({ steps: [smsStep] })
const twoSteps = () => acceptedJob({ steps: [smsStep, smsStep] })

beforeEach(async () => {
  heldTimes.length = 0
  await database.query('truncate waiting, in_flight')
})

const toRow = ({ msgKey, step }: StepKey) => ({ msgKey, step, reason: 'owed', releaseAt: againAt })

async function assertWaiting(keys: readonly StepKey[]): Promise<void> {
  const { rows } = await database.query(
    'select msg_key as "msgKey", step, reason, release_at as "releaseAt" from waiting order by step',
  )
  assert.deepEqual(rows, keys.map(toRow))
}

async function assertFailed({ msgKey }: Pick<StepKey, 'msgKey'>): Promise<void> {
  const [verdict] = (await testBroker.drain(topology.verdicts, 1)) as VerdictJob[]
  assert.deepEqual([verdict!.msgKey, verdict!.step, verdict!.cause], [msgKey, 1, 'no-route'])
  assert.equal(await broker.depth(topology.verdicts), 0)
}

test("a recorded message's only step waits, and the first of two fails", async () => {
  const [single, double] = [oneStep(), twoSteps()]
  await recordAndRelease(context, [single, double])
  await assertFailed(double)
  await assertWaiting([{ msgKey: single.msgKey, step: 1, try: 1 }])
  assert.deepEqual(heldTimes, [undefined])
})

test('a last waiting step waits again, and the first of two fails', async () => {
  const [single, first, second] = await recordJobs(database, [oneStep(), twoSteps(), twoSteps()])
  const last = { ...second!, step: 2 }
  await database.query('update in_flight set step = 2 where msg_key = $1', [last.msgKey])
  const row = { accountId: 1, routeId: '', lane: 'normal', parts: 1, tries: 0, reason: 'owed' } as const
  const steps = [single!, first!, last]
  await holdSteps(
    database,
    steps.map((key) => ({ ...key, ...row, releaseAt: new Date(Date.now() - 1_000) })),
  )
  const readAll = () =>
    readWaiting(
      database,
      steps.map(({ msgKey }) => msgKey),
    )
  const heldAt = new Date(Date.now() - 9_000)
  await database.query('update waiting set created_at = $1', [heldAt])
  await releaseWaiting(context, await readAll())
  await assertFailed(first!)
  await assertWaiting([single!, last])
  // A step that is held again keeps the start of its first hold.
  await releaseWaiting(context, await readAll())
  assert.deepEqual(heldTimes, new Array(4).fill(heldAt.getTime()))
})
