import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { createTestBroker } from '../../../test/support/engines/broker.ts'
import { createTestDatabase } from '../../../test/support/engines/database.ts'
import { acceptedJob, acceptedJobs, recordJobs, recordOne } from '../../../test/support/fixtures.ts'
import { createMemoryLog } from '../../../test/support/memory-log.ts'
import { createTestServer, type TestResponse, type TestAccount } from '../../../test/support/http/server.ts'
import { createMsgKey } from '../../contract/msg-key.ts'
import { ensureSealed } from '../../jobs/sealed.ts'
import type { StepKey } from '../../jobs/step-key.ts'
import { inTransaction } from '../../platform/database/database.ts'
import { Encryption } from '../../platform/encryption/encryption.ts'
import { localMasterKey } from '../../platform/encryption/master-key.ts'
import { messageCipher } from '../../platform/encryption/message-cipher.ts'
import { ensureDay } from '../partitions.ts'
import { closeMessages } from './close.ts'
import { eraseRecipient } from './erase.ts'

interface Page {
  readonly message: readonly { readonly msgKey: string; readonly [field: string]: unknown }[]
  readonly cursor?: string
}

const { database } = await createTestDatabase()
const { broker, topology } = await createTestBroker()
const { log, lines } = createMemoryLog()
const api = await createTestServer({ database, broker, topology, log })
const isoTime = /\d{4}-\d\d-\d\dT[\d:.]+Z/
const dayMs = 86_400_000
const isoAgo = (ms: number): string => new Date(Date.now() - ms).toISOString()
const unlimited = { limits: { send: 0, report: 0, file: 0, form: 0 } }

type Query = Readonly<Record<string, string | number>>

const search = (account: TestAccount, query: Query): Promise<TestResponse> =>
  api.call(account, 'POST', '/v1/message/search', { since: isoAgo(dayMs), ...query })

/** Describes a query without the present time, so that titles are the same in every run. */
const titleOf = (query: Query): string => JSON.stringify(query).replace(isoTime, 'a time').slice(0, 40)

async function readPage(account: TestAccount, query: Query = {}): Promise<Page> {
  const { status, body } = await search(account, query)
  assert.equal(status, 200, JSON.stringify(body))
  return body.data as Page
}

async function readAll(account: TestAccount, query: Query = {}): Promise<string[]> {
  const keys: string[] = []
  let cursor: string | undefined
  do {
    const page = await readPage(account, cursor === undefined ? query : { ...query, cursor })
    keys.push(...page.message.map(({ msgKey }) => msgKey))
    cursor = page.cursor
  } while (cursor !== undefined)
  return keys
}

async function close(...keys: readonly StepKey[]): Promise<void> {
  const times = { parts: 1, sentAt: new Date(), at: new Date() }
  const ended = keys.map((key) => ({ ...key, cause: 'delivered' as const, ...times }))
  await inTransaction(database, (transaction) => closeMessages(transaction, ended))
}

const account = await api.account(unlimited)
const other = await api.account(unlimited)
const accountId = account.id
const at = (minutesAgo: number): number => Date.now() - minutesAgo * 60_000
const first = await recordOne(database, { accountId, acceptedAt: at(30), ref: 'order 1', to: '01055556666' })
const second = await recordOne(database, {
  accountId,
  acceptedAt: at(20),
  ref: 'order 2',
  to: '+14155550001',
})
const third = await recordOne(database, { accountId, acceptedAt: at(10) })
await recordOne(database, { accountId: other.id, acceptedAt: at(15), ref: 'order 1', to: '01055556666' })
await close(first)
const cases: [query: Query, found: readonly StepKey[]][] = [
  [{}, [third, second, first]],
  [{ ref: 'order 1' }, [first]],
  [{ ref: 'order' }, []],
  [{ to: '01055556666' }, [first]],
  [{ to: '+82 10-5555-6666' }, [first]],
  [{ to: '+14155550001' }, [second]],
  [{ state: 'open' }, [third, second]],
  [{ state: 'closed' }, [first]],
  [{ state: 'closed', ref: 'order 2' }, []],
  [{ since: isoAgo(25 * 60_000) }, [third, second]],
  [{ until: isoAgo(15 * 60_000) }, [second, first]],
]
for (const [query, found] of cases)
  test(`finds own messages by ${titleOf(query)}, newest first`, async () => {
    const expected = found.map(({ msgKey }) => msgKey)
    assert.deepEqual(await readAll(account, query), expected)
    assert.deepEqual(await readAll(account, { ...query, limit: 1 }), expected)
  })

test('only a closed message has an outcome, with the code of its last report', async () => {
  const { message } = await readPage(account)
  const [open, , closed] = message.map(({ acceptedAt, ...rest }) => {
    assert.match(String(acceptedAt), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+09:00$/)
    return rest
  })
  assert.deepEqual(open, { msgKey: third.msgKey, to: acceptedJob().to, state: 'open' })
  assert.deepEqual(closed, {
    msgKey: first.msgKey,
    to: '01055556666',
    ref: 'order 1',
    state: 'closed',
    serviceType: 'SMS',
    reportCode: '10000',
    outcome: 'delivered',
  })
})

test('a cursor works only for its account and does not reveal its position', async () => {
  const { cursor } = await readPage(account, { limit: 1 })
  assert.ok(!Buffer.from(cursor!, 'base64url').includes(third.msgKey.slice(0, 8)))
  const { status, body } = await search(other, { cursor: cursor! })
  assert.deepEqual([status, body.code, body.field], [400, 'A300', 'cursor'])
})

test('no recipient of a query is logged', async () => {
  await database.query('alter table messages rename to elsewhere')
  const { status } = await search(account, { to: '01055556666' })
  await database.query('alter table elsewhere rename to messages')
  assert.equal(status, 500)
  assert.ok(lines.length > 0 && lines.every((line) => !line.includes('55556666')))
})

const wrong: [query: Query, field: string][] = [
  [{ since: '' }, 'since'],
  [{ since: '2026-11-15' }, 'since'],
  [{ since: isoAgo(33 * dayMs) }, 'since'],
  [{ since: isoAgo(-dayMs) }, 'since'],
  [{ until: 'yesterday' }, 'until'],
  [{ ref: '' }, 'ref'],
  [{ ref: 'a\u0000b' }, 'ref'],
  [{ ref: 'r'.repeat(201) }, 'ref'],
  [{ to: '' }, 'to'],
  [{ to: 'somebody' }, 'to'],
  [{ state: 'sent' }, 'state'],
  [{ limit: 0 }, 'limit'],
  [{ limit: 201 }, 'limit'],
  [{ cursor: 'AAAA' }, 'cursor'],
  [{ recipient: '01055556666' }, 'recipient'],
]
for (const [query, field] of wrong)
  test(`refuses ${titleOf(query)} and names ${field}`, async () => {
    const { status, body } = await search(await api.account(), query)
    assert.deepEqual([status, body.code, body.field], [400, 'A300', field], body.result)
  })

test('no phone number is accepted in a URL', async () => {
  const [account, to] = [await api.account(), '01055556666']
  for (const [method, path] of [
    ['GET', '/v1/message'],
    ['GET', '/v1/suppression'],
    ['DELETE', '/v1/suppression'],
  ] as const)
    assert.equal((await api.call(account, method, `${path}?to=${to}`)).status, 404, `${method} ${path}`)
  const query = `?to=${to}`
  const { body } = await api.call(account, 'POST', `/v1/message/search${query}`, {
    since: isoAgo(dayMs),
    to: '0',
  })
  assert.equal(body.field, 'to', 'a filter in the URL replaces none of the body')
})

test('a time is required', async () => {
  const { status, body } = await api.call(await api.account(), 'POST', '/v1/message/search', {})
  assert.deepEqual([status, body.code, body.field], [400, 'A300', 'since'])
})

test('pages lead through many days without a gap or a repetition', async () => {
  const account = await api.account(unlimited)
  const keys: StepKey[] = []
  for (let day = 9; day >= 0; day -= 1) {
    const acceptedAt = Date.now() - day * dayMs - 60_000
    await ensureDay(database, new Date(acceptedAt))
    keys.push(
      ...(await recordJobs(database, acceptedJobs(3, { accountId: account.id, acceptedAt, ref: 'same' }))),
    )
  }
  await close(...keys.filter((_, index) => index % 2 === 0))
  const expected = keys
    .map(({ msgKey }) => msgKey)
    .sort()
    .reverse()
  for (const query of [{}, { ref: 'same' }, { to: acceptedJob().to }])
    assert.deepEqual(await readAll(account, { ...query, since: isoAgo(10 * dayMs), limit: 7 }), expected)
})

test('finds few messages next to thousands of a neighbour on the first page', async () => {
  const [account, neighbour] = [await api.account(unlimited), await api.account(unlimited)]
  const acceptedAt = Date.now() - 120_000
  const key = await recordOne(database, { accountId: account.id, acceptedAt: acceptedAt - 1, ref: 'mine' })
  await close(key)
  for (let nth = 0; nth < 12; nth += 1)
    await close(...(await recordJobs(database, acceptedJobs(1_000, { accountId: neighbour.id, acceptedAt }))))
  for (const query of [{}, { state: 'closed' }, { ref: 'mine' }, { to: acceptedJob().to }]) {
    const { message } = await readPage(account, query)
    assert.deepEqual(
      message.map(({ msgKey }) => msgKey),
      [key.msgKey],
    )
  }
})

test('a scheduled message is listed at its send time', async () => {
  const account = await api.account(unlimited)
  const sendAt = new Date(Date.now() + 3_600_000)
  const { msgKey } = acceptedJob({ acceptedAt: sendAt.getTime() })
  await recordOne(database, { accountId: account.id, msgKey })
  assert.deepEqual(await readAll(account), [])
  assert.deepEqual(await readAll(account, { until: isoAgo(-2 * 3_600_000) }), [msgKey])
})

test('a message in this database is listed whichever cell its key names', async () => {
  const account = await api.account(unlimited)
  const msgKey = createMsgKey('B1', new Date(Date.now() - 1_000))
  await recordOne(database, { accountId: account.id, msgKey })
  assert.deepEqual(await readAll(account), [msgKey])
})

test('encrypted messages are found by their recipient, erased ones are not', async (t) => {
  const masterKey = localMasterKey(randomBytes(32))
  const encryption = new Encryption({ current: masterKey, readable: [masterKey] })
  // The API of the other tests has no encryption, and stores its keys in plaintext.
  await database.query('delete from data_keys')
  await messageCipher.open(database, encryption, { sealing: true })
  t.after(() => messageCipher.close())
  const account = await api.account(unlimited)
  const to = '01044443333'
  const [key] = await recordJobs(database, [await ensureSealed(acceptedJob({ accountId: account.id, to }))])
  const find = async () => (await readPage(account, { to })).message.map((found) => [found.msgKey, found.to])
  assert.deepEqual(await find(), [[key!.msgKey, to]])
  await close(key!)
  await eraseRecipient(database, account.id, to)
  assert.deepEqual(await find(), [])
  assert.deepEqual(
    (await readPage(account)).message.map((found) => found.to),
    [''],
  )
})

test('a search counts as ten report requests', async () => {
  const account = await api.account({ limits: { send: 0, report: 25, file: 0, form: 0 } })
  const { status, headers } = await search(account, {})
  assert.deepEqual([status, headers['ratelimit-remaining']], [200, '15'])
  const responses = await Promise.all(Array.from({ length: 5 }, () => search(account, {})))
  const refused = responses.filter((response) => response.status === 429)
  assert.ok(refused.length >= 3, String(refused.length))
  assert.equal(refused[0]!.body.code, 'A020')
})

test('a credential without the scope of reports cannot search', async () => {
  const account = await api.account()
  await database.query(`update credentials set scopes = '{send}' where account_id = $1`, [account.id])
  await api.accounts.refresh()
  assert.deepEqual([(await search(account, {})).body.code], ['A113'])
})
