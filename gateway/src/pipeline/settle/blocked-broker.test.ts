import assert from 'node:assert/strict'
import { test } from 'node:test'
import { blockable } from '../../../test/support/engines/blockable-broker.ts'
import { createTestBroker } from '../../../test/support/engines/broker.ts'
import { addCleanup } from '../../../test/support/cleanup.ts'
import { createTestDatabase } from '../../../test/support/engines/database.ts'
import {
  acceptedJob,
  attempt,
  isInFlight,
  readAccountLedger,
  receiptFor,
  recordJobs,
  recordOne,
  reportCodes,
  smsStep,
  routeJob,
} from '../../../test/support/fixtures.ts'
import { openTestPlacement } from '../../../test/support/pipeline/placing.ts'
import { createProxy } from '../../../test/support/engines/proxy.ts'
import { testRoute } from '../../../test/support/routes.ts'
import { startTestSettle } from '../../../test/support/pipeline/settle.ts'
import { sumCounter, silentLog, testMetrics } from '../../../test/support/silent-log.ts'
import { waitFor } from '../../../test/support/wait.ts'
import type { Receipt } from '../../carriers/connectors/connector.ts'
import { createSendToSettle } from '../../jobs/send-to-settle.ts'
import { openDatabase } from '../../platform/database/database.ts'
import { recordAttempts } from '../../records/attempts/attempts.ts'
import { claimSteps, createClaim } from '../../records/messages/claim.ts'
import { upsertRoute } from '../../carriers/routes/queries.ts'
import { createFailedStepHandler, createReleaseStep } from '../dispatch/failed-step-handler.ts'
import { createReceiptSink } from '../receipts/receipts.ts'
import { createOutbox } from '../scheduling/outbox.ts'

const { database, url } = await createTestDatabase()
await upsertRoute(database, testRoute('north', { channels: ['sms'] }))
const testBroker = await createTestBroker()
const { topology } = testBroker
const broker = blockable(testBroker.broker)
const { publisher } = broker
const metrics = testMetrics()
const proxy = await createProxy(url)
const proxied = openDatabase(proxy.url, silentLog, { connections: 4 })
addCleanup(() => proxied.end())
const placing = { ...(await openTestPlacement(database)), publisher }
const services = { ...placing, broker, topology, database: proxied, metrics, log: silentLog }
const outbox = createOutbox({ ...services, stepTtlSeconds: 60 })
const settle = startTestSettle({ ...services, outbox })
const sendToSettle = createSendToSettle({ publisher, topology, settleNow: settle.settleNow })
const sink = createReceiptSink(sendToSettle, metrics)

const receipt = (carrierId: string, changes: Partial<Receipt> = {}): Receipt => ({
  carrierId,
  result: 'delivered',
  cause: 'delivered',
  code: 'DELIVRD',
  recipient: '01012345678',
  sender: '0234567890',
  at: null,
  ...changes,
})
const waiting = async (msgKey: string): Promise<string[]> => {
  const found = await database.query<{ route_id: string }>(
    'select route_id from waiting where msg_key = $1',
    [msgKey],
  )
  return found.rows.map((row) => row.route_id)
}

test('a receipt is settled before it is acknowledged while the broker accepts nothing', async () => {
  const jobs = Array.from({ length: 100 }, () => acceptedJob({ accountId: 61 }))
  const keys = await recordJobs(database, jobs)
  await recordAttempts(
    database,
    keys.map((key, nth) => attempt(key, { carrierId: `bulk-${nth}` })),
  )
  // The last value of a histogram is the number of its observations.
  const batches = async (): Promise<number> => (await metrics.batchSize.get()).values.at(-1)?.value ?? 0
  const before = await batches()
  broker.publishing = 'blocked'
  await Promise.all(keys.map((_, nth) => sink('north', receipt(`bulk-${nth}`))))
  for (const { msgKey } of keys) assert.equal(await isInFlight(database, msgKey), false)
  assert.deepEqual(await readAccountLedger(database, 61), { accepted: 100, final: 100, inFlight: 0, gap: 0 })
  assert.ok((await batches()) - before <= 3, 'one statement for many receipts')
  assert.equal(await testBroker.broker.depth(topology.receipts), 0)
})

test('a failed step starts the next one, which waits for the broker', async () => {
  const [key] = await recordJobs(database, [acceptedJob({ accountId: 62, steps: [smsStep, smsStep] })])
  await recordAttempts(database, [attempt(key!, { carrierId: 'fails' })])
  broker.publishing = 'blocked'
  await sink('north', receipt('fails', { result: 'failed', cause: 'phone-off', code: 'UNDELIV' }))
  assert.deepEqual(await waiting(key!.msgKey), ['north'])
  assert.deepEqual(await readAccountLedger(database, 62), { accepted: 1, final: 0, inFlight: 1, gap: 0 })
})

test('a receipt that matches nothing is stored before it is acknowledged', async () => {
  broker.publishing = 'blocked'
  await sink('north', receipt('matches-nothing'))
  const found = await database.query(
    `select from orphan_receipts where receipt->>'carrierId' = 'matches-nothing'`,
  )
  assert.equal(found.rowCount, 1)
})

test('a settled receipt that also arrives through the queue counts once', async () => {
  const key = await recordOne(database, { accountId: 63 })
  const row = attempt(key, { carrierId: 'twice' })
  await recordAttempts(database, [row])
  // The job is in the queue, but was not confirmed in time.
  broker.publishing = 'failing'
  await sink('north', receipt('twice'))
  const before = await sumCounter(metrics.receipts, { result: 'repeated' })
  await testBroker.broker.publisher.send(topology.receipts, JSON.stringify(receiptFor(row)))
  await waitFor(
    'the repetition',
    async () => (await sumCounter(metrics.receipts, { result: 'repeated' })) > before,
  )
  assert.deepEqual(await reportCodes(database, key.msgKey), ['10000'])
  assert.deepEqual(await readAccountLedger(database, 63), { accepted: 1, final: 1, inFlight: 0, gap: 0 })
})

test('a refusal ends its step while the broker accepts nothing', async () => {
  const job = acceptedJob({ accountId: 64 })
  const [key] = await recordJobs(database, [job])
  await claimSteps(database, [createClaim(key!)])
  const { endStep } = createFailedStepHandler({
    ...services,
    sendToSettle,
    releaseStep: createReleaseStep({ ...services, publisher }),
    routeId: 'north',
    signal: new AbortController().signal,
  })
  broker.publishing = 'blocked'
  await endStep(routeJob(job), { ...key!, cause: 'refused', part: 1, parts: 1, submittedAt: new Date() })
  assert.equal(await isInFlight(database, job.msgKey), false)
})

test('a receipt is acknowledged once queued while PostgreSQL is unavailable', async () => {
  const key = await recordOne(database, { accountId: 65 })
  await recordAttempts(database, [attempt(key, { carrierId: 'queued' })])
  broker.publishing = 'open'
  proxy.block()
  await sink('north', receipt('queued'))
  assert.equal(await isInFlight(database, key.msgKey), true)
  proxy.unblock()
  await waitFor('the message to close', async () => !(await isInFlight(database, key.msgKey)))
})

test('a receipt is not acknowledged while the broker and PostgreSQL are unavailable, and settled later', async () => {
  const key = await recordOne(database, { accountId: 66 })
  await recordAttempts(database, [attempt(key, { carrierId: 'kept' })])
  broker.publishing = 'blocked'
  proxy.block()
  await assert.rejects(sink('north', receipt('kept')))
  assert.equal(await isInFlight(database, key.msgKey), true)
  proxy.unblock()
  await sink('north', receipt('kept'))
  assert.equal(await isInFlight(database, key.msgKey), false)
})
