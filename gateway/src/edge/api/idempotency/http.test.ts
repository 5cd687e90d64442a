import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { createTestBroker } from '../../../../test/support/engines/broker.ts'
import { createTestAuditContext } from '../../../../test/support/audit-context.ts'
import { addCleanup } from '../../../../test/support/cleanup.ts'
import { createTestDatabase } from '../../../../test/support/engines/database.ts'
import { issueToken } from '../../../../test/support/http/issue-token.ts'
import { createProxy } from '../../../../test/support/engines/proxy.ts'
import { createTestRedis, openRedis } from '../../../../test/support/engines/redis.ts'
import {
  createTestServer,
  type TestResponse,
  type TestAccount,
  type TestServer,
  type TestServerOptions,
} from '../../../../test/support/http/server.ts'
import { brokerUrls } from '../../../../test/support/engines/services.ts'
import { waitFor } from '../../../../test/support/wait.ts'
import type { AcceptedJob } from '../../../jobs/jobs.ts'
import { createMsgKey, isMsgKey } from '../../../contract/msg-key.ts'
import { Problem } from '../../../contract/problem.ts'
import { setCap, updateProtection } from '../../../trust/abuse/protection.ts'
import { setSwitches } from '../../../trust/switches.ts'
import { openEncryption } from '../../../platform/encryption/encryption.ts'
import { openFingerprints } from './fingerprint.ts'
import { createIdempotencyStore, type IdempotencyClaim } from './store.ts'

const { redis, url: redisUrl, keyPrefix } = await createTestRedis()
const { database } = await createTestDatabase()
const testBroker = await createTestBroker()
const { broker, topology } = testBroker

const open = (options: Partial<TestServerOptions> = {}): Promise<TestServer> =>
  createTestServer({ database, broker, topology, redis, queuePrefix: keyPrefix, ...options })
const api = await open()
const another = await open({ duplicateWaitMs: 10_000 })

const sms = { from: '0234567890', to: '01012345678', text: 'hello' }
const freshKey = (): string => randomBytes(8).toString('hex')

/** Returns the account as another process has read it. */
async function at(server: TestServer, account: TestAccount): Promise<TestAccount> {
  await server.accounts.refresh()
  return { ...account, token: await issueToken(database, server.tokenKey, account.id) }
}

async function send(
  server: TestServer,
  account: TestAccount,
  key: string | undefined,
  body: unknown = sms,
  path = 'sms',
): Promise<TestResponse> {
  const headers = key === undefined ? {} : { 'idempotency-key': key }
  return server.call(await at(server, account), 'POST', `/v1/send/${path}`, body, headers)
}

const arrived: AcceptedJob[] = []
const consumption = broker.consume(topology.accepted.normal, { prefetch: 100 }, ({ jobs }) => {
  arrived.push(...(jobs as AcceptedJob[]))
  return Promise.resolve()
})
addCleanup(() => consumption.stop())

/** Returns the jobs published since the last call. They are confirmed before the response, so no more can arrive. */
async function published(count: number): Promise<AcceptedJob[]> {
  await waitFor(`${count} jobs`, async () => {
    return arrived.length >= count && (await broker.depth(topology.accepted.normal)) === 0
  })
  return arrived.splice(0)
}

test('a repeated request gets the same response from any process, and sends nothing', async () => {
  const [account, key] = [await api.account(), freshKey()]
  const first = await send(api, account, key)
  assert.deepEqual([first.status, first.body.code], [200, 'A000'])
  assert.equal(first.headers['idempotency-replayed'], undefined)
  for (const server of [api, another]) {
    const again = await send(server, account, key)
    assert.deepEqual([again.status, again.body], [first.status, first.body])
    assert.equal(again.headers['idempotency-replayed'], 'true')
    assert.equal(again.headers['content-type'], first.headers['content-type'])
  }
  assert.deepEqual(
    (await published(1)).map((job) => job.msgKey),
    [first.body.msgKey],
  )
})

test('a repeated omni send has the same msgKeys for all its destinations', async () => {
  const [account, key] = [await api.account(), freshKey()]
  const body = {
    destinations: [{ to: sms.to }, { to: 'wrong' }, { to: '01087654321' }],
    messageFlow: [{ sms: { from: sms.from, text: sms.text } }],
  }
  const first = await send(api, account, key, body, 'omni')
  const again = await send(another, account, key, body, 'omni')
  assert.deepEqual(again.body, first.body)
  const { destinations } = first.body.data as { destinations: { msgKey: string; code: string }[] }
  assert.deepEqual(
    destinations.map(({ code, msgKey }) => [code, isMsgKey(msgKey)]),
    [
      ['A000', true],
      ['A306', false],
      ['A000', true],
    ],
  )
  const keys = (await published(2)).map((job) => job.msgKey)
  assert.deepEqual(keys, [destinations[0]!.msgKey, destinations[2]!.msgKey])
})

test('Redis holds no recipient, no text, and no hash that a guess of the request confirms', async () => {
  const [account, key] = [await api.account(), freshKey()]
  const body = {
    destinations: [{ to: '01045671234' }, { to: '0104567' }, { to: '01045675678' }],
    messageFlow: [{ sms: { from: sms.from, text: 'code 998877' } }],
  }
  const first = await send(api, account, key, body, 'omni')
  assert.match(JSON.stringify(first.body), /01045671234.*"0104567".*01045675678/)
  const stored = JSON.stringify(await redis.hgetall(`${keyPrefix}idempotency:${account.id}:${key}`))
  assert.doesNotMatch(stored, /0104567|998877/)
  const digest = createHash('sha256')
    .update(`/v1/send/omni\n${JSON.stringify(body)}`)
    .digest()
  for (const encoding of ['base64', 'base64url', 'hex'] as const)
    assert.ok(!stored.includes(digest.toString(encoding)), encoding)
  const again = await send(another, account, key, body, 'omni')
  assert.equal(JSON.stringify(again.body), JSON.stringify(first.body))
  await published(2)
})

test('refuses a key that belongs to another body, path or time limit, and keeps the first response', async () => {
  const [account, key] = [await api.account(), freshKey()]
  const first = await send(api, account, key)
  const others = [
    await send(api, account, key, { ...sms, text: 'hello!' }),
    await send(another, account, key, { text: sms.text, to: sms.to, from: sms.from }),
    await send(api, account, key, sms, 'mms'),
    await send(api, account, key, sms, 'sms?ttl=60'),
  ]
  for (const { status, body } of others) assert.deepEqual([status, body.code], [400, 'A021'])
  assert.deepEqual((await send(api, account, key)).body, first.body)
  await published(1)
})

test('the keys of two accounts are independent', async () => {
  const key = freshKey()
  const [account, other] = [await api.account(), await api.account()]
  const answers = [await send(api, account, key), await send(api, other, key, { ...sms, text: 'other' })]
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200],
  )
  await published(2)
})

test('twenty concurrent requests with the same key send one message and get one response', async () => {
  const [account, key] = [await api.account(), freshKey()]
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, n) => send(n % 2 === 0 ? api : another, account, key)),
  )
  const keys = new Set(answers.map(({ body }) => body.msgKey))
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200])
  assert.equal(keys.size, 1)
  assert.equal(answers.filter(({ headers }) => headers['idempotency-replayed'] === 'true').length, 19)
  assert.equal((await published(1)).length, 1)
  const last = await send(api, account, undefined)
  assert.deepEqual(
    (await published(1)).map((job) => job.msgKey),
    [last.body.msgKey],
  )
})

test('a refused request gets the same response again', async () => {
  const [account, key] = [await api.account(), freshKey()]
  const first = await send(api, account, key, { ...sms, to: 'nobody' })
  const again = await send(another, account, key, { ...sms, to: 'nobody' })
  assert.deepEqual([first.status, first.body.code], [400, 'A306'])
  assert.deepEqual([again.status, again.body], [first.status, first.body])
  assert.equal(again.headers['idempotency-replayed'], 'true')
})

for (const [description, key] of [
  ['an empty key', ''],
  ['a key of 256 characters', 'k'.repeat(256)],
  ['a key with a space', 'two words'],
  ['a key beyond ASCII', 'schlüssel'],
] as const) {
  test(`refuses ${description}`, async () => {
    const { status, body } = await send(api, await api.account(), key)
    assert.deepEqual([status, body.code], [400, 'A300'])
    assert.match(body.result, /Idempotency-Key/)
  })
}

test('accepts a key of 255 characters', async () => {
  assert.equal((await send(api, await api.account(), '~'.repeat(255))).status, 200)
  await published(1)
})

test('a dry run claims no key', async () => {
  const [account, key] = [await api.account(), freshKey()]
  await send(api, account, key, { ...sms, to: 'nobody' }, 'sms?dryRun=true')
  assert.equal((await send(api, account, key)).status, 200)
  await published(1)
})

test('only a send with a key is refused while Redis is unavailable', async () => {
  const proxy = await createProxy(redisUrl)
  const distant = await openRedis(proxy.url)
  const cut = await open({ redis: distant })
  const [account, key] = [await api.account(), freshKey()]
  proxy.block()
  await waitFor('the loss to be noticed', () => distant.status !== 'ready')
  const refused = await send(cut, account, key)
  assert.deepEqual([refused.status, refused.body.code], [503, 'A920'])
  assert.match(refused.body.result, /Idempotency-Key/)
  assert.equal(refused.headers['retry-after'], '1')
  const accepted = await send(cut, account, undefined)
  assert.equal(accepted.status, 200)
  assert.deepEqual(
    (await published(1)).map((job) => job.msgKey),
    [accepted.body.msgKey],
  )
  proxy.unblock()
  await waitFor('Redis', () => distant.status === 'ready')
  assert.equal((await send(cut, account, key)).status, 200)
  await published(1)
})

test('a message that the broker did not confirm can be sent again, under the same msgKey', async () => {
  const proxy = await createProxy(brokerUrls()[0]!)
  const distant = await testBroker.open({ urls: [proxy.url], publishTimeoutMs: 300 })
  const doubtful = await open({ broker: distant })
  const [account, key] = [await api.account(), freshKey()]
  await send(doubtful, account, undefined)
  await published(1)
  proxy.mute()
  const unsure = await send(doubtful, account, key)
  assert.deepEqual([unsure.status, unsure.body.code], [503, 'A920'])
  const sure = await send(another, account, key)
  assert.equal(sure.status, 200)
  assert.equal(sure.headers['idempotency-replayed'], undefined)
  // Intake identifies a message by its msgKey: two copies are one message.
  const keys = (await published(2)).map((job) => job.msgKey)
  assert.deepEqual(keys, [sure.body.msgKey, sure.body.msgKey])
  proxy.unmute()
})

test('a key can be used for another body if nothing was accepted', async () => {
  let admit = false
  const busy = await open({
    admit: () => {
      if (!admit) throw new Problem('A920', 'Service busy: not accepted; send the request again', 1)
    },
  })
  const [account, key] = [await api.account(), freshKey()]
  assert.equal((await send(busy, account, key)).body.code, 'A920')
  assert.equal((await send(busy, account, key, { ...sms, text: 'later' })).body.code, 'A920')
  admit = true
  const sent = await send(busy, account, key, { ...sms, text: 'now' })
  assert.equal(sent.status, 200)
  assert.equal((await send(api, account, key)).body.code, 'A021')
  assert.deepEqual(
    (await published(1)).map(({ steps: [step] }) => 'text' in step! && step.text),
    ['now'],
  )
  // The process crashed during the first request with this key, so its message may exist.
  const doubtful = freshKey()
  const msgKey = await abandonedClaim(account, doubtful, 0)
  admit = false
  assert.equal((await send(busy, account, doubtful)).body.code, 'A920')
  assert.equal((await send(busy, account, doubtful, { ...sms, text: 'now' })).body.code, 'A021')
  admit = true
  assert.equal((await send(busy, account, doubtful)).body.msgKey, msgKey)
  await published(1)
})

/** Claims the key like a process that then crashes. */
async function abandonedClaim(
  account: TestAccount,
  key: string,
  leaseMs: number,
  sendAt?: string,
): Promise<string> {
  return (await claimOutside(account, key, leaseMs, sendAt)).messages[0]!.msgKey
}

async function claimOutside(
  account: TestAccount,
  key: string,
  leaseMs: number,
  sendAt?: string,
): Promise<IdempotencyClaim> {
  const store = createIdempotencyStore({ redis, keyPrefix, leaseMs, maxBytes: 0 })
  const timing = sendAt === undefined ? '' : JSON.stringify([sendAt, undefined])
  const digest = createHash('sha256')
    .update(`/v1/send/sms\n${timing}${JSON.stringify(sms)}`)
    .digest()
  const computeFingerprint = await openFingerprints(database, openEncryption({}))
  const msgKey = createMsgKey('00', new Date())
  const result = await store.claim(account.id, key, computeFingerprint(digest), () => [msgKey])
  assert.ok(result.kind === 'claimed')
  return result.claim
}

async function capped(max: number): Promise<TestAccount> {
  const account = await api.account()
  await setDayCap(account, max)
  return account
}

async function setDayCap(account: TestAccount, max: number): Promise<void> {
  await setCap(database, account.id, { period: 'day', class: 'all', max })
  for (const server of [api, another]) await server.trust.cache.refresh()
}

test('a message that was perhaps accepted is not judged and not counted again', async () => {
  const proxy = await createProxy(brokerUrls()[0]!)
  const distant = await testBroker.open({ urls: [proxy.url], publishTimeoutMs: 300 })
  const doubtful = await open({ broker: distant })
  await send(doubtful, await api.account(), undefined)
  await published(1)
  const [account, key, omniKey] = [await capped(3), freshKey(), freshKey()]
  const omni = {
    destinations: [{ to: sms.to }, { to: 'wrong' }, { to: '01087654321' }],
    messageFlow: [{ sms: { from: sms.from, text: sms.text } }],
  }
  await doubtful.trust.cache.refresh()
  proxy.mute()
  const answers = await Promise.all([
    send(doubtful, account, key),
    send(doubtful, account, omniKey, omni, 'omni'),
  ])
  assert.equal(JSON.stringify(answers).match(/perhaps accepted/g)?.length, 3)
  // The cap is used up by the messages that may be on their way.
  assert.equal((await send(another, account, freshKey())).body.code, 'A343')
  const simple = await send(another, account, key)
  const { body } = await send(another, account, omniKey, omni, 'omni')
  const { destinations } = body.data as { destinations: { msgKey: string; code: string }[] }
  assert.deepEqual(
    [simple.body.code, ...destinations.map(({ code }) => code)],
    ['A000', 'A000', 'A306', 'A000'],
  )
  const keys = [simple.body.msgKey, destinations[0]!.msgKey, destinations[2]!.msgKey]
  const arrivedKeys = (await published(6)).map((job) => job.msgKey)
  assert.deepEqual(arrivedKeys.sort(), [...keys, ...keys].sort())
  proxy.unmute()
})

test('a message that a rule held when it was perhaps accepted is held when it is accepted again', async () => {
  const proxy = await createProxy(brokerUrls()[0]!)
  const distant = await testBroker.open({ urls: [proxy.url], publishTimeoutMs: 300 })
  const doubtful = await open({ broker: distant })
  await send(doubtful, await api.account(), undefined)
  await published(1)
  const [account, key] = [await api.account(), freshKey()]
  await updateProtection(database, account.id, { links: 'listed', onSuspicion: 'hold' })
  await setSwitches(database, ['link-allowed'], true, createTestAuditContext())
  addCleanup(() => setSwitches(database, ['link-allowed'], false, createTestAuditContext()))
  await doubtful.trust.cache.refresh()
  proxy.mute()
  const linked = { ...sms, text: 'see https://example.com' }
  assert.match((await send(doubtful, account, key, linked)).body.result, /perhaps accepted/)
  assert.equal((await send(another, account, key, linked)).body.code, 'A000')
  assert.deepEqual(
    (await published(2)).map(({ heldBy }) => heldBy),
    ['link-allowed', 'link-allowed'],
  )
  proxy.unmute()
})

test('a request repeated after a crash is refused only until its message can be accepted', async () => {
  const [account, key] = [await capped(0), freshKey()]
  const msgKey = await abandonedClaim(account, key, 0)
  // The process may have published the message before it crashed, so the refusal of the repeat is not the answer.
  for (let nth = 0; nth < 2; nth++) {
    const { status, body } = await send(another, account, key)
    assert.deepEqual([status, body.code], [503, 'A920'])
    assert.match(body.result, /perhaps accepted/)
  }
  await setDayCap(account, 1)
  assert.equal((await send(another, account, key)).body.msgKey, msgKey)
  await published(1)
})

test('a crash outdates what an earlier request knew', async () => {
  const [account, key] = [await capped(0), freshKey()]
  await (await claimOutside(account, key, 0)).release()
  await abandonedClaim(account, key, 0)
  const { status, body, headers } = await send(another, account, key)
  assert.deepEqual([status, body.code, headers['message-accepted']], [503, 'A920', 'perhaps'])
})

test('a request repeated after a crash is accepted after its send time', async () => {
  const [account, key] = [await api.account(), freshKey()]
  const sendAt = new Date(Date.now() - 3_600_000).toISOString()
  const path = `sms?sendAt=${encodeURIComponent(sendAt)}`
  assert.equal((await send(api, account, freshKey(), sms, path)).body.code, 'A300')
  const msgKey = await abandonedClaim(account, key, 0, sendAt)
  assert.equal((await send(another, account, key, sms, path)).body.msgKey, msgKey)
  await published(1)
})

test('a request repeated after a crash uses the reserved msgKey', async () => {
  const [account, key] = [await api.account(), freshKey()]
  const msgKey = await abandonedClaim(account, key, 300)
  const answer = await send(another, account, key)
  assert.deepEqual([answer.status, answer.body.msgKey], [200, msgKey])
  assert.equal((await published(1))[0]!.msgKey, msgKey)
})

test('a duplicate waits a limited time for the first request, then gets A022', async () => {
  const [account, key] = [await api.account(), freshKey()]
  const impatient = await open({ duplicateWaitMs: 100 })
  await abandonedClaim(account, key, 60_000)
  const { status, headers, body } = await send(impatient, account, key)
  assert.deepEqual([status, body.code, headers['retry-after']], [503, 'A022', '1'])
  assert.equal(headers['message-accepted'], 'perhaps')
  assert.deepEqual(await published(0), [])
})

test('a key is stored for 24 hours', async () => {
  const [account, key] = [await api.account(), freshKey()]
  await send(api, account, key)
  const leftMs = await redis.pttl(`${keyPrefix}idempotency:${account.id}:${key}`)
  assert.ok(leftMs > 86_390_000 && leftMs <= 86_400_000, String(leftMs))
  await published(1)
})
