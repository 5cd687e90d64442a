import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { createTokenKey } from '../../../../src/edge/api/tokens/token.ts'
import type { ConformanceClient } from '../api.ts'
import { assertAccepted, assertError } from '../api-assertions.ts'
import { sms } from '../request-bodies.ts'
import { runOnce } from '../once.ts'
import { prove } from '../prove.ts'
import { getAccountClient, sql, getConformanceInstallation, tokenRequestsPerMinute } from '../installation.ts'
import { requestTokenWith, assertTokenWorks } from '../tokens.ts'

prove('authentication.1', async () => {
  const { clientId, password } = (await getAccountClient('asker')).credentials
  const right = await requestTokenWith({ 'X-SVC-Client-Id': clientId, 'X-SVC-Client-Passwd': password })
  assert.equal(right.status, 200)
  await right.body?.cancel()
  // The prefix of the published SDKs.
  const sdk = await requestTokenWith({ 'X-IB-Client-Id': clientId, 'X-IB-Client-Passwd': password })
  assert.equal(sdk.status, 200)
  await sdk.body?.cancel()
  const query = `?clientId=${clientId}&password=${password}&X-SVC-Client-Id=${clientId}&X-SVC-Client-Passwd=${password}`
  const basic = Buffer.from(`${clientId}:${password}`).toString('base64')
  const json = { 'content-type': 'application/json' }
  const elsewhere = [
    await requestTokenWith({}, query),
    await requestTokenWith({ authorization: `Basic ${basic}` }),
    await requestTokenWith(json, '', JSON.stringify({ clientId, password })),
  ]
  for (const response of elsewhere) {
    assert.equal(response.status, 401)
    assert.equal(((await response.json()) as { code: string }).code, 'A100')
  }
})

prove('authentication.2', async () => {
  const api = await getAccountClient('main')
  const { token } = api
  await assertTokenWorks(api, `Bearer ${token}`)
  for (const wrong of [
    token,
    `Bearer  ${token}`,
    `Basic ${token}`,
    `Bearer${token}`,
    `Bearer ${token}x`,
    'Bearer',
  ]) {
    assertError(await api.post('/v1/send/sms', sms(), wrong), 401, 'A002')
  }
})

prove('authentication.4-many', async () => {
  const api = await getAccountClient('tokens')
  const responses = await Promise.all(Array.from({ length: 100 }, () => api.requestToken(api.credentials)))
  const tokens = new Set(responses.map(({ body }) => body.data!.token!))
  assert.equal(tokens.size, 100)
  await Promise.all([...tokens].map((token) => assertAuthorized(api, `Bearer ${token}`)))
})

async function assertAuthorized(api: ConformanceClient, authorization: string): Promise<void> {
  assert.equal((await api.get('/v1/report/inquiry/x', authorization)).body.code, 'A000')
}

const tooManyRequests = runOnce(async () => {
  const api = await getAccountClient('hasty')
  const first = api.token
  // More than two minutes' worth, because the minute can end between two requests.
  const responses = await Promise.all(
    Array.from({ length: 2 * tokenRequestsPerMinute + 5 }, () => api.requestToken(api.credentials)),
  )
  const refused = responses.filter(({ httpStatus }) => httpStatus === 429)
  assert.ok(refused.length > 0 && refused.length < responses.length, `${refused.length} refused`)
  for (const response of refused) {
    assertError(response, 429, 'A020')
    assert.equal(response.body.result, 'Rate limit exceeded')
    assert.match(String(response.headers['retry-after']), /^[1-9]\d*$/)
  }
  // Further token requests, including rejected ones, invalidate no token.
  await assertAuthorized(api, `Bearer ${first}`)
})

prove('authentication.4-429', tooManyRequests)
prove('error.429', tooManyRequests)
prove('limit.token-count', tooManyRequests)

prove('authentication.5', async () => {
  const { gateway, accounts } = await getConformanceInstallation()
  await assertAccepted('sms', sms())
  const log = await readFile(gateway.logFile, 'utf8')
  for (const api of Object.values(accounts)) assert.ok(!log.includes(api.token), 'a token is in the log')
  const api = await getAccountClient('main')
  const forged = createTokenKey('a secret that is not the one of the gateway', '00').issue(1, 1, new Date(), {
    credentialId: 1,
  }).token
  assertError(await api.get('/v1/report/inquiry/x', `Bearer ${forged}`), 401, 'A002')
})

prove('authentication.6', async () => {
  const api = await getAccountClient('silent')
  assertError(await api.get('/v1/report/polling'), 403, 'A802')
  assertError(await api.delete('/v1/report/polling/20260101000000000AAAAAAAAAAA'), 403, 'A802')
  const { body } = await assertAccepted('sms', sms(), api)
  assert.equal((await api.get(`/v1/report/inquiry/${body.msgKey}`)).body.code, 'A000')
})

prove('authentication.7', async () => {
  const { accounts } = await getConformanceInstallation()
  const { clientId, password } = accounts.main.credentials
  assert.ok(password.length >= 20, 'the command printed a password')
  const [row] = await sql<{ hash: string }>(
    'select hash from credentials join accounts a on a.id = account_id where client_id = $1',
    [clientId],
  )
  assert.ok(row!.hash.startsWith('$argon2id$') && !row!.hash.includes(password), 'only a hash is stored')
  await assertTokenWorks(accounts.main, `Bearer ${accounts.main.token}`)
})
