import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inspect } from 'node:util'
import { createTestBroker } from '../../../test/support/engines/broker.ts'
import { createTestDatabase } from '../../../test/support/engines/database.ts'
import { createTestServer } from '../../../test/support/http/server.ts'
import type { AcceptedJob } from '../../jobs/jobs.ts'
import { isMsgKey } from '../../contract/msg-key.ts'

const { database } = await createTestDatabase()
const testBroker = await createTestBroker()
const { broker, topology } = testBroker
const api = await createTestServer({ database, broker, topology })
const account = await api.account()
const sms = { from: '0234567890', to: '01012345678', text: 'hello' }
const international = { from: '0234567890', to: '+4915112345678', text: 'hello' }
const bodies = { sms, international }
type Path = keyof typeof bodies

const send = (path: Path, body: unknown) => api.call(account, 'POST', `/v1/send/${path}`, body)

test('responds with A000 in the documented shape after the job is queued', async () => {
  const { status, body } = await send('sms', { ...sms, ref: 'order 7', originCID: '123456789' })
  const msgKey = String(body.msgKey)
  assert.equal(status, 200)
  assert.deepEqual(body, { code: 'A000', result: 'Success', msgKey, ref: 'order 7' })
  assert.ok(isMsgKey(msgKey))
  assert.equal(await broker.depth(topology.accepted.normal), 1)
  const [job] = (await testBroker.drain(topology.accepted.normal, 1)) as AcceptedJob[]
  assert.deepEqual(job, {
    v: 1,
    msgKey,
    accountId: account.id,
    acceptedAt: job!.acceptedAt,
    acceptedBy: job!.acceptedBy,
    to: sms.to,
    ref: 'order 7',
    steps: [{ channel: 'sms', from: sms.from, text: 'hello', originCid: '123456789' }],
  })
  assert.ok(Math.abs(Date.now() - job.acceptedAt) < 60_000)
})

test('sends to a mobile number in the form of the messenger as to its domestic form', async () => {
  const to = '821012345678'
  const alimtalk = { senderKey: 'k', msgType: 'AT', to, templateCode: 't', text: 'hello' }
  const flow = { destinations: [{ to }], messageFlow: [{ sms: { from: sms.from, text: 'hello' } }] }
  for (const [path, body] of Object.entries({ alimtalk, sms: { ...sms, to }, omni: flow })) {
    const response = await api.call(account, 'POST', `/v1/send/${path}`, body)
    assert.equal(response.body.code, 'A000', response.body.result)
    const [job] = (await testBroker.drain(topology.accepted.normal, 1)) as AcceptedJob[]
    assert.equal(job!.to, '01012345678', path)
  }
})

test('omits ref if the client sent none', async () => {
  const { body } = await send('international', international)
  assert.deepEqual(Object.keys(body), ['code', 'result', 'msgKey'])
  await testBroker.drain(topology.accepted.normal, 1)
})

test('every message of a burst has its own key and reaches the queue once', async () => {
  const responses = await Promise.all(
    Array.from({ length: 300 }, (_, n) => send('sms', { ...sms, ref: String(n) })),
  )
  const keys = new Set(responses.map(({ body }) => String(body.msgKey)))
  assert.equal(keys.size, 300)
  const jobs = (await testBroker.drain(topology.accepted.normal, 300)) as AcceptedJob[]
  assert.equal(jobs.length, 300)
  assert.deepEqual(new Set(jobs.map((job) => job.msgKey)), keys)
})

const wrong: [change: object, code: string, field: string][] = [
  [{ from: undefined }, 'A302', 'from'],
  [{ from: '' }, 'A302', 'from'],
  [{ from: null }, 'A302', 'from'],
  [{ from: 212345678 }, 'A302', 'from'],
  [{ from: '한국' }, 'A302', 'from'],
  [{ from: '0'.repeat(21) }, 'A302', 'from'],
  [{ to: undefined }, 'A306', 'to'],
  [{ to: '' }, 'A306', 'to'],
  [{ to: ['01012345678'] }, 'A306', 'to'],
  [{ to: '1012345678' }, 'A306', 'to'],
  [{ text: undefined }, 'A303', 'text'],
  [{ text: '' }, 'A303', 'text'],
  [{ text: 7 }, 'A303', 'text'],
  [{ text: 'a\u0000b' }, 'A303', 'text'],
  [{ text: 'a'.repeat(2_001) }, 'A328', 'text'],
  [{ ref: 7 }, 'A305', 'ref'],
  [{ ref: 'r'.repeat(201) }, 'A305', 'ref'],
  // 101 emoji are 202 UTF-16 units, and those are what limits count.
  [{ ref: '😀'.repeat(101) }, 'A305', 'ref'],
  // PostgreSQL cannot store these values, so they must be refused here, not accepted and lost.
  [{ ref: 'a\u0000b' }, 'A305', 'ref'],
  [{ unknown: 'x' }, 'A300', 'unknown'],
  [{ Text: 'x' }, 'A300', 'Text'],
]
for (const path of ['sms', 'international'] as const) {
  for (const [change, code, field] of wrong) {
    const label = inspect(change, { breakLength: Infinity }).slice(0, 30)
    test(`${path} rejects ${label} with ${code}`, async () => {
      const { status, body } = await send(path, { ...bodies[path], ...change })
      assert.deepEqual([status, body.code, body.field], [400, code, field])
      assert.ok(body.result.includes(`'${field}'`), body.result)
      assert.deepEqual(Object.keys(body), ['code', 'result', 'field'])
    })
  }
}

for (const originCID of ['12345678', '1234567890', '12345678x', 123456789]) {
  test(`sms rejects the originCID ${JSON.stringify(originCID)} with A300`, async () => {
    const { status, body } = await send('sms', { ...sms, originCID })
    assert.deepEqual([status, body.code], [400, 'A300'])
    assert.match(body.result, /originCID/)
  })
}

for (const field of [{ title: 'x' }, { fileKey: ['key'] }]) {
  test(`international rejects ${Object.keys(field).join()} with A321, sms with A300`, async () => {
    const { status, body } = await send('international', { ...international, ...field })
    assert.deepEqual([status, body.code], [400, 'A321'], body.result)
    assert.equal((await send('sms', { ...sms, ...field })).body.code, 'A300')
  })
}

test('international accepts no originCID', async () => {
  const { body } = await send('international', { ...international, originCID: '123456789' })
  assert.equal(body.code, 'A300')
})

test('a domestic number is not an international recipient, and vice versa', async () => {
  assert.equal((await send('sms', { ...sms, to: international.to })).body.code, 'A306')
  assert.equal((await send('international', { ...international, to: sms.to })).body.code, 'A306')
})

for (const ref of ['', '주문 7 ✓']) {
  test(`accepts the ref '${ref}'`, async () => {
    const { status, body } = await send('sms', { ...sms, ref })
    assert.deepEqual([status, body.ref], [200, ref], body.result)
  })
}

test('a rejected message never reaches the queue', async () => {
  const before = await broker.depth(topology.accepted.normal)
  await send('sms', { ...sms, text: '😀' })
  await send('sms', { ...sms, to: '1' })
  assert.equal(await broker.depth(topology.accepted.normal), before)
})
