import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { createTestBroker } from '../../../test/support/engines/broker.ts'
import { createTestDatabase } from '../../../test/support/engines/database.ts'
import { testReplies, testReports, type TestFeed } from '../../../test/support/pipeline/feeds.ts'
import { createTestServer, type TestAccount } from '../../../test/support/http/server.ts'
import { isSettled } from '../../../test/support/wait.ts'
import { inTransaction } from '../../platform/database/database.ts'
import { maxConsumers } from './consumers.ts'
import type { FeedRow } from './feed.ts'
import { encodeFeedCursor } from './stream-query.ts'

const { database } = await createTestDatabase()
const { broker, topology } = await createTestBroker()
const api = await createTestServer({ database, broker, topology })

interface Paths {
  readonly poll: string
  readonly stream: string
  readonly otherStream: string
  /** Names of the batch id, of the array of records, and of the field with the number. */
  readonly batch: string
  readonly rows: string
  readonly number: string
}

const reports = { poll: '/v1/report/polling', stream: '/v1/report/stream' }
const replies = { poll: '/v1/replies', stream: '/v1/replies/stream' }
testEndpoints(testReports, {
  ...reports,
  otherStream: replies.stream,
  batch: 'reportId',
  rows: 'report',
  number: 'ref',
})
testEndpoints(testReplies, {
  ...replies,
  otherStream: reports.stream,
  batch: 'batchId',
  rows: 'reply',
  number: 'text',
})

function testEndpoints<Row extends FeedRow>({ feed, write: insert }: TestFeed<Row>, paths: Paths): void {
  const write = (account: TestAccount, count: number, from = 1): Promise<void> =>
    inTransaction(database, (transaction) => insert(transaction, account.id, count, from))
  const get = async (account: TestAccount, path: string) => {
    const { status, body } = await api.call(account, 'GET', path)
    assert.deepEqual([status, body.code], [200, 'A000'], body.result)
    const data = body.data as Readonly<Record<string, unknown>>
    const records = data[paths.rows] as Readonly<Record<string, string>>[]
    return { data, numbers: records.map((record) => Number(record[paths.number])) }
  }
  const poll = async (account: TestAccount) => {
    const { data, numbers } = await get(account, paths.poll)
    return { batchId: data[paths.batch] as string, numbers }
  }
  const read = async (account: TestAccount, query = '') => {
    const { data, numbers } = await get(account, paths.stream + query)
    return { cursor: data.cursor as string, numbers }
  }
  const move = (account: TestAccount, consumer: string, cursor: string) =>
    api.call(account, 'POST', `${paths.stream}/${consumer}`, { cursor })
  const codeOf = async (account: TestAccount, method: 'GET' | 'DELETE', path: string) =>
    (await api.call(account, method, path)).body.code

  suite(feed.table, () => {
    test('a cursor continues the stream, and the same cursor returns the same rows again', async () => {
      const account = await api.account()
      await write(account, 5)
      const first = await read(account, '?limit=2')
      assert.deepEqual(first.numbers, [1, 2])
      const second = await read(account, `?limit=2&cursor=${first.cursor}`)
      assert.deepEqual(second.numbers, [3, 4])
      assert.deepEqual(await read(account, `?limit=2&cursor=${first.cursor}`), second)
      const last = await read(account, `?cursor=${second.cursor}`)
      assert.deepEqual(last.numbers, [5])
      assert.deepEqual(await read(account, `?cursor=${last.cursor}`), { cursor: last.cursor, numbers: [] })
    })

    test('each consumer has its own position, and so has polling', async () => {
      const account = await api.account()
      await write(account, 4)
      const first = await read(account, '?consumer=billing&limit=2')
      assert.deepEqual(await read(account, '?consumer=billing&limit=2'), first)
      assert.equal((await move(account, 'billing', first.cursor)).status, 200)
      const second = await read(account, '?consumer=billing')
      assert.deepEqual(second.numbers, [3, 4])
      await move(account, 'billing', second.cursor)
      await move(account, 'billing', first.cursor)
      assert.deepEqual((await read(account, '?consumer=billing')).numbers, [])
      assert.deepEqual((await read(account, '?consumer=crm')).numbers, [1, 2, 3, 4])
      assert.deepEqual((await read(account)).numbers, [1, 2, 3, 4])
      assert.deepEqual((await poll(account)).numbers, [1, 2, 3, 4])
    })

    test('the stream begins at a time', async () => {
      const account = await api.account()
      await write(account, 30)
      await database.query(
        `update ${feed.table} set created_at = '2026-11-01T00:00:00Z'::timestamptz + seq * interval '1 minute'
          where account_id = $1`,
        [account.id],
      )
      const found = await read(account, '?from=2026-11-01T00:20:00Z&limit=3')
      assert.deepEqual(found.numbers, [20, 21, 22])
      assert.deepEqual((await read(account, `?limit=1&cursor=${found.cursor}`)).numbers, [23])
      assert.deepEqual((await read(account, '?from=2026-11-01T09:29:00%2B09:00')).numbers, [29, 30])
      assert.deepEqual((await read(account, '?from=2026-11-02T00:00:00Z')).numbers, [])
    })

    test('the stream waits for the next row, or for the requested time', async () => {
      const account = await api.account()
      const waiting = read(account, '?wait=30')
      assert.equal(await isSettled(waiting), false)
      await write(account, 1)
      assert.deepEqual((await waiting).numbers, [1])
      const { cursor } = await waiting
      const started = performance.now()
      assert.deepEqual((await read(account, `?wait=1&cursor=${cursor}`)).numbers, [])
      assert.ok(performance.now() - started >= 900)
    })

    test('a request that is malformed, of another account or feed, or without permission is refused', async () => {
      const [account, other] = [await api.account(), await api.account()]
      await write(account, 1)
      const { cursor } = await read(account)
      for (const query of ['?limit=0', '?limit=1001', '?limit=x', '?wait=31', '?from=yesterday']) {
        const { body } = await api.call(account, 'GET', `${paths.stream}${query}`)
        assert.equal(body.code, 'A300', query)
        assert.ok(body.result.endsWith(`, got '${query.split('=')[1]}'`), body.result)
      }
      for (const [who, path, code] of [
        [account, `${paths.stream}?cursor=a&cursor=b`, 'A300'],
        [account, `${paths.stream}?cursor=nonsense`, 'A806'],
        [account, `${paths.stream}?consumer=no%20spaces`, 'A807'],
        [other, `${paths.stream}?cursor=${cursor}`, 'A806'],
        [account, `${paths.otherStream}?cursor=${cursor}`, 'A806'],
      ] as const)
        assert.equal(await codeOf(who, 'GET', path), code, path)
      assert.equal((await move(account, 'a', encodeFeedCursor(feed, account.id, 99))).body.code, 'A806')
      assert.equal((await api.call(account, 'POST', `${paths.stream}/a`, {})).body.code, 'A806')
      const barred = await api.account({ mayPoll: false })
      for (const path of [paths.poll, paths.stream]) assert.equal(await codeOf(barred, 'GET', path), 'A802')
      assert.equal(await codeOf(barred, 'DELETE', `${paths.poll}/anything`), 'A802')
      assert.equal((await move(barred, 'a', cursor)).body.code, 'A802')
    })

    test('an account has a limited number of consumers', async () => {
      const account = await api.account()
      await write(account, 1)
      const { cursor } = await read(account)
      for (let n = 1; n <= maxConsumers; n++) assert.equal((await move(account, `c${n}`, cursor)).status, 200)
      assert.equal((await move(account, 'one-more', cursor)).body.code, 'A807')
      assert.equal((await move(account, 'c1', cursor)).status, 200)
    })
  })
}
