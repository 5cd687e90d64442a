/** Only callbacks of the carrier are accepted, by each way that one can prove itself. */
import assert from 'node:assert/strict'
import { createHmac, generateKeyPairSync, sign } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { test } from 'node:test'
import { createInbound } from '../registry.ts'

const body = Buffer.from('{"id":"a","status":"ok"}')
const base = {
  secrets: { key: 'secret' },
  send: { url: 'https://api.example/send', fields: { text: '{text}' } },
  answer: { rules: [{ if: { status: '2..' }, outcome: 'accepted' }], id: { pointer: '/id' } },
  receipt: { id: ['/id'], status: ['/status'], values: { ok: 'delivered' } },
}

function statusOf(options: object, headers: IncomingHttpHeaders, path = '/', content = body): number {
  const inbound = createInbound('http', { ...base, ...options })!
  const request = { method: 'POST', path, query: new URLSearchParams(), headers, body: content }
  return inbound(request).answer.status
}

test('path: the last segment is the secret', () => {
  const verify = { by: 'path', key: 'key' }
  assert.equal(statusOf({ verify }, {}, '/receipts/secret'), 200)
  for (const path of ['/', '/secre', '/secret/', '/%zz'])
    assert.equal(statusOf({ verify }, {}, path), 401, path)
})

test('header: it is the secret after the prefix', () => {
  const verify = { by: 'header', key: 'key', header: 'Authorization', prefix: 'Bearer ' }
  assert.equal(statusOf({ verify }, { authorization: 'Bearer secret' }), 200)
  for (const authorization of ['secret', 'Bearer', 'Bearer secret2', ''])
    assert.equal(statusOf({ verify }, { authorization }), 401)
  assert.equal(statusOf({ verify }, {}), 401)
})

test('hmac: body and named headers are signed', () => {
  const verify = { by: 'hmac', key: 'key', header: 'x-sig', signed: '{body}.{x-nonce}', encoding: 'base64' }
  const signature = createHmac('sha256', 'secret').update(body).update('.n1').digest('base64')
  assert.equal(statusOf({ verify }, { 'x-sig': signature, 'x-nonce': 'n1' }), 200)
  assert.equal(statusOf({ verify }, { 'x-sig': signature, 'x-nonce': 'n2' }), 401)
  assert.equal(statusOf({ verify }, { 'x-sig': signature, 'x-nonce': 'n1' }, '/', Buffer.from('{}')), 401)
})

test('ed25519: a signature with the key of the carrier', () => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const key = Buffer.from(publicKey.export({ format: 'jwk' }).x!, 'base64url').toString('base64')
  const verify = { by: 'ed25519', key: 'key', header: 'x-sig', signed: '{x-time}|{body}', encoding: 'base64' }
  const signed = sign(null, Buffer.concat([Buffer.from('7|'), body]), privateKey).toString('base64')
  for (const text of [key, publicKey.export({ format: 'pem', type: 'spki' }).toString()]) {
    const options = { verify, secrets: { key: text } }
    assert.equal(statusOf(options, { 'x-sig': signed, 'x-time': '7' }), 200)
    assert.equal(statusOf(options, { 'x-sig': signed, 'x-time': '8' }), 401)
    assert.equal(statusOf(options, { 'x-sig': 'AAAA', 'x-time': '7' }), 401)
  }
})

test('twilio: the signature that its documentation computes', () => {
  // https://www.twilio.com/docs/usage/security, also a test vector of twilio-python.
  const options = {
    ...{ verify: { by: 'twilio', key: 'key' }, secrets: { key: '12345' } },
    callbackUrl: 'https://mycompany.com/myapp.php?foo=1&bar=2',
    receipt: { ...base.receipt, encoding: 'form', id: ['/CallSid'], status: ['/Digits'] },
  }
  const form = Buffer.from(
    'CallSid=CA1234567890ABCDE&Caller=%2B14158675309&Digits=1234&From=%2B14158675309&To=%2B18005551212',
  )
  const headers = { 'x-twilio-signature': 'RSOYDt4T1cUTdK1PDd93/VVr8B8=' }
  assert.equal(statusOf(options, headers, '/', form), 200)
  assert.equal(statusOf(options, headers, '/', Buffer.concat([form, Buffer.from('&a=b')])), 401)
})
