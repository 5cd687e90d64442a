import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { Redis } from 'ioredis'
import { createTestBroker } from '../../../../test/support/engines/broker.ts'
import { addCleanup } from '../../../../test/support/cleanup.ts'
import { createTestDatabase } from '../../../../test/support/engines/database.ts'
import {
  createTestServer,
  type TestResponse,
  type TestAccount,
} from '../../../../test/support/http/server.ts'
import { serviceUrl } from '../../../../test/support/engines/services.ts'
import { defaultSettings, type AccountLimits } from '../../../identity/accounts/account.ts'
import { updateSettings } from '../../../identity/accounts/queries.ts'

const keyPrefix = `test-${randomBytes(6).toString('hex')}-`
const redis = new Redis(serviceUrl('POSTERN_REDIS_URL'))
addCleanup(() => redis.disconnect())
addCleanup(async () => {
  const keys = await redis.keys(`${keyPrefix}*`)
  if (keys.length > 0) await redis.del(keys)
})
const { database } = await createTestDatabase()
const { broker, topology } = await createTestBroker()
const api = await createTestServer({ database, broker, topology, redis, queuePrefix: keyPrefix })

const none: AccountLimits = { send: 0, report: 0, file: 0, form: 0 }
const content = { from: '0234567890', text: 'hello' }
const to = '01012345678'
const send = (account: TestAccount): Promise<TestResponse> =>
  api.call(account, 'POST', '/v1/send/sms', { ...content, to })
const sendOmni = (account: TestAccount, count: number): Promise<TestResponse> =>
  api.call(account, 'POST', '/v1/send/omni', {
    destinations: Array.from({ length: count }, () => ({ to })),
    messageFlow: [{ sms: content }],
  })
const poll = (account: TestAccount): Promise<TestResponse> => api.call(account, 'GET', '/v1/report/polling')
const rateHeaders = ({ headers }: TestResponse): unknown[] =>
  ['limit', 'remaining', 'reset'].map((name) => headers[`ratelimit-${name}`])

test('responds with A020 and Retry-After over the limit, and accepts the sends below it', async () => {
  const account = await api.account({ limits: { ...none, send: 20 } })
  const before = await broker.depth(topology.accepted.normal)
  const began = performance.now()
  const answers = await Promise.all(Array.from({ length: 60 }, () => send(account)))
  const refilled = Math.ceil((20 * (performance.now() - began)) / 1000)
  const refused = answers.filter(({ status }) => status === 429)
  const accepted = answers.filter(({ status }) => status === 200)
  assert.equal(refused.length + accepted.length, 60)
  // Concurrent requests share calls; a little is refilled in between.
  assert.ok(accepted.length >= 20 && accepted.length <= 20 + refilled, String(accepted.length))
  for (const { body, headers } of refused) {
    assert.equal(body.code, 'A020')
    assert.equal(body.result, 'Rate limit exceeded')
    assert.equal(headers['ratelimit-reason'], 'the account may send to 20 destinations per second')
    assert.equal(headers['retry-after'], '1')
    assert.deepEqual([headers['ratelimit-limit'], headers['ratelimit-remaining']], ['20', '0'])
  }
  assert.ok((await broker.depth(topology.accepted.normal)) > before)
})

test('every response under a limit has the rate headers; without a limit none has', async () => {
  const limited = await api.account({ limits: { ...none, send: 100 } })
  assert.deepEqual(rateHeaders(await send(limited)), ['100', '99', '1'])
  const wrong = await api.call(limited, 'POST', '/v1/send/sms', { ...content, to: 'nobody' })
  assert.equal(wrong.status, 400)
  assert.equal(wrong.headers['ratelimit-limit'], '100')
  const unlimited = await api.account({ limits: none })
  assert.deepEqual(rateHeaders(await send(unlimited)), [undefined, undefined, undefined])
})

test('an omni send counts once per destination, and is never accepted in part', async () => {
  // This limit accepts ten destinations at once and refills eight in eight seconds.
  const account = await api.account({ limits: { ...none, send: 1 } })
  const first = await sendOmni(account, 8)
  assert.deepEqual([first.status, first.headers['ratelimit-remaining']], [200, '2'])
  const second = await sendOmni(account, 8)
  assert.deepEqual([second.status, second.body.code], [429, 'A020'])
  assert.equal((await send(account)).status, 200)
})

test('the smallest limit admits the largest omni send', async () => {
  const account = await api.account({ limits: { ...none, send: 1 } })
  assert.equal((await sendOmni(account, 10)).status, 200)
  const { status, headers } = await sendOmni(account, 10)
  assert.deepEqual([status, headers['retry-after']], [429, '10'])
})

test('endpoint families and accounts have separate limits', async () => {
  const limits = { ...none, send: 1, report: 1 }
  const [exhausted, other] = [await api.account({ limits }), await api.account({ limits })]
  const polls = await Promise.all(Array.from({ length: 30 }, () => poll(exhausted)))
  assert.ok(polls.some(({ status }) => status === 429))
  assert.equal((await send(exhausted)).status, 200)
  assert.equal((await poll(other)).status, 200)
})

test('polling, acknowledging and inquiring share one limit', async () => {
  const account = await api.account({ limits: { ...none, report: 1_000 } })
  await poll(account)
  await api.call(account, 'DELETE', '/v1/report/polling/nonsense')
  const last = await api.call(account, 'GET', '/v1/report/inquiry/nonsense')
  assert.equal(last.headers['ratelimit-limit'], '1000')
  assert.ok(Number(last.headers['ratelimit-remaining']) < 1_000)
})

test('a changed limit applies as soon as the account is read again', async () => {
  const account = await api.account({ limits: { ...none, send: 1 } })
  await sendOmni(account, 10)
  assert.equal((await sendOmni(account, 10)).status, 429)
  await updateSettings(database, account.clientId, { ...defaultSettings, limits: none })
  await api.accounts.refresh()
  assert.equal((await sendOmni(account, 10)).status, 200)
})
