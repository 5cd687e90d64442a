import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestBroker } from '../../../test/support/engines/broker.ts'
import { createTestDatabase } from '../../../test/support/engines/database.ts'
import { createTestRedis } from '../../../test/support/engines/redis.ts'
import { createTestServer } from '../../../test/support/http/server.ts'
import type { Lane } from '../../channels/lane.ts'
import { Problem } from '../../contract/problem.ts'

const { redis, keyPrefix } = await createTestRedis()
const { database } = await createTestDatabase()
const { broker, topology } = await createTestBroker()

const requests: [Lane, number][][] = []
let refusal: Problem | undefined
const api = await createTestServer({
  database,
  broker,
  topology,
  redis,
  queuePrefix: keyPrefix,
  admit(_account, messages) {
    requests.push([...messages])
    if (refusal !== undefined) throw refusal
  },
})
const account = await api.account()

const from = '0234567890'
const sms = { from, to: '01012345678', text: 'hello' }
const omni = (count: number, step: object = {}, words?: readonly string[]) => ({
  destinations: Array.from({ length: count }, (_, nth) => ({
    to: `0101234567${nth}`,
    ...(words === undefined ? {} : { replaceWords: { word: words[nth] } }),
  })),
  messageFlow: [{ sms: { from, text: words === undefined ? 'hello' : '#{word} hello', ...step } }],
})
const send = (path: string, body: object, headers = {}) =>
  api.call(account, 'POST', `/v1/send/${path}`, body, headers)
const depth = async (): Promise<number> =>
  (await broker.depth(topology.accepted.normal)) + (await broker.depth(topology.accepted.urgent))

test('admission receives the lane and the message count of each request', async () => {
  refusal = undefined
  requests.length = 0
  await send('sms', sms)
  await send('sms', { ...sms, text: '(광고) sale' })
  await send('omni', omni(10, { ttl: '180' }))
  await send('omni', omni(3, {}, ['(광고)', 'a', '(광고)']))
  assert.deepEqual(requests, [
    [['normal', 1]],
    [['bulk', 1]],
    [['urgent', 10]],
    [
      ['bulk', 2],
      ['normal', 1],
    ],
  ])
})

test('a wrong request and a dry run are not counted', async () => {
  refusal = undefined
  requests.length = 0
  await send('sms', { ...sms, to: '' })
  await send('sms?dryRun=true', sms)
  assert.deepEqual(requests, [])
})

for (const [code, status] of [
  ['A020', 429],
  ['A920', 503],
] as const) {
  test(`a refusal with ${code} is ${status} with Retry-After, and accepts no message`, async () => {
    const before = await depth()
    refusal = new Problem(code, 'not now', 7)
    for (const response of [await send('sms', sms), await send('omni', omni(10))]) {
      assert.deepEqual([response.status, response.headers['retry-after']], [status, '7'])
      assert.deepEqual(response.body, { code, result: 'not now' })
    }
    assert.equal(await depth(), before)
  })

  test(`a refusal with ${code} is not stored as the response for an Idempotency-Key`, async () => {
    const headers = { 'idempotency-key': `refused-${code}` }
    refusal = new Problem(code, 'not now', 1)
    assert.equal((await send('omni', omni(10), headers)).status, status)
    refusal = undefined
    const accepted = await send('omni', omni(10), headers)
    assert.deepEqual([accepted.status, accepted.headers['idempotency-replayed']], [200, undefined])
    const repeated = await send('omni', omni(10), headers)
    assert.deepEqual(repeated.body, accepted.body)
  })
}
