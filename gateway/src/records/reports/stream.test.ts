/** The report stream: any position, any number of readers, each at its own pace, nothing lost between two requests. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestBroker } from '../../../test/support/broker.ts'
import { createTestDatabase } from '../../../test/support/database.ts'
import { createTestServer, type TestAccount } from '../../../test/support/server.ts'
import { isSettled, waitFor } from '../../../test/support/wait.ts'
import { inTransaction } from '../../platform/database.ts'
import { createMsgKey } from '../../contract/msg-key.ts'
import { maxConsumers } from '../consumers.ts'
import { readCursor, writeCursor } from './cursor.ts'
import { pollReports } from './poll.ts'
import { insertReports } from './queries.ts'

const { database } = await createTestDatabase()
const { broker, topology } = await createTestBroker()
const api = await createTestServer({ database, broker, topology })

async function write(account: TestAccount, first: number, count: number): Promise<void> {
  const at = new Date()
  const reports = Array.from({ length: count }, (_, n) => ({
    ...{ msgKey: createMsgKey('00', at), step: 1, accountId: account.id, serviceType: 'SMS', msgType: 'SM' },
    ...{ sentAt: at, reportedAt: at, reportCode: '10000', reportText: 'Delivered', carrier: '10000' },
    ...{ parts: 1, ref: String(first + n) },
  }))
  await inTransaction(database, (transaction) => insertReports(transaction, reports))
}

interface Read {
  readonly cursor: string
  readonly refs: readonly number[]
}

async function read(account: TestAccount, query = ''): Promise<Read> {
  const { status, body } = await api.call(account, 'GET', `/v1/report/stream${query}`)
  assert.equal(status, 200, JSON.stringify(body))
  const { cursor, report } = body.data as { cursor: string; report: { ref: string }[] }
  return { cursor, refs: report.map(({ ref }) => Number(ref)) }
}
const move = (account: TestAccount, consumer: string, cursor: string) =>
  api.call(account, 'POST', `/v1/report/stream/${consumer}`, { cursor })

test('a cursor continues the stream, and the same cursor returns the same reports again', async () => {
  const account = await api.account()
  await write(account, 1, 5)
  const first = await read(account, '?limit=2')
  assert.deepEqual(first.refs, [1, 2])
  const second = await read(account, `?limit=2&cursor=${first.cursor}`)
  assert.deepEqual(second.refs, [3, 4])
  assert.deepEqual(await read(account, `?limit=2&cursor=${first.cursor}`), second)
  const last = await read(account, `?cursor=${second.cursor}`)
  assert.deepEqual(last.refs, [5])
  assert.deepEqual(await read(account, `?cursor=${last.cursor}`), { cursor: last.cursor, refs: [] })
})

test('each named consumer has its own position, which moves forward with acknowledgements and never back', async () => {
  const account = await api.account()
  await write(account, 1, 4)
  const first = await read(account, '?consumer=billing&limit=2')
  assert.deepEqual(await read(account, '?consumer=billing&limit=2'), first)
  assert.equal((await move(account, 'billing', first.cursor)).status, 200)
  const second = await read(account, '?consumer=billing')
  assert.deepEqual(second.refs, [3, 4])
  await move(account, 'billing', second.cursor)
  await move(account, 'billing', first.cursor)
  assert.deepEqual((await read(account, '?consumer=billing')).refs, [])
  assert.deepEqual((await read(account, '?consumer=crm')).refs, [1, 2, 3, 4])
})

test('polling and the stream have independent positions', async () => {
  const account = await api.account()
  await write(account, 1, 2)
  const { cursor } = await read(account, '?consumer=a')
  await move(account, 'a', cursor)
  assert.equal((await pollReports(database, account.id)).rows.length, 2)
  assert.deepEqual((await read(account)).refs, [1, 2])
})

test('seeks to a time', async () => {
  const account = await api.account()
  await write(account, 1, 30)
  await database.query(
    `update reports set created_at = '2026-11-01T00:00:00Z'::timestamptz + seq * interval '1 minute' where account_id = $1`,
    [account.id],
  )
  const found = await read(account, '?from=2026-11-01T00:20:00Z&limit=3')
  assert.deepEqual(found.refs, [20, 21, 22])
  assert.deepEqual((await read(account, `?limit=1&cursor=${found.cursor}`)).refs, [23])
  assert.deepEqual((await read(account, '?from=2026-11-01T09:29:00%2B09:00')).refs, [29, 30])
  assert.deepEqual((await read(account, '?from=2026-11-02T00:00:00Z')).refs, [])
})

test('a gap in the numbers hides no report: after a takeover they are raised past those that were lost', async () => {
  const account = await api.account()
  await write(account, 1, 3)
  const lost = writeCursor(account.id, 5)
  await database.query('update report_sequences set last_seq = last_seq + 1000000 where account_id = $1', [
    account.id,
  ])
  const before = new Date(Date.now() - 60_000)
  await write(account, 4, 2)
  assert.deepEqual((await read(account, `?cursor=${lost}`)).refs, [4, 5])
  assert.deepEqual((await read(account, '?limit=4')).refs, [1, 2, 3, 4])
  assert.deepEqual((await read(account, `?from=${before.toISOString()}`)).refs, [1, 2, 3, 4, 5])
  const { rows } = await pollReports(database, account.id)
  assert.deepEqual(
    rows.map(({ ref }) => Number(ref)),
    [1, 2, 3, 4, 5],
  )
})

test('waits for the next report, and no longer than requested', async () => {
  const account = await api.account()
  const waiting = read(account, '?wait=30')
  assert.equal(await isSettled(waiting), false)
  await write(account, 1, 1)
  assert.deepEqual((await waiting).refs, [1])
  const { cursor } = await waiting
  const started = performance.now()
  assert.deepEqual((await read(account, `?wait=1&cursor=${cursor}`)).refs, [])
  assert.ok(performance.now() - started >= 900)
})

test('returns the same records as newline-delimited JSON', async () => {
  const account = await api.account()
  await write(account, 1, 3)
  const { body } = await api.call(account, 'GET', '/v1/report/stream')
  const lines = await api.server.inject({
    url: '/v1/report/stream',
    headers: { authorization: `Bearer ${account.token}`, accept: 'application/x-ndjson' },
  })
  const { cursor, report } = body.data as { cursor: string; report: object[] }
  assert.match(lines.headers['content-type'] as string, /^application\/x-ndjson/)
  assert.equal(lines.headers['report-cursor'], cursor)
  const read = lines.body.trimEnd().split('\n')
  assert.deepEqual(
    read.map((line) => JSON.parse(line) as object),
    report,
  )
})

test('rejects requests that are malformed, of another account or without permission, and says what is expected', async () => {
  const [account, other] = [await api.account(), await api.account()]
  await write(account, 1, 1)
  const { cursor } = await read(account)
  const code = async (query: string) =>
    (await api.call(account, 'GET', `/v1/report/stream${query}`)).body.code
  for (const query of ['?limit=0', '?limit=1001', '?limit=x', '?wait=31', '?from=yesterday']) {
    const { body } = await api.call(account, 'GET', `/v1/report/stream${query}`)
    assert.equal(body.code, 'A300', query)
    assert.ok(body.result.endsWith(`, found '${query.split('=')[1]}'`), body.result)
  }
  assert.equal(await code('?cursor=a&cursor=b'), 'A300')
  assert.equal(await code('?cursor=nonsense'), 'A806')
  assert.equal(await code('?consumer=no%20spaces'), 'A807')
  assert.equal((await api.call(other, 'GET', `/v1/report/stream?cursor=${cursor}`)).body.code, 'A806')
  assert.equal((await move(account, 'a', writeCursor(account.id, 99))).body.code, 'A806')
  assert.equal((await api.call(account, 'POST', '/v1/report/stream/a', {})).body.code, 'A806')
  const barred = await api.account({ mayPoll: false })
  assert.equal((await api.call(barred, 'GET', '/v1/report/stream')).body.code, 'A802')
  assert.equal((await move(barred, 'a', cursor)).body.code, 'A802')
})

test('an account has a bounded number of consumers', async () => {
  const account = await api.account()
  await write(account, 1, 1)
  const { cursor } = await read(account)
  for (let n = 1; n <= maxConsumers; n++) assert.equal((await move(account, `c${n}`, cursor)).status, 200)
  assert.equal((await move(account, 'one-more', cursor)).body.code, 'A807')
  assert.equal((await move(account, 'c1', cursor)).status, 200)
})

test('a cursor decodes to the position and account that it was made from', () => {
  for (const seq of [0, 1, 35, 36, 1_000_000_007]) assert.equal(readCursor(7, writeCursor(7, seq)), seq)
  for (const cursor of ['', 'x', writeCursor(8, 1), `${writeCursor(7, 1)}A`]) {
    assert.equal(readCursor(7, cursor), null, cursor)
  }
})

test('a server that stops ends waiting requests immediately', async () => {
  const { ReportWaiters } = await import('./report-waiters.ts')
  const { quietLog } = await import('../../../test/support/silent-log.ts')
  const waiters = new ReportWaiters(database, quietLog)
  const waiting = waiters.wait(1, 0, 30_000, new AbortController().signal)
  const disconnect = new AbortController()
  const disconnected = waiters.wait(1, 0, 30_000, disconnect.signal)
  disconnect.abort()
  await disconnected
  await waitFor('one request to remain', () => waiters.waiting === 1)
  await waiters.stop()
  await waiting
})
