/** Pushed results become receipts; only requests with the token are read. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { kakaoOptions, webhookToken } from '../../../test/support/kakao-messages.ts'
import type { InboundRequest } from '../kind.ts'
import { createInbound } from '../registry.ts'
import { serialBase } from './serial.ts'

const serial = serialBase('20261115000000000C00A00000000001-1-1-1')
const result = { serial_number: `${serial}-02`, code: '3019', received_at: '2026-11-15 13:04:27' }

function request(body: unknown, overrides: Partial<InboundRequest> = {}): InboundRequest {
  return {
    ...{ method: 'POST', path: `/${webhookToken}`, query: new URLSearchParams(), headers: {} },
    body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
    ...overrides,
  }
}

const inbound = (overrides: object = {}) => createInbound('kakao', kakaoOptions(overrides))!

test('one result, a list, and the form of polled results', () => {
  const receipt = {
    ...{ carrierId: serial, result: 'failed', cause: 'no-subscriber', code: '3019' },
    ...{ recipient: '', sender: '', at: new Date('2026-11-15T04:04:27Z') },
  }
  const answer = { status: 200, contentType: 'application/json', body: '{"code":"0000"}' }
  assert.deepEqual(inbound()(request(result)), { receipts: [receipt], answer })
  assert.deepEqual(inbound()(request([result, result])).receipts, [receipt, receipt])
  const polled = { response: { success: [{ serial_number: serial }], fail: [{ ...result, status: '3020' }] } }
  assert.deepEqual(
    inbound()(request(polled)).receipts.map(({ cause }) => cause),
    ['delivered', 'refused'],
  )
})

test('the previous token is accepted as well, and no other', () => {
  const previousWebhookToken = 'previous-token-of-kakao'
  const status = (path: string) => inbound({ previousWebhookToken })(request(result, { path })).answer.status
  assert.deepEqual(
    [status(`/${webhookToken}`), status(`/${previousWebhookToken}`), status('/'), status('/undefined')],
    [200, 200, 401, 401],
  )
  assert.equal(inbound()(request(result, { path: '/undefined' })).answer.status, 401)
})

test('the names of fields and the answer are options', () => {
  const read = inbound({ pushFields: { serial: 'sn', code: 'result', at: 'time' }, pushAnswer: 'OK' })
  const { receipts, answer } = read(request({ sn: serial, result: '0000', time: '2026-11-15T13:04:27Z' }))
  assert.deepEqual(
    [receipts[0]!.result, receipts[0]!.at?.toISOString()],
    ['delivered', '2026-11-15T13:04:27.000Z'],
  )
  assert.equal(answer.body, 'OK')
})

test('what cannot be read is refused and counted, and does not hold up what can be', () => {
  const nothing = { receipts: [], answer: { status: 400 }, events: ['malformed-receipt'] }
  for (const body of [
    '',
    'x',
    '[]',
    '{}',
    'null',
    '{"serial_number":1,"code":"0000"}',
    '{"serial_number":"1"}',
  ])
    assert.deepEqual(inbound()(request(body)), nothing, body)
  const mixed = inbound()(request([result, 7, null, {}]))
  assert.deepEqual(
    [mixed.receipts.length, mixed.events, mixed.answer.status],
    [1, ['malformed-receipt'], 200],
  )
})

test('a request without the token is refused before it is read', () => {
  for (const path of ['/', `/${webhookToken}x`, `/${webhookToken}/`, '/TOKEN-OF-THE-RESULTS'])
    assert.deepEqual(inbound()(request(result, { path })), { receipts: [], answer: { status: 401 } })
  assert.equal(inbound()(request(result, { method: 'GET' })).answer.status, 405)
  const without = inbound({ webhookToken: undefined })
  assert.equal(without(request(result)).answer.status, 401)
  assert.equal(without(request(result, { path: '/undefined' })).answer.status, 401)
})
