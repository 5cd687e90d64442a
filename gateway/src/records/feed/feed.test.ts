import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { jumpClockAhead } from '../../../test/support/pipeline/clock-jump.ts'
import { createTestDatabase } from '../../../test/support/engines/database.ts'
import { testReplies, testReports, type TestFeed } from '../../../test/support/pipeline/feeds.ts'
import { silentLog } from '../../../test/support/silent-log.ts'
import { isSettled, waitFor } from '../../../test/support/wait.ts'
import { inTransaction, openDatabase } from '../../platform/database/database.ts'
import { startSmppConsumer, maxConsumers, moveConsumer, moveSmppConsumer, readPosition } from './consumers.ts'
import { readFeed, seekTime, type FeedRow } from './feed.ts'
import { acknowledgeBatch, maxBatchSize, pollFeed } from './poll.ts'
import { parseFeedCursor, encodeFeedCursor } from './stream-query.ts'
import { FeedWaiters } from './waiters.ts'

const { database, url } = await createTestDatabase()
let lastAccount = 100
const empty = { batchId: '', numbers: [] }
const upTo = (last: number, first = 1): number[] =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index)

testFeed(testReports)
testFeed(testReplies)

function testFeed<Row extends FeedRow>({ feed, write: insert, toNumber }: TestFeed<Row>): void {
  const write = (accountId: number, count: number, from = 1): Promise<void> =>
    inTransaction(database, (transaction) => insert(transaction, accountId, count, from))
  const poll = async (accountId: number) => {
    const { batchId, rows } = await pollFeed(database, feed, accountId)
    return { batchId, numbers: rows.map(toNumber) }
  }
  const acknowledge = (accountId: number, batchId: string): Promise<boolean> =>
    acknowledgeBatch(database, feed, accountId, batchId)

  suite(feed.table, () => {
    test('a poll of an account without rows is empty', async () => {
      assert.deepEqual(await poll(++lastAccount), empty)
    })

    test('a poll returns the same batch until it is deleted, even if more rows are written', async () => {
      const account = ++lastAccount
      await write(account, 3)
      const first = await poll(account)
      assert.match(first.batchId, /^\d{17}[0-9A-Z]{11}$/)
      assert.deepEqual(first.numbers, [1, 2, 3])
      await write(account, 2, 4)
      assert.deepEqual(await poll(account), first)
      assert.equal(await acknowledge(account, first.batchId), true)
      const second = await poll(account)
      assert.notEqual(second.batchId, first.batchId)
      assert.deepEqual(second.numbers, [4, 5])
      await acknowledge(account, second.batchId)
      assert.deepEqual(await poll(account), empty)
    })

    test('a batch has at most 1000 rows, in the order in which they were written', async () => {
      const account = ++lastAccount
      for (let from = 1; from <= 801; from += 400) await write(account, 400, from)
      const first = await poll(account)
      assert.deepEqual(first.numbers, upTo(maxBatchSize))
      assert.deepEqual(await poll(account), first)
      await acknowledge(account, first.batchId)
      assert.deepEqual((await poll(account)).numbers, upTo(1_200, 1_001))
    })

    test('concurrent polls of one account return the same batch', async () => {
      const account = ++lastAccount
      await write(account, 5)
      const batches = await Promise.all([1, 2, 3, 4].map(() => poll(account)))
      for (const batch of batches) assert.deepEqual(batch, batches[0])
    })

    test('a batch is deleted once, by its account, under its id', async () => {
      const [account, other] = [++lastAccount, ++lastAccount]
      await write(account, 2)
      const { batchId } = await poll(account)
      assert.equal(await acknowledge(other, batchId), false)
      assert.equal(await acknowledge(account, 'another'), false)
      assert.equal(await acknowledge(account, ''), false)
      const deleted = await Promise.all([1, 2, 3].map(() => acknowledge(account, batchId)))
      assert.equal(deleted.filter(Boolean).length, 1)
    })

    test('accounts never see rows of each other', async () => {
      const [account, other] = [++lastAccount, ++lastAccount]
      for (const from of [1, 2]) {
        await write(account, 1, from)
        await write(other, 1, from + 9)
      }
      assert.deepEqual((await poll(account)).numbers, [1, 2])
      assert.deepEqual((await poll(other)).numbers, [10, 11])
    })

    test('a poll skips no row whose writer commits later than the writer after it', async () => {
      const account = ++lastAccount
      const slow = await database.connect()
      await slow.query('begin')
      await insert(slow, account, 2, 1)
      const fast = write(account, 2, 3)
      await waitFor('the second writer to wait for the first', async () => {
        const waiting = await database.query(
          `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        )
        return waiting.rowCount === 1
      })
      assert.equal(await isSettled(fast), false)
      assert.deepEqual(await poll(account), empty)
      await slow.query('commit')
      slow.release()
      await fast
      assert.deepEqual((await poll(account)).numbers, [1, 2, 3, 4])
    })

    test('a writer that fails leaves no gap in the order', async () => {
      const account = ++lastAccount
      await assert.rejects(
        inTransaction(database, async (transaction) => {
          await insert(transaction, account, 2, 90)
          throw new Error('killed')
        }),
      )
      await write(account, 2)
      assert.deepEqual((await poll(account)).numbers, [1, 2])
    })

    test('every row is returned exactly once while many write and one polls', async () => {
      const account = ++lastAccount
      const written = new AbortController()
      const seen: number[] = []
      const writers = Promise.all(
        [0, 1, 2, 3].map(async (writer) => {
          for (let n = 0; n < 25; n++) await write(account, 3, writer * 1_000 + n * 3)
        }),
      ).then(() => written.abort())
      for (;;) {
        const isLast = written.signal.aborted
        const { batchId, numbers } = await poll(account)
        seen.push(...numbers)
        if (batchId !== '') await acknowledge(account, batchId)
        else if (isLast) break
      }
      await writers
      assert.equal(seen.length, 300)
      assert.equal(new Set(seen).size, 300)
    })

    test('the deletion of a batch writes one row, whatever its size', async () => {
      const account = ++lastAccount
      await write(account, 1_000)
      const { batchId, numbers } = await poll(account)
      assert.equal(numbers.length, 1_000)
      // Use a new session, because a used one reports the counts of its earlier transactions late.
      const session = openDatabase(url, silentLog, { connections: 1 })
      await inTransaction(session, async (transaction) => {
        await acknowledgeBatch(transaction, feed, account, batchId)
        const { rows } = await transaction.query<{ relname: string; written: number }>(
          `select relname, n_tup_ins + n_tup_upd + n_tup_del as written from pg_stat_xact_user_tables
            where n_tup_ins + n_tup_upd + n_tup_del > 0`,
        )
        assert.deepEqual(rows, [{ relname: `${feed.name}_polls`, written: 1 }])
      })
      await session.end()
    })

    test("rows stay in the polling queue when PostgreSQL's clock jumps ahead", async (t) => {
      const account = ++lastAccount
      await write(account, 2)
      jumpClockAhead(t)
      assert.deepEqual((await poll(account)).numbers, [1, 2])
    })

    test('a gap in the numbers hides no row', async () => {
      const account = ++lastAccount
      await write(account, 3)
      await database.query(
        `update ${feed.name}_sequences set last_seq = last_seq + 1000000 where account_id = $1`,
        [account],
      )
      const before = new Date(Date.now() - 60_000)
      await write(account, 2, 4)
      const read = async (afterSeq: number, limit = 10) =>
        (await readFeed(database, feed, { accountId: account, afterSeq, limit })).map(toNumber)
      assert.deepEqual(await read(5), [4, 5])
      assert.deepEqual(await read(0, 4), [1, 2, 3, 4])
      assert.deepEqual(await read(await seekTime(database, feed, account, before)), [1, 2, 3, 4, 5])
      assert.deepEqual((await poll(account)).numbers, [1, 2, 3, 4, 5])
    })

    test('a time is found between two numbers, never below the lower bound', async () => {
      const account = ++lastAccount
      await write(account, 30)
      await database.query(
        `update ${feed.table} set created_at = '2026-11-01T00:00:00Z'::timestamptz + seq * interval '1 minute'
          where account_id = $1`,
        [account],
      )
      const seek = (minutes: number, afterSeq?: number) =>
        seekTime(database, feed, account, new Date(Date.UTC(2026, 10, 1, 0, minutes)), afterSeq)
      assert.deepEqual(
        [await seek(0), await seek(20), await seek(20.5), await seek(30), await seek(31)],
        [0, 19, 19, 29, 30],
      )
      assert.deepEqual([await seek(20, 25), await seek(31, 40)], [25, 40])
      assert.equal(await seekTime(database, feed, ++lastAccount, new Date()), 0)
    })

    test('the position of a consumer only moves forward', async () => {
      const account = ++lastAccount
      assert.equal(await readPosition(database, feed, account, 'crm'), null)
      for (const [seq, expected] of [
        [5, 5],
        [3, 5],
        [9, 9],
      ] as const) {
        assert.equal(await moveConsumer(database, feed, account, 'crm', seq), true)
        assert.equal(await readPosition(database, feed, account, 'crm'), expected)
      }
    })

    test('the consumer of the SMPP server starts at the last row and is not counted', async () => {
      const account = ++lastAccount
      await write(account, 7)
      await startSmppConsumer(database, feed, account)
      await write(account, 2)
      await startSmppConsumer(database, feed, account)
      assert.equal(await readPosition(database, feed, account, '~smpp'), 7)
      for (const [seq, expected] of [
        [6, 7],
        [8, 8],
      ] as const) {
        await moveSmppConsumer(database, feed, account, seq)
        assert.equal(await readPosition(database, feed, account, '~smpp'), expected)
      }
      for (let n = 1; n <= maxConsumers; n++)
        assert.equal(await moveConsumer(database, feed, account, `c${n}`, 1), true, `consumer ${n}`)
      assert.equal(await moveConsumer(database, feed, account, 'one-more', 1), false)
      assert.equal(await moveConsumer(database, feed, account, 'c1', 2), true)
    })

    test('a cursor is read for the account and feed that it was made for', () => {
      for (const seq of [0, 1, 35, 36, 1_000_000_007])
        assert.equal(parseFeedCursor(feed, 7, encodeFeedCursor(feed, 7, seq)), seq)
      for (const cursor of [
        ...['', 'x', encodeFeedCursor(feed, 8, 1), `${encodeFeedCursor(feed, 7, 1)}A`],
        encodeFeedCursor({ cursorMark: '9' }, 7, 1),
      ])
        assert.equal(parseFeedCursor(feed, 7, cursor), null, cursor)
    })

    test('requests that wait end with their client, and all when the server stops', async () => {
      const waiters = new FeedWaiters(database, silentLog, feed)
      const waiting = waiters.wait(1, 0, 30_000, new AbortController().signal)
      const disconnect = new AbortController()
      const disconnected = waiters.wait(1, 0, 30_000, disconnect.signal)
      disconnect.abort()
      await disconnected
      await waitFor('one request to remain', () => waiters.waiting === 1)
      await waiters.stop()
      await waiting
    })
  })
}
