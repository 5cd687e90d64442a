/** Erasure: text and recipient are erased after the account's setting, everything else with the partition of its day. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countStatements } from '../../../test/support/count-statements.ts'
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

test('accounts without anything due cost one statement in all, whether they have reports or not', async () => {
  await database.query(
    `insert into accounts (client_id, name, password_hash, erase_after_days)
     select 'quiet' || n, 'quiet', 'no password fits', 7 from generate_series(1, 300) n`,
  )
  const young = [await account(7), await account(7), await account(0)]
  for (const id of young) await closed(id)
  // Past retention: its report was dropped with its day.
  const past = await account(1)
  await database.query('insert into report_sequences values ($1, 40)', [past])
  await eraseClosed(database, later(0))
  const counted = countStatements(database)
  for (let round = 0; round < 3; round++) assert.equal(await eraseClosed(counted.database, later(1)), 0)
  assert.equal(counted.statements(), 3)
  assert.equal(await eraseClosed(counted.database, later(7)), 2)
})

test('a busy account is not visited in every round, and nothing is left', async () => {
  const id = await account(1)
  const day = (await database.query<{ now: Date }>('select now()')).rows[0]!.now.getTime() + dayMs
  for (let n = 0; n < 3; n++) await closed(id)
  await database.query(
    `update reports set created_at = to_timestamp($2::float8 / 1000) + (seq - 2) * interval '10 seconds' where account_id = $1`,
    [id, day - dayMs],
  )
  const at = (seconds: number): Promise<number> => eraseClosed(database, new Date(day + seconds * 1_000))
  assert.deepEqual([await at(0), await at(11), await at(299), await at(311)], [2, 0, 0, 1])
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
  // Those of other tests, which would keep the day.
  await database.query('delete from in_flight')
  await maintainPartitions(database, 30, later(31))
  assert.equal(await kept(key), '')
  assert.equal((await readTimeline(database, key.msgKey)).message, null)
})
