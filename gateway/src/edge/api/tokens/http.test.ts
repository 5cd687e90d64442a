import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestBroker } from '../../../../test/support/engines/broker.ts'
import { issueToken } from '../../../../test/support/http/issue-token.ts'
import { createTestDatabase } from '../../../../test/support/engines/database.ts'
import { createAccount, setBlocked } from '../../../../test/support/fixtures.ts'
import { createTestServer, type TestResponse } from '../../../../test/support/http/server.ts'
import { hashPassword } from '../../../identity/accounts/password.ts'
import { revokeTokens } from '../../../identity/accounts/queries.ts'
import { createTokenKey } from './token.ts'

const { database } = await createTestDatabase()
const { broker, topology } = await createTestBroker()
const api = await createTestServer({
  database,
  broker,
  topology,
  tokenRequestsPerMinute: 100,
  tokenFailuresPerMinute: 4,
  proxyHops: 1,
  credentialPrefixes: ['SVC', 'IB'],
})
const password = 'CORRECT-HORSE'
const passwordHash = await hashPassword(password)

const ask = (headers: Record<string, string>): Promise<TestResponse> =>
  api.inject({ method: 'POST', url: '/v1/auth/token', headers })
const askAs = (clientId: string, passwd: string, prefix = 'SVC'): Promise<TestResponse> =>
  ask({ [`X-${prefix}-Client-Id`]: clientId, [`X-${prefix}-Client-Passwd`]: passwd })
const use = (authorization: string | undefined): Promise<TestResponse> =>
  api.inject({
    method: 'GET',
    url: '/v1/report/polling',
    headers: authorization === undefined ? {} : { authorization },
  })

test('accepts the credentials under every configured prefix, in any case, and under no other', async () => {
  const { clientId } = await api.account({ passwordHash })
  assert.equal((await askAs(clientId, password, 'IB')).status, 200)
  assert.equal((await ask({ 'x-svc-client-id': clientId, 'X-SVC-CLIENT-PASSWD': password })).status, 200)
  const other = await askAs(clientId, password, 'ZZ')
  assert.deepEqual([other.status, other.body.code], [401, 'A100'])
})

test('issues a token whatever the body and its content type', async () => {
  const { clientId } = await api.account({ passwordHash })
  const url = '/v1/auth/token'
  const headers = { 'x-svc-client-id': clientId, 'x-svc-client-passwd': password }
  for (const type of [
    undefined,
    'application/json',
    'application/x-www-form-urlencoded',
    'text/plain;charset=UTF-8',
    'image/png',
  ]) {
    for (const payload of ['', '{}', 'null', 'not JSON']) {
      const typed = type === undefined ? headers : { ...headers, 'content-type': type }
      const { status, body } = await api.inject({ method: 'POST', url, headers: typed, payload })
      assert.deepEqual([status, body.code], [200, 'A000'], `${type}: '${payload}'`)
    }
  }
  const large = await api.inject({ method: 'POST', url, headers, payload: 'x'.repeat(100_000) })
  assert.deepEqual([large.status, large.body.code], [400, 'A300'])
})

test('an account created a moment ago gets a token', async () => {
  await createAccount(database, 'just-created', { passwordHash })
  const { status, body } = await askAs('just-created', password)
  assert.equal(status, 200)
  assert.equal((await use(`Bearer ${(body.data as { token: string }).token}`)).status, 200)
})

test('a token is accepted by a process that has not read its new account yet', async () => {
  const other = await createTestServer({ database, broker, topology })
  const id = await createAccount(database, 'created-elsewhere')
  const authorization = `Bearer ${await issueToken(database, other.tokenKey, id)}`
  const { status } = await other.inject({
    method: 'GET',
    url: '/v1/report/polling',
    headers: { authorization },
  })
  assert.equal(status, 200)
})

test('gives the same response for an unknown id and a wrong password', async () => {
  const { clientId } = await api.account({ passwordHash })
  const wrong = await askAs(clientId, 'WRONG')
  const unknown = await askAs('nobody', password)
  assert.deepEqual(wrong.body, { code: 'A100', result: 'Invalid authentication information' })
  assert.equal(wrong.status, 401)
  assert.deepEqual([unknown.status, unknown.body], [wrong.status, wrong.body])
})

for (const [description, headers] of [
  ['no headers', {}],
  ['no password', { 'x-svc-client-id': 'client' }],
  ['no id', { 'x-svc-client-passwd': 'something' }],
  ['an empty password', { 'x-svc-client-id': 'client', 'x-svc-client-passwd': '' }],
  ['a password that is too long', { 'x-svc-client-id': 'client', 'x-svc-client-passwd': 'x'.repeat(5_000) }],
] as const) {
  test(`refuses ${description} with A100`, async () => {
    const { status, body } = await ask(headers)
    assert.deepEqual([status, body.code], [401, 'A100'])
  })
}

test('a verified password is not accepted for another account', async () => {
  const account = await api.account({ passwordHash })
  const other = await api.account({ passwordHash: await hashPassword('another') })
  assert.equal((await askAs(account.clientId, password)).status, 200)
  assert.equal((await askAs(other.clientId, password)).status, 401)
})

test('responds with 429 after too many wrong passwords, even to an unverified correct one', async () => {
  const { clientId } = await api.account({ passwordHash: await hashPassword('NOT USED YET') })
  for (let n = 0; n < 4; n++) assert.equal((await askAs(clientId, `WRONG${n}`)).status, 401)
  const { status, headers, body } = await askAs(clientId, 'NOT USED YET')
  assert.deepEqual([status, body], [429, { code: 'A020', result: 'Rate limit exceeded' }])
  assert.match(String(headers['ratelimit-reason']), /^too many token requests/)
  assert.match(String(headers['retry-after']), /^[1-9]\d?$/)
})

test('a recently verified password is accepted despite many wrong ones', async () => {
  const { clientId } = await api.account({ passwordHash })
  assert.equal((await askAs(clientId, password)).status, 200)
  for (let n = 0; n < 4; n++) assert.equal((await askAs(clientId, `WRONG${n}`)).status, 401)
  assert.equal((await askAs(clientId, 'WRONG')).status, 429)
  assert.equal((await askAs(clientId, password)).status, 200)
})

test('a blocked account gets no token and its tokens stop working', async () => {
  const account = await api.account({ passwordHash })
  await setBlocked(database, account.clientId, true)
  await api.accounts.refresh()
  const tokenResponse = await askAs(account.clientId, password)
  assert.deepEqual([tokenResponse.status, tokenResponse.body.code], [403, 'A110'])
  const useResponse = await use(`Bearer ${account.token}`)
  assert.deepEqual([useResponse.status, useResponse.body.code], [403, 'A110'])
})

test('does not reveal that an account is blocked without its password', async () => {
  const account = await api.account({ passwordHash })
  await setBlocked(database, account.clientId, true)
  await api.accounts.refresh()
  assert.equal((await askAs(account.clientId, 'WRONG')).body.code, 'A100')
})

test('a revocation ends the tokens issued before it, and no later one', async () => {
  const account = await api.account({ passwordHash })
  await revokeTokens(database, account.clientId)
  await api.accounts.refresh()
  const useResponse = await use(`Bearer ${account.token}`)
  assert.deepEqual([useResponse.status, useResponse.body.code], [401, 'A002'])
  const { body } = await askAs(account.clientId, password)
  assert.equal((await use(`Bearer ${(body.data as { token: string }).token}`)).status, 200)
})

test('the scheme may be written in any case', async () => {
  const { token } = await api.account()
  assert.equal((await use(`bearer ${token}`)).status, 200)
  assert.equal((await use(`BEARER ${token}`)).status, 200)
})

test('refuses everything that is not a token with A002', async () => {
  const { token, id } = await api.account()
  const stranger = api.tokenKey.issue(id + 1_000, 1, new Date(), { credentialId: 1 }).token
  const wrong = [
    undefined,
    '',
    'Bearer',
    'Bearer ',
    token,
    `Basic ${token}`,
    `Bearer  ${token}`,
    `Bearer ${token} `,
    `Bearer ${token.slice(0, -1)}`,
    `Bearer ${token}A`,
    `Bearer ${token.slice(0, 20)}${token[20] === 'x' ? 'y' : 'x'}${token.slice(21)}`,
    `Bearer ${token}=`,
    `Bearer ${'A'.repeat(10_000)}`,
    `Bearer ${stranger}`,
  ]
  for (const authorization of wrong) {
    const { status, body } = await use(authorization)
    assert.deepEqual([status, body.code], [401, 'A002'], authorization)
  }
})

test('refuses a token of another cell with A002 and names that cell', async () => {
  const { token, id } = await api.account()
  const otherCell = createTokenKey('the secret of another cell, 32 characters', 'K2')
  const foreign = await issueToken(database, otherCell, id)
  const { status, body } = await use(`Bearer ${foreign}`)
  assert.deepEqual([status, body.code], [401, 'A002'])
  assert.match(body.result, /^Invalid token: it belongs to cell K2; request a new token/)
  assert.equal((await use(`Bearer ${token}`)).status, 200)
})
