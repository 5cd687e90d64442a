/**
 * While a real disk alarm of RabbitMQ blocks every publisher, the intake queue drains into PostgreSQL and
 * receipts are settled; when it ends, every message is released. Uses its own service set, because an
 * alarm blocks every user of a broker.
 */
import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { ensureServices, setDiskAlarm, wipeServices } from '../../../tools/engines/index.ts'
import { createSendToSettle } from '../../src/jobs/send-to-settle.ts'
import type { RouteJob } from '../../src/jobs/jobs.ts'
import { startIntake } from '../../src/pipeline/intake/intake.ts'
import { createReceiptSink } from '../../src/pipeline/receipts/receipts.ts'
import { BacklogReleaser } from '../../src/pipeline/scheduling/backlog-releaser.ts'
import { createOutbox } from '../../src/pipeline/scheduling/outbox.ts'
import { recordAttempts } from '../../src/records/attempts/attempts.ts'
import { upsertRoute } from '../../src/carriers/routes/queries.ts'
import { createTestBroker } from '../support/engines/broker.ts'
import { addCleanup } from '../support/cleanup.ts'
import { createTestDatabase } from '../support/engines/database.ts'
import { acceptedJobs, attempt, isInFlight, readAccountLedger, recordOne } from '../support/fixtures.ts'
import { openTestPlacement } from '../support/pipeline/placing.ts'
import { testRoute } from '../support/routes.ts'
import { startTestSettle } from '../support/pipeline/settle.ts'
import { silentLog, testMetrics } from '../support/silent-log.ts'
import { waitFor } from '../support/wait.ts'

const count = 3_000

// Affects this process only: each test file has its own.
const directory = mkdtempSync(join(tmpdir(), 'postern-alarm-'))
chmodSync(directory, 0o755) // PostgreSQL runs as another user
process.env.POSTERN_SERVICES_DIR = directory
const { databaseUrl, brokerUrls } = await ensureServices({})
// Registered first, so that it runs after everything else is closed.
addCleanup(() => wipeServices())
process.env.POSTERN_DATABASE_URL = databaseUrl
process.env.POSTERN_BROKER_URLS = brokerUrls.join(',')

test('accepted messages and receipts are stored during a disk alarm and released after it', async () => {
  const { database } = await createTestDatabase()
  await upsertRoute(database, testRoute('north', { channels: ['sms'] }))
  const testBroker = await createTestBroker()
  const { topology } = testBroker
  const broker = await testBroker.open({ publishTimeoutMs: 1_000 })
  const { publisher } = broker
  const metrics = testMetrics()
  const placing = { ...(await openTestPlacement(database)), publisher }
  const stage = { ...placing, broker, topology, database, metrics, log: silentLog }
  const jobs = acceptedJobs(count, { accountId: 71 })
  await Promise.all(jobs.map((job) => publisher.send(topology.accepted.normal, JSON.stringify(job))))

  await setDiskAlarm(1, true)
  const intake = startIntake({ ...stage, stepTtlSeconds: 600, retentionDays: 30 })
  addCleanup(() => intake.stop())
  await waitFor('the broker to report the alarm', () => !broker.canPublish, { timeoutMs: 20_000 })
  await waitFor(
    'the queue to be recorded',
    async () => (await readAccountLedger(database, 71)).inFlight === count,
    { timeoutMs: 60_000 },
  )
  await waitFor('every step to wait', async () => (await waiting()) === count, { timeoutMs: 20_000 })
  assert.equal(await broker.depth(topology.accepted.normal), 0)

  const settle = startTestSettle({ ...stage, outbox: createOutbox({ ...stage, stepTtlSeconds: 600 }) })
  const sink = createReceiptSink(
    createSendToSettle({ publisher, topology, settleNow: settle.settleNow }),
    metrics,
  )
  const key = await recordOne(database, { accountId: 72 })
  await recordAttempts(database, [attempt(key, { carrierId: 'during' })])
  await sink('north', {
    carrierId: 'during',
    result: 'delivered',
    cause: 'delivered',
    code: 'DELIVRD',
    recipient: '01012345678',
    sender: '0234567890',
    at: null,
  })
  assert.equal(await isInFlight(database, key.msgKey), false)
  const releaser = new BacklogReleaser({
    ...stage,
    routeId: 'north',
    freeCapacity: () => count,
    checkRules: () => null,
  })
  assert.equal(await releaser.round(), 0)

  await setDiskAlarm(1, false)
  await waitFor('the broker to accept messages', () => broker.canPublish, { timeoutMs: 20_000 })
  while ((await waiting()) > 0) await releaser.round()
  const released = (await testBroker.drain(topology.getQueue('north'), count)) as RouteJob[]
  // Jobs that were not confirmed when the alarm began may have been accepted after it: they are claimed once.
  assert.deepEqual(
    [...new Set(released.map(({ msgKey }) => msgKey))].sort(),
    jobs.map(({ msgKey }) => msgKey).sort(),
  )
  await intake.stop()
  assert.equal(await broker.depth(topology.accepted.normal), 0, 'everything was acknowledged')

  async function waiting(): Promise<number> {
    const found = await database.query<{ n: number }>('select count(*) as n from waiting')
    return found.rows[0]!.n
  }
})
