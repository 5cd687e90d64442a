/** Erasure: text and recipient are erased after the account's setting, everything else with the partition of its day. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestDatabase } from '../../../test/support/database.ts'
import {
  acceptedJob,
  attempt,
  createAccount,
  recipient,
  recordJobs,
  smsStep,
} from '../../../test/support/fixtures.ts'
import { inTransaction } from '../../platform/database.ts'
import { maintainPartitions } from '../partitions.ts'
import { recordAttempts } from '../attempts/attempts.ts'
import type { StepKey } from '../../jobs/step-key.ts'
import { closeMessages } from './close.ts'
import { eraseClosed, eraseRecipient } from './erase.ts'
import { readTimeline } from '../timeline/rows.ts'

const { database } = await createTestDatabase()
const dayMs = 86_400_000
let accounts = 0

async function account(eraseAfterDays: number | null): Promise<number> {
  return createAccount(database, `eraser${++accounts}`, { eraseAfterDays })
}

async function open(accountId: number, to = recipient): Promise<StepKey> {
  const [key] = await recordJobs(database, [acceptedJob({ accountId, to, ref: 'kept' })])
  await recordAttempts(database, [attempt(key!, { recipient: to })])
  return key!
}

async function closed(accountId: number, to = recipient): Promise<StepKey> {
  const key = await open(accountId, to)
  const at = new Date()
  await inTransaction(database, (transaction) =>
    closeMessages(transaction, [{ ...key, cause: 'delivered', parts: 1, sentAt: at, at }]),
  )
  return key
}

/** Everything the tables hold of the message, as text. */
async function kept({ msgKey }: StepKey): Promise<string> {
  const { rows } = await database.query<{ text: string | null }>(
    `select (select string_agg(m::text, ' ') from messages m where msg_key = $1)
         || coalesce((select string_agg(a::text, ' ') from attempts a where msg_key = $1), '')
         || coalesce((select string_agg(r::text, ' ') from reports r where msg_key = $1), '') as text`,
    [msgKey],
  )
  return rows[0]!.text ?? ''
}
const hasContent = async (key: StepKey): Promise<boolean> => {
  const text = await kept(key)
  const digits = recipient.slice(-8)
  assert.equal(text.includes(smsStep.text), text.includes(digits), 'text and recipient go together')
  return text.includes(digits)
}
const later = (days: number): Date => new Date(Date.now() + days * dayMs + 1_000)

test('text and recipient are erased when the account setting says, and not before', async () => {
  const [atClose, aWeek, never] = [await account(0), await account(7), await account(null)]
  const keys = [await closed(atClose), await closed(aWeek), await closed(never)]
  const standing = async () => Promise.all(keys.map(hasContent))
  await eraseClosed(database, later(0))
  assert.deepEqual(await standing(), [false, true, true])
  await eraseClosed(database, later(6.9))
  assert.deepEqual(await standing(), [false, true, true])
  await eraseClosed(database, later(7))
  assert.deepEqual(await standing(), [false, false, true])
})

test('never touches an open message, and erases it after its close', async () => {
  const id = await account(0)
  const key = await open(id)
  await eraseClosed(database, later(20))
  assert.equal(await hasContent(key), true)
  const at = new Date()
  await inTransaction(database, (transaction) =>
    closeMessages(transaction, [{ ...key, cause: 'delivered', parts: 1, sentAt: at, at }]),
  )
  assert.equal(await eraseClosed(database, later(0)), 1)
  assert.equal(await hasContent(key), false)
  assert.equal(await eraseClosed(database, later(1)), 0)
})

test('an erased message keeps its timeline, its reports and its ref', async () => {
  const id = await account(0)
  const key = await closed(id)
  await eraseClosed(database, later(0))
  const timeline = await readTimeline(database, key.msgKey)
  assert.deepEqual(
    [timeline.message?.channels, timeline.message?.recipient, timeline.reports.length],
    [['sms'], '', 1],
  )
  assert.match(await kept(key), /kept/)
})

test('a recipient is erased on request from the messages of one account only; open messages are counted', async () => {
  const [id, other] = [await account(null), await account(null)]
  const mine = [await closed(id), await closed(id)]
  const running = await open(id)
  const spared = [await closed(other), await closed(id, '01087654321')]
  assert.deepEqual(await eraseRecipient(database, id, recipient), { erased: 2, open: 1 })
  assert.deepEqual(await Promise.all(mine.map(hasContent)), [false, false])
  assert.equal(await hasContent(running), true)
  for (const key of spared) assert.match(await kept(key), /12345678|87654321/)
  assert.deepEqual(await eraseRecipient(database, id, recipient), { erased: 0, open: 1 })
})

test('after thirty days no table contains anything of a message', async () => {
  const id = await account(null)
  const key = await closed(id)
  await maintainPartitions(database, 30, later(29))
  assert.equal(await hasContent(key), true)
  await maintainPartitions(database, 30, later(31))
  assert.equal(await kept(key), '')
  assert.equal((await readTimeline(database, key.msgKey)).message, null)
})
