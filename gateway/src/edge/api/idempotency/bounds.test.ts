import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { createTestBroker } from '../../../../test/support/engines/broker.ts'
import { createTestDatabase } from '../../../../test/support/engines/database.ts'
import { memoryUnder } from '../../../../test/support/engines/redis-memory.ts'
import { createTestRedis } from '../../../../test/support/engines/redis.ts'
import {
  createTestServer,
  type TestResponse,
  type TestAccount,
} from '../../../../test/support/http/server.ts'
import { Problem } from '../../../contract/problem.ts'
import { keyLifetimeMs, refusalLifetimeMs } from './store.ts'

const { redis, keyPrefix } = await createTestRedis()
const { database } = await createTestDatabase()
const { broker, topology } = await createTestBroker()
const maxKeyBytes = 12_000
const settings = {
  queuePrefix: keyPrefix,
  idempotencyMegabytes: maxKeyBytes / 1e6,
  // Accounts are limited to their share regardless of the memory of this Redis.
  redisMemory: { isScarce: () => true },
}
const api = await createTestServer({ database, broker, topology, redis, ...settings })

const good = { from: '0234567890', to: '01012345678', text: 'hello' }
const wrong = { ...good, to: 'nobody' }
const freshKey = (): string => randomBytes(8).toString('hex')
const getKeyName = (account: TestAccount, key: string): string =>
  `${keyPrefix}idempotency:${account.id}:${key}`
const getCounterName = (account: TestAccount): string => `${keyPrefix}idempotency-bytes:${account.id}`
const send = (account: TestAccount, key: string, body: object = good, path = 'sms'): Promise<TestResponse> =>
  api.call(account, 'POST', `/v1/send/${path}`, body, { 'idempotency-key': key })
/** Sends with new keys until one is refused because of the limit of the account. Returns the number of accepted ones. */
async function fill(account: TestAccount, body: object, path = 'sms'): Promise<number> {
  for (let sent = 0; ; sent++) {
    const { body: answer } = await send(account, freshKey(), body, path)
    if (answer.code === 'A020') return sent
  }
}
const depth = (): Promise<number> => broker.depth(topology.accepted.normal)

test('a refusal is stored for minutes, an accepted send for 24 hours', async () => {
  const account = await api.account()
  const refusals: [object, string][] = [
    [wrong, 'sms'],
    [{ nonsense: 1 }, 'sms'],
    [
      { destinations: [{ to: 'x' }, { to: 'y' }], messageFlow: [{ sms: { from: good.from, text: 'a' } }] },
      'omni',
    ],
  ]
  for (const [body, path] of refusals) {
    const key = freshKey()
    await send(account, key, body, path)
    const leftMs = await redis.pttl(getKeyName(account, key))
    assert.ok(leftMs > 0 && leftMs <= refusalLifetimeMs, `${JSON.stringify(body)}: ${leftMs}`)
    const { status, headers } = await send(account, key, body, path)
    assert.equal(headers['idempotency-replayed'], 'true')
    assert.equal(headers['message-accepted'], status === 200 ? undefined : 'no')
  }
  const key = freshKey()
  await send(account, key)
  assert.ok((await redis.pttl(getKeyName(account, key))) > keyLifetimeMs - 10_000)
  const mixed = freshKey()
  const body = {
    destinations: [{ to: 'x' }, { to: good.to }],
    messageFlow: [{ sms: { from: good.from, text: 'a' } }],
  }
  await send(account, mixed, body, 'omni')
  assert.ok((await redis.pttl(getKeyName(account, mixed))) > keyLifetimeMs - 10_000)
})

test('a refusal is not stored, and the msgKeys are kept, if the request was perhaps accepted', async () => {
  const [account, key] = [await api.account(), freshKey()]
  await send(account, key, wrong)
  const name = getKeyName(account, key)
  // The state after a request whose process crashed, when the second one is refused.
  const fingerprint = String(await redis.hget(name, 'fingerprint'))
  await redis.del(name)
  await redis.hset(name, { fingerprint, owner: 'gone', msgKeys: 'K', leaseUntil: '0' })
  await redis.pexpire(name, keyLifetimeMs)
  for (let nth = 0; nth < 2; nth++) {
    const { body, headers } = await send(account, key, wrong)
    assert.deepEqual([body.code, headers['idempotency-replayed']], ['A306', undefined])
  }
  assert.ok((await redis.pttl(name)) > keyLifetimeMs - 10_000)
  assert.equal(await redis.hget(name, 'msgKeys'), 'K')
})

test('new keys are refused above the limit; known keys get their responses', async () => {
  const account = await api.account()
  const keys = Array.from({ length: 10 }, freshKey)
  const first = await Promise.all(keys.map((key, n) => send(account, key, n % 2 === 0 ? good : wrong)))
  await fill(account, good)
  const sentBefore = await depth()
  const late = freshKey()
  for (let nth = 0; nth < 3; nth++) {
    const { status, headers, body } = await send(account, late)
    assert.deepEqual([status, body.code, headers['retry-after']], [429, 'A020', '60'])
    assert.match(String(headers['ratelimit-reason']), /Idempotency-Keys .* take the 0\.012 MB/)
  }
  const again = await Promise.all(keys.map((key, n) => send(account, key, n % 2 === 0 ? good : wrong)))
  assert.deepEqual(
    again.map(({ body }) => body),
    first.map(({ body }) => body),
  )
  assert.equal(await depth(), sentBefore)
  assert.equal((await api.call(account, 'POST', '/v1/send/sms', good)).body.code, 'A000')
  assert.equal((await send(await api.account(), freshKey())).body.code, 'A000')
})

test('expired keys make room: refusals after minutes, accepted sends after a day', async () => {
  const account = await api.account()
  for (let nth = 0; nth < 5; nth++) await send(account, freshKey(), good)
  const refused = await fill(account, wrong)
  assert.ok(refused > 5, String(refused))
  await age(account, 'r', 2)
  assert.ok((await fill(account, wrong)) >= refused - 1)
  await age(account, 'r', 2)
  assert.ok((await fill(account, good)) > 5)
  assert.equal((await send(account, freshKey())).status, 429)
  await age(account, 'k', 25)
  assert.equal((await send(account, freshKey())).status, 200)
})

/** Moves the counted bytes into slots of the past, as if that time had passed. */
async function age(account: TestAccount, kind: 'r' | 'k', slots: number): Promise<void> {
  const fields = await redis.hgetall(getCounterName(account))
  for (const [name, count] of Object.entries(fields)) {
    if (!name.startsWith(kind)) continue
    await redis.hdel(getCounterName(account), name)
    await redis.hset(getCounterName(account), `${kind}${Number(name.slice(1)) - slots}`, count)
  }
  await redis.hset(getCounterName(account), 'swept', '0')
}

test('a forgotten key is not counted', async () => {
  let isBusy = true
  const server = await createTestServer({
    database,
    broker,
    topology,
    redis,
    ...settings,
    admit: () => {
      if (isBusy) throw new Problem('A920', 'Service busy: not accepted; send the request again', 1)
    },
  })
  const account = await server.account()
  const sendAs = (key: string): Promise<TestResponse> =>
    server.call(account, 'POST', '/v1/send/sms', good, { 'idempotency-key': key })
  for (let nth = 0; nth < 40; nth++) assert.equal((await sendAs(freshKey())).body.code, 'A920')
  assert.equal(await redis.hget(getCounterName(account), 'total'), '0')
  isBusy = false
  assert.equal((await sendAs(freshKey())).body.code, 'A000')
})

const ten = {
  destinations: Array.from({ length: 10 }, (_, n) => ({ to: `0101234567${n}` })),
  messageFlow: [{ sms: { from: good.from, text: 'a' } }],
  ref: 'r'.repeat(200),
}

test('the memory of an account is limited in bytes', async () => {
  const longKey = (): string => `${'k'.repeat(239)}${freshKey()}`
  const hostile: [object, string, string][] = [
    [wrong, 'sms', 'A306'],
    [good, 'sms', 'A000'],
    [ten, 'omni', 'A000'],
    [{ ...ten, destinations: ten.destinations.map(() => ({ to: 'x'.repeat(100) })) }, 'omni', 'A000'],
    [{ ['n'.repeat(5_000)]: 1 }, 'sms', 'A300'],
  ]
  for (const [body, path, code] of hostile) {
    const account = await api.account()
    assert.equal((await send(account, longKey(), body, path)).body.code, code)
    for (let nth = 0; nth < 40; nth++) await send(account, nth % 2 === 0 ? longKey() : freshKey(), body, path)
    const bytes = await memoryUnder(redis, `${keyPrefix}idempotency:${account.id}:`)
    // A response may be longer than the size that was counted with its claim.
    assert.ok(bytes > maxKeyBytes / 2 && bytes <= maxKeyBytes + 3_000, `${path}: ${bytes} bytes`)
    const counter = await redis.memory('USAGE', getCounterName(account))
    assert.ok(counter !== null && counter < 4_000, `${counter} bytes for the counter`)
  }
})

test('accounts without a limit are not counted', async () => {
  const server = await createTestServer({ database, broker, topology, redis, queuePrefix: keyPrefix })
  const account = await server.account()
  await server.call(account, 'POST', '/v1/send/sms', good, { 'idempotency-key': freshKey() })
  assert.equal(await redis.exists(getCounterName(account)), 0)
})
