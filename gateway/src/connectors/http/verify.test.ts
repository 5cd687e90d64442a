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

test('a forged form of 1 MiB is refused before it costs time, signed or not', () => {
  const receipt = { ...base.receipt, encoding: 'form' }
  const twilio = {
    ...{ receipt, verify: { by: 'twilio', key: 'key' } },
    callbackUrl: 'https://example.com/inbound/r',
  }
  const forged = { 'x-twilio-signature': 'RSOYDt4T1cUTdK1PDd93/VVr8B8=' }
  const path = { receipt, verify: { by: 'path', key: 'key' } }
  for (const content of ['a&'.repeat(524_000), 'a&'.repeat(300), '+'.repeat(1_000_000)].map((text) =>
    Buffer.from(text),
  )) {
    const { user, system } = process.cpuUsage()
    assert.equal(statusOf(twilio, forged, '/', content), 401)
    assert.equal(statusOf(path, {}, '/secret', content), 400)
    const used = process.cpuUsage({ user, system })
    assert.ok(used.user + used.system < 500_000, `${used.user + used.system} us`)
  }
})

test('the query is read only where the verification covers it', () => {
  const receipt = { ...base.receipt, encoding: 'form' }
  const content = Buffer.from('from=821012345678')
  const receipts = (verify: object, headers: IncomingHttpHeaders, path: string): number =>
    createInbound('http', { ...base, receipt, verify })!({
      ...{ method: 'POST', path, headers, body: content },
      query: new URLSearchParams('id=of-another&status=ok'),
    }).receipts.length
  const signature = createHmac('sha256', 'secret').update(content).digest('hex')
  assert.equal(receipts({ by: 'path', key: 'key' }, {}, '/secret'), 1)
  assert.equal(receipts({ by: 'hmac', key: 'key', header: 'x-sig' }, { 'x-sig': signature }, '/'), 0)
})

test('after a change of the secret, the previous one is accepted as well; an empty one never', () => {
  const options = { verify: { by: 'path', key: 'key' }, secrets: { key: 'new', previousKey: 'secret' } }
  assert.deepEqual(
    ['/new', '/secret', '/other', '/'].map((path) => statusOf(options, {}, path)),
    [200, 200, 401, 401],
  )
  const optional = { profile: 'telnyx', secrets: { apiKey: 'k', publicKey: '' } }
  assert.throws(() => createInbound('http', optional))
})

test('an id of 64 bits keeps its digits', () => {
  const inbound = createInbound('http', { ...base, verify: { by: 'none' } })!
  for (const id of ['1589228074636000101', '1589228074636000102', '42']) {
    const content = Buffer.from(`{"id":${id},"status":"ok"}`)
    const request = { method: 'POST', path: '/', query: new URLSearchParams(), headers: {}, body: content }
    assert.equal(inbound(request).receipts[0]!.carrierId, id)
  }
})
