/** A step in the outbox reaches its route even if the process that started the step has died. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestBroker } from '../../../test/support/engines/broker.ts'
import { createTestDatabase } from '../../../test/support/engines/database.ts'
import { recipient, recordOne, sender, smsStep } from '../../../test/support/fixtures.ts'
import { openTestPlacement } from '../../../test/support/pipeline/placing.ts'
import { silentLog, testMetrics } from '../../../test/support/silent-log.ts'
import type { RichStep, Step } from '../../channels/channel.ts'
import { inTransaction } from '../../platform/database/database.ts'
import { upsertRoute } from '../../carriers/routes/queries.ts'
import { createOutbox, type Outbox, type OutboxContext } from '../../pipeline/scheduling/outbox.ts'
import type { StepKey } from '../../jobs/step-key.ts'
import { endSteps } from '../../pipeline/settle/end-steps.ts'
import type { StepJob } from '../../jobs/jobs.ts'
import type { Lane } from '../../channels/lane.ts'
import { findWaitingLanes } from './find-waiting.ts'
import { readWaiting } from './read-waiting.ts'

const { database } = await createTestDatabase()
const testBroker = await createTestBroker()
const { broker, topology } = testBroker
const shared = { protocol: 'sandbox', options: {}, priority: 100, partsPerSecond: 0, enabled: true }
await upsertRoute(database, { id: 'texts', channels: ['sms'], ...shared })
const placing = await openTestPlacement(database)
const queue = topology.getQueue('texts')
await broker.declare([queue])

const ttlSeconds = 600
const context: OutboxContext = {
  ...placing,
  database,
  publisher: broker.publisher,
  topology,
  metrics: testMetrics(),
  log: silentLog,
  stepTtlSeconds: ttlSeconds,
}
const outbox = createOutbox(context)
const alimtalk: RichStep = {
  channel: 'alimtalk',
  content: { senderKey: 'k', msgType: 'AT', templateCode: 't', text: 'hello' },
}
const fail = (key: StepKey): Promise<unknown> =>
  inTransaction(database, (transaction) =>
    endSteps(
      transaction,
      [{ ...key, cause: 'failed', parts: 1, sentAt: new Date(), at: new Date() }],
      ttlSeconds,
    ),
  )
const owedJobs = async (key: StepKey): Promise<StepJob[]> =>
  (await readWaiting(database, [key.msgKey])).flatMap(({ job }) => job ?? [])
/** A message whose second step has begun and is not released, as after a crash. */
async function begun(...steps: Step[]): Promise<StepKey> {
  const key = await recordOne(database, { steps: [smsStep, ...steps] })
  await fail(key)
  return { ...key, step: 2 }
}
const age = (...keys: StepKey[]): Promise<unknown> =>
  database.query(`update waiting set release_at = now() - interval '1 minute' where msg_key = any($1)`, [
    keys.map((key) => key.msgKey),
  ])
const removeWaiting = (...keys: StepKey[]): Promise<unknown> =>
  database.query('delete from waiting where msg_key = any($1)', [keys.map((key) => key.msgKey)])
const isOwed = async (key: StepKey): Promise<boolean> => {
  const found = await database.query('select from waiting where msg_key = $1', [key.msgKey])
  return found.rowCount === 1
}

test('the job of a step in the outbox has every field that a route needs', async () => {
  const second = { ...smsStep, text: 'the second', ttlSeconds: 60 }
  const key = await begun(second)
  const [job, ...others] = await owedJobs(key)
  assert.deepEqual(others, [])
  assert.deepEqual(job, {
    v: 1,
    ...key,
    accountId: job!.accountId,
    to: recipient,
    content: second,
    dueAt: job!.dueAt,
  })
  assert.ok(Math.abs(job.dueAt - Date.now() - 60_000) < 10_000)
  await removeWaiting(key)
  assert.deepEqual(await owedJobs(key), [])
})

test('a message that has closed has no step in the outbox', async () => {
  const key = await begun(smsStep)
  await fail(key)
  assert.deepEqual(await owedJobs(key), [])
  await age(key)
  await outbox.releaseStranded()
  assert.equal(await isOwed(key), false)
})

test('a step is stranded when it is due and not on an existing route', async () => {
  const [gone, due, young, served] = [
    await begun(smsStep),
    await begun(smsStep),
    await begun(smsStep),
    await begun(smsStep),
  ]
  await age(gone, due, served)
  await database.query(`update waiting set route_id = 'gone', lane = 'bulk' where msg_key = $1`, [
    gone.msgKey,
  ])
  await database.query(`update waiting set route_id = 'texts' where msg_key = $1`, [served.msgKey])
  const waiting = await findWaitingLanes(database)
  assert.deepEqual(
    waiting,
    new Map([
      ['', new Set(['normal'])],
      ['gone', new Set(['bulk'])],
      ['texts', new Set(['normal'])],
    ]),
  )
  assert.equal(outbox.hasStranded(waiting), true)
  assert.equal(outbox.hasStranded(new Map([['texts', new Set<Lane>(['normal'])]])), false)
  await outbox.releaseStranded()
  await testBroker.drain(queue, 2)
  const areWaiting = await Promise.all([gone, due, young, served].map(isOwed))
  assert.deepEqual(areWaiting, [false, false, true, true])
  await removeWaiting(young, served)
})

test('a step that the broker does not confirm keeps waiting', async () => {
  const key = await begun(smsStep)
  const missing = { ...topology, getQueue: () => testBroker.name('undeclared') }
  const failing: Outbox = createOutbox({ ...context, topology: missing })
  await failing.release([key.msgKey])
  assert.equal(await isOwed(key), true)
  await removeWaiting(key)
})

test('releasing one step never removes the row of the next one', async () => {
  const key = await begun(alimtalk, smsStep)
  // Settle processes the verdict and starts step 3 before this release of step 2 has returned.
  const publisher = {
    canPublish: true,
    accepts: () => true,
    send: async () => {
      await fail(key)
    },
  } as unknown as OutboxContext['publisher']
  await createOutbox({ ...context, publisher }).release([key.msgKey])
  const owed = await owedJobs(key)
  assert.deepEqual(
    owed.map(({ msgKey, step }) => [msgKey, step]),
    [[key.msgKey, 3]],
  )
})

test('content that PostgreSQL cannot read as JSON does not block other steps', async () => {
  const poison: RichStep = { ...alimtalk, content: { ...alimtalk.content, text: 'a\u0000b' } }
  const [bad, good] = [await begun(poison), await begun({ ...smsStep, from: sender })]
  await age(bad, good)
  try {
    await outbox.releaseStranded()
    assert.equal(await isOwed(good), false)
  } finally {
    await removeWaiting(bad, good)
  }
})
