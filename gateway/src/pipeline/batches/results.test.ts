import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { afterEach, test } from 'node:test'
import { createTestBroker } from '../../../test/support/engines/broker.ts'
import { createTestDatabase } from '../../../test/support/engines/database.ts'
import { acceptedJob, inAnHour, isInFlight, reportCodes } from '../../../test/support/fixtures.ts'
import { createTestServer, type TestAccount } from '../../../test/support/http/server.ts'
import { checkBatches, createTestJudge } from '../../../test/support/pipeline/check-batches.ts'
import { silentLog, testMetrics } from '../../../test/support/silent-log.ts'
import { inTransaction } from '../../platform/database/database.ts'
import { Encryption } from '../../platform/encryption/encryption.ts'
import { localMasterKey } from '../../platform/encryption/master-key.ts'
import { messageCipher } from '../../platform/encryption/message-cipher.ts'
import { cancelAbandonedBatches } from '../../records/batches/cancel-abandoned.ts'
import { eraseBatchRecipient, eraseEndedBatches } from '../../records/batches/erase.ts'
import { foldOutcomes } from '../../records/batches/outcomes.ts'
import { removeOldBatches } from '../../records/batches/remove.ts'
import { closeMessages } from '../../records/messages/close.ts'
import { recordMessages } from '../../records/messages/record.ts'
import { ensureScheduledDay } from '../../records/partitions.ts'
import type { HeldStep } from '../../records/waiting/waiting-step.ts'
import { createMsgKey } from '../../contract/msg-key.ts'
import { processNextBatch } from './batches.ts'
import { cancelByRef } from './cancel-by-ref.ts'

const { database } = await createTestDatabase()
const { broker, topology } = await createTestBroker()
const api = await createTestServer({ database, broker, topology })
const account = await api.account({ eraseAfterDays: 7 })
afterEach(() => messageCipher.close())

interface Batch {
  readonly batchId: string
  readonly state: string
  readonly counts: Readonly<Record<string, number>>
  readonly outcomes: object
}

const call = async (method: 'GET' | 'POST', path: string, body?: object, who: TestAccount = account) => {
  const headers = { 'idempotency-key': randomBytes(8).toString('hex') }
  const response = await api.call(who, method, path, body, headers)
  assert.equal(response.status, 200, response.body.result)
  return response.body.data
}
const messageFlow = [{ sms: { from: '0234567890', text: 'hello' } }]
const create = async (body: object): Promise<string> =>
  ((await call('POST', '/v1/batch', { messageFlow, ...body })) as Batch).batchId
const show = async (batchId: string): Promise<Batch> => (await call('GET', `/v1/batch/${batchId}`)) as Batch
const resultsOf = async (batchId: string): Promise<string[]> => {
  const response = await api.server.inject({
    method: 'GET',
    url: `/v1/batch/${batchId}/results`,
    headers: { authorization: `Bearer ${account.token}` },
  })
  return response.body.trimEnd().split('\r\n').slice(1)
}

/** Does the work on batches that is due now, like a worker. */
async function work(): Promise<void> {
  await checkBatches(database, api.trust)
  await database.query(`update batches set next_at = now() where state = 'running'`)
  const context = {
    database,
    judge: createTestJudge(database, api.trust),
    rulesAgeMs: () => -Infinity,
    counting: api.trust,
    router: { choose: () => null },
    getBlock: () => undefined,
    listStoppedBatches: () => new Map(),
    cell: '00',
    timeZone: 'Asia/Seoul',
    stepTtlSeconds: 3_600,
    metrics: testMetrics(),
    log: silentLog,
  }
  while (await processNextBatch(context, 'running'));
}

async function deliver(batchId: string, count: number): Promise<string[]> {
  const { rows } = await database.query<{ msgKey: string }>(
    `select f.msg_key as "msgKey" from in_flight f join batches b on b.id = f.batch_id
      where b.batch_key = $1 order by f.msg_key limit $2`,
    [batchId, count],
  )
  const at = new Date()
  const steps = rows.map(
    ({ msgKey }) => ({ msgKey, step: 1, try: 1, cause: 'delivered', parts: 1, sentAt: at, at }) as const,
  )
  await inTransaction(database, (transaction) => closeMessages(transaction, steps))
  return rows.map(({ msgKey }) => msgKey)
}

const recipients = [
  { to: '01011112222', ref: 'a,"b"' },
  { to: '123' },
  { to: '01033334444' },
  { to: '01011112222', ref: 'again' },
]

test('the results have one row per line, with the report of its message', async () => {
  const batchId = await create({ ref: 'sale', recipients, start: true })
  await work()
  const [first] = await deliver(batchId, 1)
  const rows = await resultsOf(batchId)
  assert.equal(rows.length, 4)
  const closed = rows.find((row) => row.includes(first!))!
  assert.match(closed, /^1,[13],.*,\w{32},A000,10000,[\dT:+-]{25},[\dT:+-]{25},1$/)
  assert.match(rows[0]!, /^1,1,"a,""b""",\w{32},A000,/)
  assert.equal(rows[1], '1,2,sale,,A306,,,,')
  assert.match(rows[2]!, /^1,3,sale,\w{32},A000,/)
  assert.equal(rows[3], '1,4,again,,duplicate,,,,')
  await database.query(
    `insert into batch_outcomes (batch_id, report_code, messages)
     select id, '20001', 0 from batches, generate_series(1, 1000) where batch_key = $1`,
    [batchId],
  )
  await foldOutcomes(database)
  assert.equal((await database.query('select from batch_outcomes')).rowCount, 2)
  await database.query(`delete from batch_outcomes where report_code = '20001'`)
  const { state, counts, outcomes } = await show(batchId)
  assert.equal(state, 'running')
  assert.deepEqual(counts, {
    lines: 4,
    waiting: 0,
    duplicate: 1,
    refused: 1,
    cancelled: 0,
    messages: 2,
    open: 1,
  })
  assert.deepEqual(outcomes, { 10000: 1 })
  await deliver(batchId, 2)
  await work()
  assert.deepEqual([(await show(batchId)).state, (await show(batchId)).counts.open], ['ended', 0])
})

test('a reference that a spreadsheet would run as a formula is written as text', async () => {
  const ref = '=HYPERLINK("https://evil.example","x")'
  const batchId = await create({ recipients: [{ to: '123', ref }], start: true })
  await work()
  assert.deepEqual(await resultsOf(batchId), [`1,1,"'${ref.replaceAll('"', '""')}",,A306,,,,`])
})

test('lines that endBy has cancelled are shown as cancelled before the batch ends', async () => {
  const batchId = await create({ recipients: [{ to: '01011112222' }], start: true })
  await database.query(`update batches set state = 'running', cancelled = 1 where batch_key = $1`, [batchId])
  assert.deepEqual(await resultsOf(batchId), ['1,1,,,cancelled,,,,'])
  await work()
  assert.equal((await show(batchId)).state, 'ended')
})

test('a batch that ends during a cancellation by ref is not counted', async () => {
  const batchId = await create({ ref: 'trip-2' })
  const query = async (text: string, values: unknown[]) => {
    await database.query(`update batches set state = 'ended' where batch_key = $1`, [batchId])
    return database.query(text, values)
  }
  const context = { database, searches: { query } } as unknown as Parameters<typeof cancelByRef>[0]
  assert.deepEqual(await cancelByRef(context, account.id, { ref: 'trip-2' }), { batches: 0, messages: 0 })
})

test('a recipient is erased in lines that are decided, and the results stay', async () => {
  const lines = recipients.map((line) => ({ ...line, to: line.to.replace('1111', '5555') }))
  const batchId = await create({ recipients: lines, start: true })
  const index = await new Encryption({ current: undefined, readable: [] }).blindIndex(database)
  const erase = () => eraseBatchRecipient(database, index, account.id, '010-5555-2222')
  const content = async (): Promise<string> => {
    const { rows } = await database.query<{ content: Buffer }>(
      'select p.content from batch_pages p join batches b on b.id = p.batch_id where b.batch_key = $1',
      [batchId],
    )
    return JSON.stringify(rows)
  }
  const before = await content()
  assert.deepEqual(await erase(), { erased: 0, waiting: 2 }, 'lines that wait keep their recipient')
  await work()
  assert.deepEqual(await erase(), { erased: 2, waiting: 0 })
  assert.notEqual(await content(), before)
  assert.deepEqual(await erase(), { erased: 0, waiting: 0 })
  assert.deepEqual(
    (await resultsOf(batchId)).map((row) => row.split(',').at(-5)),
    ['A000', 'A306', 'A000', 'duplicate'],
  )
  await deliver(batchId, 2)
  await work()
})

test('batches are erased after the time that their account sets, and deleted when they are old', async () => {
  const batchId = await create({ recipients, start: true })
  const open = await create({})
  const busy = await create({ recipients, startAt: new Date(Date.now() + 60_000).toISOString(), start: true })
  await work()
  await deliver(batchId, 2)
  await work()
  const later = (days: number): Date => new Date(Date.now() + days * 86_400_000 + 1_000)
  const erased = async (): Promise<boolean> =>
    (
      await database.query(
        `select from batch_pages p join batches b on b.id = p.batch_id
          where b.batch_key = $1 and p.content is null and p.hashes = '{}' and b.content = '{}'`,
        [batchId],
      )
    ).rowCount === 1
  await eraseEndedBatches(database, later(6))
  assert.equal(await erased(), false)
  await eraseEndedBatches(database, later(7))
  assert.equal(await erased(), true)
  assert.equal((await resultsOf(batchId)).length, 4)

  const kept = async (): Promise<string[]> => {
    const { rows } = await database.query<{ key: string }>(
      'select batch_key as key from batches where batch_key = any ($1)',
      [[batchId, open, busy]],
    )
    return rows.map(({ key }) => key)
  }
  await removeOldBatches(database, new Date(Date.now() - 60_000))
  assert.equal((await kept()).length, 3)
  await database.query(`update batches set changed_at = changed_at - interval '25 hours'`)
  await removeOldBatches(database, later(0))
  assert.deepEqual(await kept(), [busy])
  assert.equal(
    (await database.query('select from batch_outcomes o where batch_id not in (select id from batches)'))
      .rowCount,
    0,
  )
})

test('a batch that cannot continue is cancelled at its end or after a week', async () => {
  const endBy = new Date(Date.now() + 600_000).toISOString()
  const later = new Date(Date.now() + 30 * 86_400_000).toISOString()
  const batchIds = [
    await create({ recipients, startAt: endBy, endBy: later, start: true }),
    await create({ recipients, endBy, startAt: new Date(Date.now() + 300_000).toISOString(), start: true }),
  ]
  await work()
  const states = async () => Promise.all(batchIds.map(async (id) => (await show(id)).state))
  const cancelAt = async (ms: number) => {
    await cancelAbandonedBatches(database, new Date(Date.now() + ms))
    return states()
  }
  assert.deepEqual(await cancelAt(8 * 86_400_000), ['running', 'running'])
  for (const id of batchIds) await call('POST', `/v1/batch/${id}/pause`)
  assert.deepEqual(await cancelAt(0), ['paused', 'paused'])
  assert.deepEqual(await cancelAt(600_000), ['paused', 'cancelled'])
  assert.deepEqual(await cancelAt(8 * 86_400_000), ['cancelled', 'cancelled'])
})

test('a ref cancels batches and scheduled messages that have exactly this ref', async () => {
  const sendAt = Date.now() + 3 * 86_400_000
  await ensureScheduledDay(database, new Date(sendAt), new Date())
  async function schedule(ref: string): Promise<string> {
    const job = acceptedJob({
      accountId: account.id,
      ref,
      sendAt,
      msgKey: createMsgKey('00', new Date(sendAt)),
    })
    const held: HeldStep = {
      msgKey: job.msgKey,
      step: 1,
      try: 1,
      accountId: account.id,
      routeId: '',
      lane: 'normal',
      parts: 1,
      tries: 0,
      releaseAt: new Date(sendAt),
      reason: 'scheduled',
    }
    await recordMessages(database, [job], inAnHour, new Map([[job.msgKey, held]]))
    return job.msgKey
  }
  const keys = [await schedule('trip-1'), await schedule('trip-1')]
  const other = await schedule('trip-11')
  const startAt = new Date(sendAt).toISOString()
  const batchId = await create({ ref: 'trip-1', recipients, startAt, start: true })
  const otherBatch = await create({ ref: 'trip-11', recipients, startAt, start: true })
  const cancel = (body: object) => call('POST', '/v1/cancel', body)
  assert.deepEqual(await cancel({ ref: 'trip-1', dryRun: true }), { batches: 1, messages: 2 })
  assert.equal((await show(batchId)).state, 'checking')
  assert.deepEqual(await cancel({ ref: 'trip-1' }), { batches: 1, messages: 2 })
  assert.deepEqual(await cancel({ ref: 'trip-1' }), { batches: 0, messages: 0 })
  assert.deepEqual([(await show(batchId)).state, (await show(otherBatch)).state], ['cancelled', 'checking'])
  for (const msgKey of keys) assert.deepEqual(await reportCodes(database, msgKey), ['90010'])
  assert.equal(await isInFlight(database, other), true)
  assert.deepEqual(await call('POST', '/v1/cancel', { ref: 'trip-11', dryRun: true }, await api.account()), {
    batches: 0,
    messages: 0,
  })
})

test('encrypted batches keep neither recipients nor texts in plaintext', async () => {
  const key = localMasterKey(randomBytes(32))
  const encryption = new Encryption({ current: key, readable: [key] })
  // The API of the other tests has no encryption, and stores its keys in plaintext.
  await database.query('delete from data_keys')
  await messageCipher.open(database, encryption, { sealing: true })
  const batchId = await create({ recipients: [{ to: '01077778888', ref: 'kept' }], start: true })
  const stored = await database.query(
    `select b.content, b.sealed is not null as sealed, p.is_sealed as page from batches b join batch_pages p on p.batch_id = b.id
      where b.batch_key = $1`,
    [batchId],
  )
  assert.deepEqual(stored.rows, [{ content: null, sealed: true, page: true }])
  await work()
  assert.match((await resultsOf(batchId))[0]!, /^1,1,kept,\w{32},A000,/)
  await deliver(batchId, 1)
  await work()
})
