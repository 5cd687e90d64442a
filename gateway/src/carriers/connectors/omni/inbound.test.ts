import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { createPeerReport } from '../../../../test/contract/connector-conformance/omni-peer.ts'
import type { InboundRequest } from '../options/kind.ts'
import { createInbound, readOptions } from '../registry.ts'

const secret = `whsec_${Buffer.from('a secret of 24 octets...').toString('base64')}`
const account = { url: 'https://api.example.net', clientId: 'acme', password: 'secret08' }
const standard = { ...account, results: 'webhook', webhookSecret: secret }
const body = Buffer.from(JSON.stringify(createPeerReport('M1', '', '10000')))

function request(overrides: Partial<InboundRequest> = {}): InboundRequest {
  const query = new URLSearchParams()
  return { method: 'POST', path: '/report', query, headers: {}, body, ...overrides }
}

function signed(content: Buffer, at = new Date()): InboundRequest['headers'] {
  return {
    'webhook-id': 'M1-1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign('M1-1', at, content.toString()),
  }
}

test('a signed report is acknowledged with its msgKey', () => {
  const inbound = createInbound('omni', standard)!
  const { receipts, response } = inbound(request({ headers: signed(body) }))
  assert.equal(receipts[0]!.carrierId, 'M1')
  assert.deepEqual(response, { status: 200, contentType: 'application/json', body: '{"msgKey":"M1"}' })
})

test('accepts reports signed with the previous secret', () => {
  const other = `whsec_${Buffer.from('another of 24 octets....').toString('base64')}`
  const inbound = createInbound('omni', { ...standard, webhookSecret: other, previousWebhookSecret: secret })!
  assert.equal(inbound(request({ headers: signed(body) })).response.status, 200)
  const [first, second] = ['a-secret-in-the-path', 'the-previous-secret-']
  const path = { ...standard, webhookSignature: 'path', webhookSecret: first, previousWebhookSecret: second }
  const statuses = [first, second, 'yet-another-secret-'].map(
    (last) => createInbound('omni', path)!(request({ path: `/report/${last}` })).response.status,
  )
  assert.deepEqual(statuses, [200, 200, 401])
  assert.throws(() => readOptions('omni', { ...path, previousWebhookSecret: 'x' }), /previousWebhookSecret/)
})

test('rejects reports with a wrong signature, body, time, path or results option', () => {
  const inbound = createInbound('omni', standard)!
  const old = new Date(Date.now() - 600_000)
  for (const wrong of [
    request(),
    request({ headers: signed(Buffer.from('{}')) }),
    request({ headers: signed(body, old) }),
    request({ headers: signed(body), path: '/other' }),
  ])
    assert.deepEqual(inbound(wrong), { receipts: [], response: { status: 401 } })
  const polling = createInbound('omni', { ...standard, results: 'polling' })!
  assert.equal(polling(request({ headers: signed(body) })).response.status, 401)
})

test('a notice of Postern is counted; any other request that is not a report is refused', () => {
  const inbound = createInbound('omni', standard)!
  const notice = Buffer.from('{"type":"webhook.disabled","data":{}}')
  assert.deepEqual(inbound(request({ headers: signed(notice), body: notice })), {
    receipts: [],
    events: ['webhook-notice'],
    response: { status: 200 },
  })
  for (const text of ['null', '[]', '{', '{"msgKey":"M1"}', '{"msgKey":{},"reportCode":1}']) {
    const content = Buffer.from(text)
    assert.equal(inbound(request({ headers: signed(content), body: content })).response.status, 400, text)
  }
})

test('a service that does not sign reports is verified by the secret in its URL', () => {
  const inbound = createInbound('omni', {
    ...standard,
    webhookSignature: 'path',
    webhookSecret: 'sixteen-letters-',
  })!
  assert.equal(inbound(request({ path: '/report/sixteen-letters-' })).response.status, 200)
  assert.equal(inbound(request({ path: '/report/sixteen-letters' })).response.status, 401)
})

test('options that cannot work are refused when the route is stored', () => {
  const refused = (options: object, error: RegExp) => {
    assert.throws(() => readOptions('omni', { ...account, ...options }), error)
  }
  refused({ results: 'webhook' }, /webhookSecret is required/)
  refused({ results: 'webhook', webhookSecret: '!' }, /webhookSecret must be base64/)
  refused({ results: 'webhook', webhookSecret: 'short', webhookSignature: 'path' }, /at least 16/)
  refused({ url: 'ftp://example.net' }, /url/)
  process.env.POSTERN_PUBLIC_FILE_URL = 'https://api.example.net/v1/file/content'
  refused({}, /url must not be the URL of this gateway/)
  delete process.env.POSTERN_PUBLIC_FILE_URL
})
