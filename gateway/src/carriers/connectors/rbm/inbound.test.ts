import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { rbmOptions } from '../../../../test/support/carriers/rbm.ts'
import type { InboundRequest, InboundResult } from '../options/kind.ts'
import { createInbound } from '../registry.ts'

const inbound = createInbound('rbm', rbmOptions())!

function send(body: object | string, headers: Record<string, string> = {}, method = 'POST'): InboundResult {
  const octets = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
  const request: InboundRequest = { method, path: '/', query: new URLSearchParams(), headers, body: octets }
  return inbound(request)
}

function signed(data: object | string, key = 'client-token'): InboundResult {
  const octets = Buffer.from(typeof data === 'string' ? data : JSON.stringify(data))
  const signature = createHmac('sha512', key).update(octets).digest('base64')
  const message = { data: octets.toString('base64'), attributes: {}, messageId: '1' }
  return send({ message, subscription: 's' }, { 'x-goog-signature': signature })
}

const event = {
  senderPhoneNumber: '+821012345678',
  eventId: 'e1',
  messageId: '670236e2-2927-5f63-86d5-d1f7bb1434fa',
  sendTime: '2026-11-15T04:04:27.123456789Z',
  agentId: 'acme_agent',
}

test('events about a message become receipts with its id', () => {
  const results: Readonly<Record<string, readonly [string, string]>> = {
    DELIVERED: ['delivered', 'delivered'],
    READ: ['delivered', 'delivered'],
    TTL_EXPIRATION_REVOKED: ['failed', 'timeout'],
    TTL_EXPIRATION_REVOKE_FAILED: ['pending', 'timeout'],
  }
  for (const [eventType, [result, cause]] of Object.entries(results))
    assert.deepEqual(signed({ ...event, eventType }), {
      receipts: [
        {
          carrierId: event.messageId,
          result,
          cause,
          code: eventType,
          recipient: '',
          sender: 'acme_agent',
          at: new Date('2026-11-15T04:04:27.123Z'),
        },
      ],
      events: [],
      response: { status: 200 },
    })
})

test('messages and other events of users are counted and acknowledged', () => {
  const from = { senderPhoneNumber: '+821012345678', messageId: 'm', agentId: 'acme_agent' }
  const counted: readonly (readonly [object | string, string])[] = [
    [{ ...from, text: 'STOP' }, 'reply'],
    [{ ...from, userFile: {} }, 'reply'],
    [{ ...from, location: {} }, 'reply'],
    [{ ...from, suggestionResponse: { text: 'x' } }, 'suggestion'],
    [{ ...event, eventType: 'UNSUBSCRIBE' }, 'opt-out'],
    [{ ...event, eventType: 'SUBSCRIBE' }, 'opt-in'],
    [{ ...event, eventType: 'IS_TYPING' }, 'typing'],
    [{ ...event, eventType: 'toString' }, 'other'],
    [{ agentLaunchEvent: {} }, 'other'],
    [{ ...event, eventType: 'DELIVERED', messageId: 7 }, 'malformed-receipt'],
    [{ ...event, eventType: 'DELIVERED', messageId: 'x'.repeat(65) }, 'malformed-receipt'],
    ['not JSON', 'malformed-receipt'],
    ['[]', 'malformed-receipt'],
  ]
  for (const [data, name] of counted) {
    const { receipts, events, response } = signed(data)
    assert.deepEqual(
      { receipts, events, response },
      { receipts: [], events: [name], response: { status: 200 } },
      name,
    )
  }
  const reply = { from: '01012345678', to: [] }
  const sendTime = '2026-11-14T15:04:05.123Z'
  assert.deepEqual(signed({ ...from, text: 'STOP', sendTime }).replies, [
    { ...reply, text: 'STOP', id: 'm', at: new Date(sendTime) },
  ])
  assert.deepEqual(signed({ ...event, eventType: 'UNSUBSCRIBE' }).replies, [
    { ...reply, text: null, choice: 'opt-out' },
  ])
})

test('a request that is not signed with the token is refused before it is parsed', () => {
  const delivered = { ...event, eventType: 'DELIVERED' }
  const refused = { receipts: [], response: { status: 401 } }
  assert.deepEqual(signed(delivered, 'another-token'), refused)
  const data = Buffer.from(JSON.stringify(delivered)).toString('base64')
  const signature = createHmac('sha512', 'client-token').update(data).digest('base64')
  // Signature of the text instead of the decoded data.
  assert.deepEqual(send({ message: { data } }, { 'x-goog-signature': signature }), refused)
  assert.deepEqual(send({ message: { data } }), refused)
  assert.deepEqual(send({ message: 'x' }, { 'x-goog-signature': '' }), refused)
})

test('the handshake returns the secret to the holder of the token only', () => {
  assert.deepEqual(send({ clientToken: 'client-token', secret: 's3cret' }), {
    receipts: [],
    events: ['webhook-verified'],
    response: { status: 200, contentType: 'text/plain; charset=utf-8', body: 's3cret' },
  })
  const status = (body: object | string, method?: string): number => send(body, {}, method).response.status
  assert.equal(status({ clientToken: 'client-tokem', secret: 's3cret' }), 401)
  assert.equal(status({ secret: 's3cret' }), 401)
  assert.equal(status({ clientToken: 'client-token' }), 400)
  assert.equal(status({ clientToken: 'client-token', secret: 'x'.repeat(1_025) }), 400)
  assert.equal(status('{'), 400)
  assert.equal(status('[]'), 400)
  assert.equal(status({}, 'GET'), 405)
})
