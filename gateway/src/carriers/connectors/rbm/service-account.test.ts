import assert from 'node:assert/strict'
import { generateKeyPairSync, verify } from 'node:crypto'
import { test } from 'node:test'
import { publicKey, rbmOptions, serviceAccount } from '../../../../test/support/carriers/rbm.ts'
import { findLogin } from '../registry.ts'
import { parseServiceAccount, tokenRequest } from './service-account.ts'

test('a token request has an assertion of RFC 7523, signed with the key', () => {
  const account = parseServiceAccount(serviceAccount())
  const form = new URLSearchParams(tokenRequest(account, Date.parse('2026-11-15T04:04:27.900Z')))
  assert.equal(form.get('grant_type'), 'urn:ietf:params:oauth:grant-type:jwt-bearer')
  const [header, claims, signature] = form.get('assertion')!.split('.') as [string, string, string]
  const read = (part: string): unknown => JSON.parse(Buffer.from(part, 'base64url').toString())
  assert.deepEqual(read(header), { alg: 'RS256', typ: 'JWT', kid: 'k1' })
  assert.deepEqual(read(claims), {
    iss: 'agent@acme.example',
    scope: 'https://www.googleapis.com/auth/rcsbusinessmessaging',
    aud: 'https://oauth2.googleapis.com/token',
    iat: 1794715467,
    exp: 1794719067,
  })
  const signed = Buffer.from(`${header}.${claims}`)
  assert.ok(verify('sha256', signed, publicKey, Buffer.from(signature, 'base64url')))
})

test('a wrong key file or option is refused with the name of the field', () => {
  const elliptic = generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
  const wrong: readonly (readonly [object, RegExp])[] = [
    [{ serviceAccount: 'hush' }, /serviceAccount must be the JSON of a key file, with client_email/],
    [{ serviceAccount: serviceAccount({ client_email: 1 }) }, /with client_email/],
    [
      { serviceAccount: serviceAccount({ private_key: 'hush' }) },
      /private_key of serviceAccount must be an RSA key/,
    ],
    [{ serviceAccount: serviceAccount({ private_key: elliptic.privateKey }) }, /must be an RSA key/],
    [
      { serviceAccount: serviceAccount({ token_uri: 'hush' }) },
      /token_uri of serviceAccount must be a valid URL/,
    ],
    [{ agentId: undefined }, /agentId or agents is required/],
    [{ url: 'http://a:b' }, /url must be an http or https URL/],
  ]
  for (const [options, message] of wrong)
    assert.throws(
      () => rbmOptions(options),
      (error: Error) => message.test(error.message) && !error.message.includes('hush'),
      String(message),
    )
})

test('the login is the service account, unless a group of receipts is given', () => {
  const options = { serviceAccount: serviceAccount(), agentId: 'a', clientToken: 'env:NOT_SET_ANYWHERE' }
  assert.equal(findLogin('rbm', options), '["rbm","agent@acme.example"]')
  assert.equal(findLogin('rbm', { ...options, receiptGroup: 'g' }), '["rbm","g"]')
  assert.equal(findLogin('rbm', { ...options, serviceAccount: 'env:NOT_SET_ANYWHERE' }), null)
})
