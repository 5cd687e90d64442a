import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestBroker } from '../../../test/support/engines/broker.ts'
import { createTestDatabase } from '../../../test/support/engines/database.ts'
import { attempt, isInFlight, receiptFor, recordOne } from '../../../test/support/fixtures.ts'
import { emptyOutbox } from '../../../test/support/pipeline/outbox.ts'
import { silentLog, testMetrics } from '../../../test/support/silent-log.ts'
import { waitFor } from '../../../test/support/wait.ts'
import type { ReceiptJob } from '../../jobs/jobs.ts'
import { recordAttempts } from '../../records/attempts/attempts.ts'
import { storeOrphans } from '../../records/attempts/orphans.ts'
import { RouteResultCounter } from '../../carriers/routes/result-counter.ts'
import { startOrphanRetries } from './orphan-retries.ts'

const { database } = await createTestDatabase()
const testBroker = await createTestBroker()
const { broker, topology } = testBroker
const start = () =>
  startOrphanRetries({
    routes: { value: [] },
    outbox: emptyOutbox,
    resultCounter: new RouteResultCounter(),
    broker,
    topology,
    database,
    metrics: testMetrics(),
    retentionDays: 30,
    log: silentLog,
  })

test('an orphaned receipt that the database cannot hold blocks no other', async () => {
  const [bad, good] = [attempt(await recordOne(database)), attempt(await recordOne(database))]
  await recordAttempts(database, [bad, good])
  await storeOrphans(database, [receiptFor(bad, { code: 'UNDELIV:\u0000' }), receiptFor(good)], new Date())
  const retries = start()
  try {
    await waitFor('the good one to close', async () => !(await isInFlight(database, good.msgKey)))
  } finally {
    await retries.stop()
  }
})

test('an orphaned receipt of an unknown version is parked and removed, and the others are settled', async () => {
  const [unreadable, good] = [attempt(await recordOne(database)), attempt(await recordOne(database))]
  await recordAttempts(database, [unreadable, good])
  const newer = { ...receiptFor(unreadable), v: 2 } as unknown as ReceiptJob
  await storeOrphans(database, [newer, receiptFor(good)], new Date())
  await testBroker.drain(topology.parked, await broker.depth(topology.parked))
  const retries = start()
  try {
    await waitFor('the good one to close', async () => !(await isInFlight(database, good.msgKey)))
    const reason = 'receipt job of version 2; this process reads version 1'
    assert.deepEqual(await testBroker.drain(topology.parked, 1), [{ stage: 'settle', job: newer, reason }])
    await waitFor('both orphans to be removed', async () => {
      return (await database.query('select from orphan_receipts')).rowCount === 0
    })
  } finally {
    await retries.stop()
  }
})

test('a receipt with a used id waits for its late attempt instead of settling another recipient', async () => {
  const [old, late] = ['01066660001', '01066660002'].map((recipient) => ({
    carrierId: 'counter-1',
    recipient,
  }))
  const first = attempt(await recordOne(database), old)
  const second = attempt(await recordOne(database), late)
  await recordAttempts(database, [first])
  await storeOrphans(database, [receiptFor(second)], new Date())
  const retries = start()
  try {
    await waitFor('two retries', async () => {
      return (await database.query('select from orphan_receipts where tries >= 2')).rowCount === 1
    })
    assert.equal(await isInFlight(database, first.msgKey), true)
    await recordAttempts(database, [second])
    await waitFor('its message to close', async () => !(await isInFlight(database, second.msgKey)))
    assert.equal(await isInFlight(database, first.msgKey), true)
  } finally {
    await retries.stop()
  }
})

test('a receipt waits for its late attempt instead of settling another message to the recipient', async () => {
  const recipient = '01066660003'
  const lost = attempt(await recordOne(database), { outcome: 'unknown', carrierId: null, recipient })
  const late = attempt(await recordOne(database), { carrierId: 'committed-late', recipient })
  await recordAttempts(database, [lost])
  await storeOrphans(database, [receiptFor(late)], new Date())
  const retries = start()
  try {
    await waitFor('two retries', async () => {
      return (await database.query('select from orphan_receipts where tries >= 2')).rowCount === 1
    })
    await recordAttempts(database, [late])
    await waitFor('its message to close', async () => !(await isInFlight(database, late.msgKey)))
    assert.equal(await isInFlight(database, lost.msgKey), true)
  } finally {
    await retries.stop()
  }
})
