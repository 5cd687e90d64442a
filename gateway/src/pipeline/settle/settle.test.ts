import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { startTestOrphanRetries, startTestSettle } from '../../../test/support/pipeline/settle.ts'
import { createTestBroker, type TestBroker } from '../../../test/support/engines/broker.ts'
import { createTestDatabase } from '../../../test/support/engines/database.ts'
import {
  attempt,
  isInFlight,
  readAccountLedger,
  receiptFor,
  recordOne,
  reportCodes,
  verdict,
} from '../../../test/support/fixtures.ts'
import { sumCounter, testMetrics } from '../../../test/support/silent-log.ts'
import { waitFor } from '../../../test/support/wait.ts'
import { recordAttempts } from '../../records/attempts/attempts.ts'
import type { StepKey } from '../../jobs/step-key.ts'
import type { SettleJob } from '../../jobs/jobs.ts'
import { ensureDay } from '../../records/partitions.ts'
import type { Metrics } from '../../platform/metrics.ts'

const { database } = await createTestDatabase()

async function openTestBed(): Promise<
  TestBroker & { metrics: Metrics; send(job: SettleJob): Promise<void> }
> {
  const testBroker = await createTestBroker()
  const { broker, topology } = testBroker
  const metrics = testMetrics()
  startTestSettle({ broker, topology, database, metrics })
  return {
    ...testBroker,
    metrics,
    send: (job) => broker.publisher.send(topology.receipts, JSON.stringify(job)),
  }
}

const testBed = await openTestBed()
const closed = (key: StepKey): Promise<boolean> => isInFlight(database, key.msgKey).then((open) => !open)
const orphans = async (carrierId: string): Promise<number> => {
  const found = await database.query(`select from orphan_receipts where receipt->>'carrierId' = $1`, [
    carrierId,
  ])
  return found.rowCount ?? 0
}

// Concurrently: most of these wait, and none depends on another.
suite('settle', { concurrency: true }, () => {
  test('a receipt that arrives before its attempt is recorded closes the message once it is', async () => {
    const key = await recordOne(database)
    const row = attempt(key, { carrierId: 'early' })
    const before = await sumCounter(testBed.metrics.receipts, { result: 'settled' })
    await testBed.send(receiptFor(row))
    // Matching has failed once, because a later verdict has passed through the same queue.
    const marker = await recordOne(database)
    await testBed.send(verdict(marker))
    await waitFor('the marker', () => closed(marker))
    assert.equal(await closed(key), false)
    await recordAttempts(database, [row])
    await waitFor('the message to close', () => closed(key))
    assert.deepEqual(await reportCodes(database, key.msgKey), ['10000'])
    assert.equal(await orphans('early'), 0)
    assert.ok((await sumCounter(testBed.metrics.receipts, { result: 'settled' })) > before)
  })

  test('an unmatched receipt is stored, and settled by a retry after its attempt is recorded', async () => {
    const key = await recordOne(database, { accountId: 51 })
    const row = attempt(key, { carrierId: 'orphan' })
    await testBed.send(receiptFor(row))
    await waitFor('the orphan', async () => (await orphans('orphan')) === 1)
    assert.equal(await closed(key), false)
    await recordAttempts(database, [row])
    await database.query(`update orphan_receipts set retry_at = now() where receipt->>'carrierId' = 'orphan'`)
    startTestOrphanRetries({ ...testBed, database })
    await waitFor('the message to close', () => closed(key))
    await waitFor('the orphan to be removed', async () => (await orphans('orphan')) === 0)
    assert.deepEqual(await reportCodes(database, key.msgKey), ['10000'])
    assert.deepEqual(await readAccountLedger(database, 51), { accepted: 1, final: 1, inFlight: 0, gap: 0 })
  })

  test('a receipt settles an unknown attempt by its recipient', async () => {
    const key = await recordOne(database)
    const lost = { outcome: 'unknown', carrierId: null, recipient: '01066660000', code: 'timeout' } as const
    const row = attempt(key, lost)
    await recordAttempts(database, [row])
    await testBed.send(receiptFor(row, { carrierId: 'unknown-id' }))
    await waitFor('the orphan', async () => (await orphans('unknown-id')) === 1)
    assert.equal(await closed(key), false)
    startTestOrphanRetries({ ...testBed, database, recordedWithinMs: 0 })
    await waitFor('the message to close', () => closed(key))
    assert.deepEqual(await reportCodes(database, key.msgKey), ['10000'])
  })

  test('a receipt of an older message is never given to a newer one that has no id', async () => {
    const recipient = '01066660002'
    const key = await recordOne(database)
    await recordAttempts(database, [attempt(key, { outcome: 'unknown', carrierId: null, recipient })])
    const threeDaysAgo = Date.now() - 3 * 86_400_000
    await ensureDay(database, new Date(threeDaysAgo))
    const older = await recordOne(database, { acceptedAt: threeDaysAgo })
    const row = attempt(older, { carrierId: 'three-days-old', recipient })
    await recordAttempts(database, [row])
    await testBed.send(receiptFor(row))
    startTestOrphanRetries({ ...testBed, database, recordedWithinMs: 0 })
    await waitFor('the older message to close', () => closed(older))
    await waitFor('the orphan to be removed', async () => (await orphans('three-days-old')) === 0)
    assert.equal(await closed(key), false)
  })
})

test('a receipt that the database cannot hold is parked and blocks no other', async () => {
  const poisoned = await openTestBed()
  const [bad, good] = [attempt(await recordOne(database)), attempt(await recordOne(database))]
  await recordAttempts(database, [bad, good])
  await Promise.all([
    poisoned.send(receiptFor(bad, { code: 'UNDELIV:\u0000' })),
    poisoned.send(receiptFor(good)),
  ])
  await waitFor('the good one to close', () => closed(good))
  await waitFor(
    'the bad one to be parked',
    async () => (await poisoned.broker.depth(poisoned.topology.parked)) > 0,
  )
})

test('an unmatched receipt that cannot be stored is parked and blocks no other', async () => {
  const other = await openTestBed()
  const key = await recordOne(database)
  const good = receiptFor(attempt(key, { carrierId: 'beside-the-unstorable' }))
  await recordAttempts(database, [attempt(key, { carrierId: 'beside-the-unstorable' })])
  // The last time that JavaScript can represent is 8.64e15.
  const bad = { ...good, carrierId: 'unstorable', recipient: '01077770000', receivedAt: 9e15 }
  await other.broker.publisher.send(other.topology.receipts, JSON.stringify(bad))
  await other.send(good)
  await waitFor('the good one', () => closed(key))
  const [parked] = (await other.drain(other.topology.parked, 1)) as { stage: string; job: unknown }[]
  assert.deepEqual([parked!.stage, parked!.job], ['settle', bad])
  await waitFor('an empty queue', async () => (await other.broker.depth(other.topology.receipts)) === 0)
})

test('a job of an unknown version or kind is parked, and the rest is processed', async () => {
  const later = await openTestBed()
  const key = await recordOne(database)
  const [first, second] = [attempt(key), attempt(await recordOne(database))]
  await recordAttempts(database, [first, second])
  const newer = { ...receiptFor(first), v: 2 }
  const strange = { ...verdict(key), kind: 'guess' }
  const { broker, topology } = later
  await Promise.all(
    [newer, strange, receiptFor(second)].map((job) =>
      broker.publisher.send(topology.receipts, JSON.stringify(job)),
    ),
  )
  await waitFor('the readable one to close', () => closed(second))
  const parked = await later.drain(topology.parked, 2)
  assert.deepEqual(parked, [
    { stage: 'settle', job: newer, reason: 'receipt job of version 2; this process reads version 1' },
    { stage: 'settle', job: strange, reason: 'unreadable settle job: unknown /kind' },
  ])
  assert.equal(await closed(first), false)
  assert.equal(await sumCounter(later.metrics.parked, { stage: 'settle' }), 2)
  await waitFor('the group to be acknowledged', async () => (await broker.depth(topology.receipts)) === 0)
})
