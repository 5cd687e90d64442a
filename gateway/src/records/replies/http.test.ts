import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestBroker } from '../../../test/support/engines/broker.ts'
import { addCleanup } from '../../../test/support/cleanup.ts'
import { createTestDatabase } from '../../../test/support/engines/database.ts'
import { createTestServer, type TestAccount } from '../../../test/support/http/server.ts'
import { waitFor } from '../../../test/support/wait.ts'
import { openReceiver } from '../../../test/load/webhooks/receiver.ts'
import { loopbackGuard, startTestPusher, writeReports } from '../../../test/load/webhooks/reports.ts'
import { createMsgKey } from '../../contract/msg-key.ts'
import { inTransaction } from '../../platform/database/database.ts'
import { addWebhook, replayPushes, requireWebhook } from '../../edge/webhooks/actions.ts'
import { eraseReplies, insertReply, removeOldReplies } from './queries.ts'

const { database } = await createTestDatabase()
const { broker, topology } = await createTestBroker()
const api = await createTestServer({ database, broker, topology })

async function write(accountId: number, ...texts: string[]): Promise<string[]> {
  const keys: string[] = []
  for (const text of texts) {
    const replyKey = createMsgKey('00', new Date())
    await inTransaction(database, (transaction) =>
      insertReply(transaction, {
        replyKey,
        accountId,
        routeId: 'north',
        serviceType: 'SMS',
        carrierKey: null,
        fromIndex: Buffer.from('index'),
        parts: 2,
        missing: 1,
        choice: null,
        sentAt: new Date('2026-11-14T15:04:05.678Z'),
        content: { from: '01012345678', to: '0215880000', kind: 'number', text },
      }),
    )
    keys.push(replyKey)
  }
  return keys
}

interface Data {
  readonly batchId: string
  readonly cursor: string
  readonly reply: readonly Record<string, string>[]
}
async function get(account: TestAccount, url: string): Promise<Data> {
  const { status, body } = await api.call(account, 'GET', url)
  assert.deepEqual([status, body.code], [200, 'A000'], body.result)
  return body.data as Data
}
const textsOf = ({ reply }: Pick<Data, 'reply'>) => reply.map(({ text }) => text)

test('a record has exactly the documented fields', async () => {
  const account = await api.account()
  const [first] = await write(account.id, 'a')
  assert.deepEqual((await get(account, '/v1/replies')).reply, [
    {
      replyId: first,
      serviceType: 'SMS',
      from: '01012345678',
      to: '0215880000',
      text: 'a',
      replyTime: '2026-11-15T00:04:05+09:00',
      partCnt: '2',
      complete: 'N',
      choice: '',
    },
  ])
})

test('a response ends at the byte limit, and the next one continues after it', async () => {
  const account = await api.account()
  await write(account.id, 'first')
  // Nearly as many as one batch can have by count, with the longest text.
  await database.query(
    `insert into replies (account_id, seq, reply_key, route_id, service_type, content, parts, missing, from_index, sent_at)
     select account_id, 1 + n, reply_key || n, route_id, service_type,
            json_build_object('from', '1', 'to', '2', 'kind', 'number', 'text', repeat('x', 10000)), 1, 0, from_index, sent_at
       from replies, generate_series(1, 998) n where account_id = $1`,
    [account.id],
  )
  await database.query('update reply_sequences set last_seq = 999 where account_id = $1', [account.id])
  let read = 0
  for (let batches = 0; read < 999; batches++) {
    const batch = await get(account, '/v1/replies')
    assert.ok(JSON.stringify(batch).length < 5_000_000, 'the batch is too large')
    assert.deepEqual(await get(account, '/v1/replies'), batch)
    read += batch.reply.length
    assert.ok(batches < 4)
    await api.call(account, 'DELETE', `/v1/replies/${batch.batchId}`)
  }
  assert.deepEqual(await get(account, '/v1/replies'), { batchId: '', reply: [] })
  const { reply } = await get(account, '/v1/replies/stream?limit=1000')
  assert.ok(reply.length > 300 && reply.length < 500)
})

test('a webhook for replies gets each reply until it acknowledges it, and no report', async () => {
  const { id: accountId } = await api.account()
  let refusals = 2
  const receiver = await openReceiver(() => (refusals-- > 0 ? { status: 500 } : undefined))
  addCleanup(() => receiver.close())
  const context = { database, guard: loopbackGuard }
  const url = `${receiver.url}/replies`
  const before = await write(accountId, 'before')
  const webhook = await addWebhook(context, accountId, { url, events: 'replies' })
  const pusher = startTestPusher(database)
  addCleanup(() => pusher.stop())
  const keys = await write(accountId, 'a', 'b', 'c')
  await writeReports(database, accountId, 2)
  const arrived = () => new Set(receiver.arrivals.map(({ eventId }) => eventId))
  await waitFor('all pushes', async () => {
    const { behind, retrying } = await requireWebhook(database, accountId, webhook.id)
    return behind === 0 && retrying === 0 && receiver.arrivals.length >= 5
  })
  assert.deepEqual([...arrived()].sort(), keys)
  const [last] = receiver.arrivals.slice(-1)
  assert.equal(last!.body['replyId'], last!.eventId)
  assert.equal(last!.body['from'], '01012345678')
  const count = receiver.arrivals.length
  assert.equal(await replayPushes(context, accountId, webhook.id, { msgKey: before[0] }), 1)
  const replayed = () => new Set(receiver.arrivals.slice(count).map(({ eventId }) => eventId))
  await waitFor('the replay', () => replayed().has(before[0]!))
  const since = new Date(Date.now() - 3_600_000).toISOString()
  assert.equal(await replayPushes(context, accountId, webhook.id, { allSince: since }), 4)
  // A push whose response is late is repeated.
  await waitFor('all again', () => replayed().size === 4)
})

test('replies are removed after their retention, or earlier if the account erases texts earlier', async () => {
  const [kept, erased] = [await api.account(), await api.account()]
  await database.query('update accounts set erase_after_days = 3 where id = $1', [erased.id])
  for (const { id } of [kept, erased]) await write(id, 'old')
  await removeOldReplies(database, new Date(Date.now() + 5 * 86_400_000), 30)
  assert.deepEqual(textsOf(await get(kept, '/v1/replies')), ['old'])
  assert.deepEqual(textsOf(await get(erased, '/v1/replies')), [])
  await write(erased.id, 'new')
  assert.deepEqual(textsOf(await get(erased, '/v1/replies')), ['new'])
})

test('the replies from one number to an account can be erased', async () => {
  const [account, other] = [await api.account(), await api.account()]
  for (const { id } of [account, other]) await write(id, 'a')
  assert.equal(await eraseReplies(database, account.id, Buffer.from('index')), 1)
  assert.deepEqual(
    [textsOf(await get(account, '/v1/replies')), textsOf(await get(other, '/v1/replies'))],
    [[], ['a']],
  )
})
