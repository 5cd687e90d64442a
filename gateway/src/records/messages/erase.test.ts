import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countStatements } from '../../../test/support/engines/count-statements.ts'
import { createTestDatabase } from '../../../test/support/engines/database.ts'
import {
  acceptedJob,
  attempt,
  createAccount,
  receipt,
  recipient,
  recordJobs,
  routeJob,
  smsStep,
} from '../../../test/support/fixtures.ts'
import { silentLog } from '../../../test/support/silent-log.ts'
import { inTransaction, openDatabase, type Database } from '../../platform/database/database.ts'
import { ensureDay, maintainPartitions } from '../partitions.ts'
import { recordAttempts } from '../attempts/attempts.ts'
import { storeOrphans } from '../attempts/orphans.ts'
import { removeOldParked, saveParked } from '../parked/queries.ts'
import type { StepKey } from '../../jobs/step-key.ts'
import { closeMessages } from './close.ts'
import { eraseClosed, eraseRecipient } from './erase.ts'
import { readTimeline } from '../timeline/rows.ts'

const { database, url } = await createTestDatabase()
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

/** Returns everything the tables hold of the message, as text. */
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

test('text and recipient are erased at the time of the account setting', async () => {
  const [atClose, aWeek, never] = [await account(0), await account(7), await account(null)]
  const keys = [await closed(atClose), await closed(aWeek), await closed(never)]
  const haveContent = async () => Promise.all(keys.map(hasContent))
  await eraseClosed(database, later(0))
  assert.deepEqual(await haveContent(), [false, true, true])
  await eraseClosed(database, later(6.9))
  assert.deepEqual(await haveContent(), [false, true, true])
  await eraseClosed(database, later(7))
  assert.deepEqual(await haveContent(), [false, false, true])
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

test('all accounts without due messages cost one statement together, with or without reports', async () => {
  await database.query(
    `insert into accounts (client_id, name, erase_after_days)
     select 'quiet' || n, 'quiet', 7 from generate_series(1, 300) n`,
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
  // The reports are due at -10, 0 and 10 seconds; after an erasure the account is not visited for five minutes.
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

test('a recipient is erased on request from closed messages of one account only', async () => {
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

test('a recipient is found for its erasure in every spelling that a send accepts', async () => {
  const id = await account(null)
  for (const spelling of ['+821087650000', '821087650000', '010-8765-0000']) {
    await closed(id, '01087650000')
    assert.deepEqual(await eraseRecipient(database, id, spelling), { erased: 1, open: 0 })
  }
})

/** Returns the names of the tables that hold the text. */
async function tablesWith(text: string): Promise<string[]> {
  const found = await database.query<{ name: string }>(
    `select distinct name from (
       select 'messages' as name, m::text as row from messages m union all select 'attempts', a::text from attempts a
       union all select 'parked', encode(payload, 'escape') from parked
       union all select 'orphan_receipts', o::text from orphan_receipts o) stored
      where strpos(row, $1) > 0 order by name`,
    [text],
  )
  return found.rows.map(({ name }) => name)
}

test('a number is erased from parked jobs and from receipts that match nothing', async () => {
  for (const erase of [
    (id: number, to: string) => eraseRecipient(database, id, to),
    () => eraseClosed(database, later(0)),
  ]) {
    const id = await account(0)
    const [to, other] = [`010555${id + 10_000}`, `010666${id + 10_000}`]
    const [key, running] = [await closed(id, to), await open(id, other)]
    for (const [{ msgKey }, number] of [
      [key, to],
      [running, other],
    ] as const)
      await saveParked(database, [
        {
          stage: 'dispatch',
          msgKey,
          reason: null,
          payload: Buffer.from(JSON.stringify(routeJob(acceptedJob({ msgKey, to: number })))),
        },
      ])
    await storeOrphans(
      database,
      [
        receipt({ recipient: `82${to.slice(1)}`, carrierId: `lost-${id}`, receivedAt: Date.now() - 60_000 }),
        receipt({ recipient: other }),
      ],
      new Date(),
    )
    const tables = ['attempts', 'messages', 'orphan_receipts', 'parked']
    assert.deepEqual(await tablesWith(to.slice(-8)), tables)
    await erase(id, to)
    assert.deepEqual(await tablesWith(to.slice(-8)), [])
    assert.deepEqual(await tablesWith(`lost-${id}`), ['orphan_receipts'], 'it may still match by its id')
    assert.deepEqual(await tablesWith(other.slice(-8)), tables, 'those of an open message stay')
  }
})

test('a receipt that an open message to the same number waits for keeps the number', async () => {
  const [id, other] = [await account(0), await account(null)]
  const lost = { carrierId: null, outcome: 'unknown' } as const
  for (const [nth, { running, receivedMs, erase }] of [
    // Recorded, and its receipt arrived before the other message was closed.
    { running: other, receivedMs: -60_000, erase: () => eraseClosed(database, later(0)) },
    // Not recorded yet, because its process died.
    { running: null, receivedMs: 60_000, erase: () => eraseClosed(database, later(0)) },
    { running: other, receivedMs: -60_000, erase: (to: string) => eraseRecipient(database, id, to) },
    { running: id, receivedMs: -60_000, erase: (to: string) => eraseRecipient(database, id, to) },
  ].entries()) {
    const to = `010777${id + 10_000 + nth}`
    await closed(id, to)
    if (running !== null) {
      const [key] = await recordJobs(database, [acceptedJob({ accountId: running, to })])
      await recordAttempts(database, [attempt(key!, { ...lost, recipient: to })])
    }
    const carrierId = `waits-${id}-${nth}`
    const receivedAt = Date.now() + receivedMs
    await storeOrphans(database, [receipt({ recipient: to, carrierId, receivedAt })], new Date())
    await erase(to)
    assert.ok((await tablesWith(to.slice(-8))).includes('orphan_receipts'), `case ${nth}`)
  }
})

test('erasing a recipient reads few pages of the messages to others', async () => {
  const session = openDatabase(url, silentLog, { connections: 1 })
  try {
    const id = await account(null)
    await ensureDay(session, new Date('2030-01-05'))
    await session.query(
      `insert into messages (msg_key, account_id, recipient, flow, accepted_at)
       select '20300105' || lpad(n::text, 24, '0'), $1, '0105' || lpad(n::text, 7, '0'), $2, now()
         from generate_series(1, 20000) n`,
      [id, JSON.stringify([{ ...smsStep, text: 'x'.repeat(90) }])],
    )
    await session.query('analyze messages_20300105')
    await session.query(`select brin_summarize_new_values('messages_20300105_recipient_recipient_index_idx')`)
    const before = await pagesRead(session)
    assert.deepEqual(await eraseRecipient(session, id, '01050000100'), { erased: 1, open: 0 })
    const { rows } = await session.query<{ pages: number }>(
      `select pg_relation_size('messages_20300105') / 8192 as pages`,
    )
    const read = (await pagesRead(session)) - before
    assert.ok(read < rows[0]!.pages / 4, `${read} of ${rows[0]!.pages} pages were read`)
  } finally {
    await session.end()
  }
})

async function pagesRead(session: Database): Promise<number> {
  await session.query('select pg_stat_force_next_flush()')
  const { rows } = await session.query<{ pages: number }>(
    `select heap_blks_hit + heap_blks_read as pages from pg_statio_user_tables where relname = 'messages_20300105'`,
  )
  return rows[0]!.pages
}

test('old parked jobs are removed, except those of open or unrecorded messages', async () => {
  const id = await account(null)
  const running = await open(id)
  const park = (stage: 'intake' | 'dispatch' | 'settle', msgKey: string | null): Promise<void> =>
    saveParked(database, [
      { stage, msgKey, reason: 'old', payload: Buffer.from(JSON.stringify({ stage, msgKey })) },
    ])
  await park('intake', acceptedJob().msgKey)
  await park('dispatch', running.msgKey)
  await park('dispatch', (await closed(id)).msgKey)
  await park('settle', null)
  await removeOldParked(database, later(-1))
  const readStages = async (): Promise<unknown[]> =>
    (
      await database.query<{ stage: string }>(`select stage from parked where reason = 'old' order by id`)
    ).rows.map(({ stage }) => stage)
  assert.equal((await readStages()).length, 4)
  await removeOldParked(database, later(1))
  assert.deepEqual(await readStages(), ['intake', 'dispatch'])
})

test('no table contains data of a message after thirty days', async () => {
  const id = await account(null)
  const key = await closed(id)
  await maintainPartitions(database, 30, later(29))
  assert.equal(await hasContent(key), true)
  // Open messages of other tests would keep their days.
  await database.query('delete from in_flight')
  await maintainPartitions(database, 30, later(31))
  assert.equal(await kept(key), '')
  assert.equal((await readTimeline(database, key.msgKey)).message, null)
})
