import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { jumpClockAhead } from '../../../../test/support/pipeline/clock-jump.ts'
import { createTestDatabase } from '../../../../test/support/engines/database.ts'
import { acceptedJob, recordJobs } from '../../../../test/support/fixtures.ts'
import { createMsgKey } from '../../../contract/msg-key.ts'
import { silentLog } from '../../../../test/support/silent-log.ts'
import { inTransaction } from '../../../platform/database/database.ts'
import { endSeries } from './end-series.ts'
import { incompleteError, refusedError } from './parts.ts'
import { closeSeries, endIncomplete, refuseSeries, storeSmppPart } from './series.ts'
import type { NewSmppPart } from './series.ts'
import { insertReceipts, deleteExpiredReceipts } from '../delivery/stored-receipts.ts'
import { formatSubmitRef } from '../delivery/submit-ref.ts'
import { joinText } from './submit-request.ts'

const { database } = await createTestDatabase()
let series = 0

function part(number: number, parts: number, text: string, id = series): NewSmppPart {
  const address = { ton: 1, npi: 1, form: 'd', number: '01012345678' } as const
  return {
    series: Buffer.from(`series ${id}`),
    accountId: 7,
    msgKey: createMsgKey('00', new Date()),
    digest: Buffer.from(`${number} ${text}`),
    part: number,
    parts,
    request: {
      sender: address,
      recipient: address,
      registered: 1,
      reference: null,
      ttlSeconds: null,
      until: null,
      sendAt: null,
      body: { alphabet: 'gsm7', octets: Buffer.from(text).toString('base64'), headerBytes: 6 },
      segment: { bits: 8, reference: 1, part: number, parts },
    },
  }
}

const store = (added: NewSmppPart) =>
  inTransaction(database, (transaction) => storeSmppPart(transaction, added, () => Promise.resolve()))

/** Deletes the stored receipts and returns them. */
const takeReceipts = async () =>
  (
    await database.query<{ id: string; error: string; state: number }>(
      'delete from smpp_receipts returning message_id as id, error, state',
    )
  ).rows.sort((left, right) => (left.id < right.id ? -1 : 1))

test('a text is complete once with its last part, in any order of parts', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.shuffledSubarray([1, 2, 3, 4, 5], { minLength: 5 }),
      fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 4 }),
      async (order, again) => {
        series++
        const keys = new Set<string>()
        const sent = order.flatMap((number, index) => (again.includes(index) ? [number, number] : [number]))
        const completed: string[] = []
        for (const number of sent) {
          const { msgKey, complete } = await store(part(number, 5, `text ${number} `))
          keys.add(msgKey)
          if (complete !== null) completed.push(joinText(complete.map(({ body }) => body)))
        }
        assert.equal(keys.size, 1)
        assert.deepEqual(completed, ['text 1 text 2 text 3 text 4 text 5 '])
      },
    ),
    { numRuns: 25 },
  )
})

test('a repeated part gets the same key after acceptance; another text starts anew', async () => {
  series++
  await store(part(1, 2, 'a'))
  const { msgKey, complete } = await store(part(2, 2, 'b'))
  assert.notEqual(complete, null)
  await closeSeries(database, msgKey)
  assert.deepEqual(await store(part(2, 2, 'b')), { msgKey, complete: null })
  assert.notEqual((await store(part(1, 2, 'c'))).msgKey, msgKey)
})

test('each acknowledged part of an incomplete or refused message gets a receipt', async () => {
  await database.query('delete from smpp_series')
  await takeReceipts()
  series++
  const { msgKey } = await store(part(1, 3, 'a'))
  await store(part(3, 3, 'c'))
  await inTransaction(database, (transaction) => endIncomplete(transaction, 60))
  assert.deepEqual(await takeReceipts(), [])
  await database.query(`update smpp_series set last_at = now() - interval '61 seconds'`)
  await inTransaction(database, (transaction) => endIncomplete(transaction, 60))
  assert.deepEqual(await takeReceipts(), [
    { id: msgKey, error: incompleteError, state: 5 },
    { id: `${msgKey}-3`, error: incompleteError, state: 5 },
  ])
  series++
  const first = await store(part(1, 2, 'a'))
  await store(part(2, 2, 'b'))
  await inTransaction(database, (transaction) => refuseSeries(transaction, first.msgKey, 2))
  assert.deepEqual(await takeReceipts(), [{ id: first.msgKey, error: refusedError, state: 8 }])
})

test("parts and receipts of clients stay when PostgreSQL's clock jumps ahead", async (t) => {
  await database.query('delete from smpp_series')
  series++
  await store(part(1, 2, 'a'))
  await database.query(`update smpp_series set last_at = now() - interval '10 minutes'`)
  const form = { ton: 0, npi: 0, form: 'd' } as const
  const ref = formatSubmitRef({ registered: [1], recipient: form, sender: form, reference: null })
  const [sentAt, doneAt] = [new Date(), new Date()]
  const receipt = { accountId: 7, messageId: 'kept', ref, state: 5, error: '998', sentAt, doneAt }
  await insertReceipts(database, [receipt])
  await database.query(`update smpp_receipts set created_at = now() - interval '4 days'`)
  jumpClockAhead(t)
  const send = { simple: () => Promise.reject(new Error('not expected')) }
  await endSeries({ database, send, getAccount: () => undefined, log: silentLog })
  assert.equal(await deleteExpiredReceipts(database), 0)
  assert.deepEqual(await takeReceipts(), [{ id: 'kept', error: '998', state: 5 }])
  assert.notEqual((await store(part(2, 2, 'b'))).complete, null)
})

test('a message accepted before a crash creates no receipts for its parts', async () => {
  await database.query('delete from smpp_series')
  series++
  const { msgKey } = await store(part(1, 2, 'a'))
  await store(part(2, 2, 'b'))
  await database.query(`update smpp_series set last_at = now() - interval '10 minutes'`)
  const send = { simple: () => Promise.reject(new Error('not expected')) }
  const end = () => endSeries({ database, send, getAccount: () => undefined, log: silentLog })
  await end()
  await database.query(`update smpp_series set last_at = now() - interval '10 minutes'`)
  await recordJobs(database, [acceptedJob({ msgKey, accountId: 7 })])
  await end()
  assert.deepEqual(await takeReceipts(), [])
  const { rows } = await database.query<{ state: string }>('select state from smpp_series')
  assert.deepEqual(rows, [{ state: 'closed' }])
})
