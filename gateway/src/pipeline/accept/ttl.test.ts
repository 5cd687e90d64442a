import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestBroker } from '../../../test/support/engines/broker.ts'
import { createTestDatabase } from '../../../test/support/engines/database.ts'
import { createTestServer } from '../../../test/support/http/server.ts'
import { channels } from '../../channels/registry.ts'
import type { AcceptedJob } from '../../jobs/jobs.ts'

const { database } = await createTestDatabase()
const testBroker = await createTestBroker()
const { broker, topology } = testBroker
const api = await createTestServer({ database, broker, topology })
const account = await api.account()

const to = '01012345678'
const from = '0234567890'
const kakao = { senderKey: 'k', msgType: 'FT', text: 'hello', adFlag: 'N' }
const entries: Readonly<Record<string, object>> = {
  sms: { from, text: 'hello' },
  mms: { from, text: 'hello' },
  rcs: { from, formatId: 'SS000000', content: { standalone: { text: 'hello' } } },
  alimtalk: { senderKey: 'k', msgType: 'AT', templateCode: 't', text: 'hello' },
  friendtalk: kakao,
  brandmessage: { ...kakao, sendType: 'free' },
}
const flowChannels = Object.values(channels).flatMap(({ name, entry }) => (entry === null ? [] : [name]))

const call = async (path: string, body: object) => (await api.call(account, 'POST', path, body)).body
const flow = (channel: string, change: object) => ({
  destinations: [{ to }],
  messageFlow: [{ [channel]: { ...entries[channel], ...change } }],
})
/** Sends and returns the time limits of the steps of the message, which must be in the urgent lane. */
async function urgentLimits(path: string, body: object): Promise<(number | undefined)[]> {
  const { code, result } = await call(path, body)
  assert.equal(code, 'A000', result)
  const [job] = (await testBroker.drain(topology.accepted.urgent, 1)) as AcceptedJob[]
  return job!.steps.map(({ ttlSeconds }) => ttlSeconds)
}

for (const channel of flowChannels) {
  test(`a short ttl of ${channel} in a flow limits its time and is urgent`, async () => {
    assert.deepEqual(await urgentLimits('/v1/send/omni', flow(channel, { ttl: '60' })), [60])
  })

  test(`a wrong ttl of ${channel} in a flow is A304`, async () => {
    for (const ttl of ['0', '259201', '-1', '1.5', '1e3', ' 1', '1 ', 'a']) {
      const { data } = await call('/v1/send/omni', flow(channel, { ttl }))
      const { code, result } = (data as { destinations: { code: string; result: string }[] }).destinations[0]!
      assert.deepEqual([code, result.includes(`messageFlow[0].${channel}.ttl`)], ['A304', true], result)
    }
    assert.equal((await call('/v1/send/omni', flow(channel, { ttl: 60 }))).code, 'A304')
  })
}

for (const channel of ['rcs', 'alimtalk']) {
  const path = `/v1/send/${channel}`
  const withFallback = (ttl: unknown): object => ({
    ...entries[channel],
    ...(channel === 'rcs' ? { brandKey: 'b' } : {}),
    to,
    fallback: { type: 'SMS', from, text: 'hello', ttl },
  })

  test(`?ttl= limits ${channel} and ttl its fallback`, async () => {
    assert.deepEqual(await urgentLimits(`${path}?ttl=60`, withFallback('120')), [60, 120])
  })

  test(`a wrong ttl of the fallback of ${channel} is A304`, async () => {
    for (const ttl of ['0', 60]) {
      const { code, result } = await call(path, withFallback(ttl))
      assert.deepEqual([code, result.includes('fallback.ttl')], ['A304', true], result)
    }
  })
}

test('the earlier of an RCS expiryOption and ttl applies', async () => {
  const limits = (change: object) => urgentLimits('/v1/send/omni', flow('rcs', change))
  assert.deepEqual(await limits({ expiryOption: '2', ttl: '10' }), [10])
  assert.deepEqual(await limits({ expiryOption: '2', ttl: '100' }), [40])
  const simple = { ...entries.rcs, to, brandKey: 'b', expiryOption: '2' }
  assert.deepEqual(await urgentLimits('/v1/send/rcs?ttl=100', simple), [40])
})

test('a simple text takes ?ttl=, and a wrong one is A304', async () => {
  const international = { from, to: '+4915112345678', text: 'hello' }
  assert.deepEqual(await urgentLimits('/v1/send/sms?ttl=60', { ...entries.sms, to }), [60])
  assert.deepEqual(await urgentLimits('/v1/send/international?ttl=60', international), [60])
  for (const query of ['ttl=0', 'ttl=', 'ttl=soon', 'ttl=60&ttl=70', 'ttl=0&dryRun=true'])
    assert.equal((await call(`/v1/send/sms?${query}`, { ...entries.sms, to })).code, 'A304', query)
})

test('a dry run shows the time limits of a message and its fallback', async () => {
  const body = { ...entries.alimtalk, to, fallback: { type: 'SMS', from, text: 'hello', ttl: '259200' } }
  const { data } = await call('/v1/send/alimtalk?dryRun=true&ttl=1', body)
  const [{ steps }] = (data as { destinations: [{ steps: { deadlineSeconds: number }[] }] }).destinations
  assert.deepEqual(
    steps.map(({ deadlineSeconds }) => deadlineSeconds),
    [1, 259_200],
  )
})
