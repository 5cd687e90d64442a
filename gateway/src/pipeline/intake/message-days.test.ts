import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestDatabase } from '../../../test/support/engines/database.ts'
import { acceptedJob, recordOne } from '../../../test/support/fixtures.ts'
import type { AcceptedJob } from '../../jobs/jobs.ts'
import { MessageDays } from './message-days.ts'

const { database } = await createTestDatabase()
const onDay = (offset: number) => ({ acceptedAt: Date.now() + offset * 86_400_000 })

test('a day that another batch has just created is ready for the next batch', async () => {
  const days = new MessageDays(database, 30)
  const job = acceptedJob(onDay(-5))
  assert.equal(await days.createMissing([job]), true)
  assert.equal(await days.createMissing([job]), true)
  await recordOne(database, onDay(-5))
})

test('days can be created as far back as the retention, and 61 days ahead', async () => {
  const days = new MessageDays(database, 20)
  for (const offset of [-20, -8, 61])
    assert.equal(await days.createMissing([acceptedJob(onDay(offset))]), true)
  for (const offset of [-21, 62]) assert.equal(await days.createMissing([acceptedJob(onDay(offset))]), false)
  const noDay = acceptedJob({ msgKey: acceptedJob().msgKey.replace(/^.{8}/, '20269999') })
  assert.equal(await days.createMissing([noDay]), false)
})

test('a message of a future day that is not scheduled is sent now: its day has attempts', async () => {
  const days = new MessageDays(database, 30)
  const hasAttempts = async (job: AcceptedJob): Promise<boolean> => {
    const found = await database.query(
      `select where to_regclass('attempts_${job.msgKey.slice(0, 8)}') is not null`,
    )
    return found.rowCount === 1
  }
  const scheduled = acceptedJob({ ...onDay(10), sendAt: onDay(10).acceptedAt })
  await days.ensureAhead([scheduled])
  assert.equal(await hasAttempts(scheduled), false)
  await days.ensureAhead([acceptedJob(onDay(10))])
  assert.equal(await hasAttempts(scheduled), true)
})
