import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestSettle } from '../../../test/support/pipeline/settle.ts'
import { createTestBroker } from '../../../test/support/engines/broker.ts'
import { createTestDatabase } from '../../../test/support/engines/database.ts'
import {
  acceptedJobs,
  attempt,
  isInFlight,
  receipt,
  receiptFor,
  recordJobs,
} from '../../../test/support/fixtures.ts'
import { sumCounter, testMetrics } from '../../../test/support/silent-log.ts'
import { waitFor } from '../../../test/support/wait.ts'
import type { ReceiptJob } from '../../jobs/jobs.ts'
import { recordAttempts } from '../../records/attempts/attempts.ts'

const { database } = await createTestDatabase()
const { broker, topology } = await createTestBroker()
const metrics = testMetrics()
startTestSettle({ broker, topology, database, metrics })

/** Sends each receipt in a separate group, as when receipts arrive one by one. */
async function sendSeparately(jobs: readonly ReceiptJob[]): Promise<void> {
  const sent: Promise<void>[] = []
  for (const job of jobs) {
    sent.push(broker.publisher.send(topology.receipts, JSON.stringify(job)))
    await new Promise((resolve) => setImmediate(resolve))
  }
  await Promise.all(sent)
}

test('the receipts of one route are settled while 600 unmatched receipts of another route wait', async () => {
  const keys = await recordJobs(database, acceptedJobs(20))
  const rows = keys.map((key) => attempt(key, { routeId: 'north' }))
  await recordAttempts(database, rows)
  const flood = Array.from({ length: 600 }, (_, n) =>
    receipt({ routeId: 'south', carrierId: `strange-${n}` }),
  )
  await sendSeparately([...flood, ...rows.map((row) => receiptFor(row))])
  await waitFor(
    'the good ones to close',
    async () => {
      const open = await Promise.all(keys.map(({ msgKey }) => isInFlight(database, msgKey)))
      return !open.includes(true)
    },
    { timeoutMs: 5_000 },
  )
  await waitFor('all others to be stored', async () => {
    const stored = await database.query('select from orphan_receipts')
    return stored.rowCount === flood.length
  })
  assert.equal(await sumCounter(metrics.receipts, { result: 'orphaned' }), flood.length)
})
