import assert from 'node:assert/strict'
import { test } from 'node:test'
import { insertRunningBatch } from '../../../test/support/batch-lines.ts'
import { createTestDatabase } from '../../../test/support/engines/database.ts'
import {
  acceptedJobs,
  createAccount,
  inAnHour,
  reportCodes,
  routeId,
} from '../../../test/support/fixtures.ts'
import { inTransaction } from '../../platform/database/database.ts'
import { wakeBatchSteps } from '../waiting/wake-batch.ts'
import { neverReleaseAt, type HeldStep } from '../waiting/waiting-step.ts'
import { holdSteps, removeWaiting } from '../waiting/write-waiting.ts'
import { recordBatchMessages } from './record.ts'
import { closeSuspended } from './stopped.ts'

const { database } = await createTestDatabase()

test('a suspended message of a cancelled batch is never due, and ends once', async () => {
  const accountId = await createAccount(database, 'shop')
  const batchId = await insertRunningBatch(database, accountId)
  const jobs = acceptedJobs(2, { accountId })
  const held = jobs.map(({ msgKey }, index): HeldStep => {
    const isSuspended = index === 0
    const [releaseAt, rule] = isSuspended ? [neverReleaseAt, 'prefix-velocity'] : [inAnHour(), 'batch-paused']
    const route = { routeId: isSuspended ? '' : routeId, lane: 'bulk', parts: 1, tries: 0 } as const
    return { msgKey, step: 1, try: 1, accountId, reason: 'rule', ...route, releaseAt, rule }
  })
  await inTransaction(database, async (transaction) => {
    await recordBatchMessages(transaction, batchId, jobs, held, inAnHour)
  })
  // A later hold of the step still belongs to the batch.
  await removeWaiting(database, held)
  await holdSteps(database, held)
  await wakeBatchSteps(database, batchId, 'cancelled')
  const { rows } = await database.query('select msg_key as key from waiting where release_at <= now()')
  assert.deepEqual(rows, [{ key: jobs[1]!.msgKey }])
  await Promise.all([closeSuspended(database, batchId), closeSuspended(database, batchId)])
  assert.deepEqual(await reportCodes(database, jobs[0]!.msgKey), ['90010'])
  assert.deepEqual(await reportCodes(database, jobs[1]!.msgKey), [])
})
