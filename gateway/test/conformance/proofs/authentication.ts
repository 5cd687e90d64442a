/** The numbered rules of authentication. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { createTokenKey } from '../../../src/api/tokens/token.ts'
import type { Api } from '../api.ts'
import { accepts, checkRefusal } from '../api-assertions.ts'
import { sms } from '../request-bodies.ts'
import { once } from '../once.ts'
import { prove } from '../prove.ts'
import { account, sql, conformanceInstallation, tokenRequestsPerMinute } from '../installation.ts'
import { askWith, works } from '../tokens.ts'

prove('authentication.1', async () => {
  const { clientId, password } = (await account('asker')).credentials
  const right = await askWith({ 'X-SVC-Client-Id': clientId, 'X-SVC-Client-Passwd': password })
  assert.equal(right.status, 200)
  await right.body?.cancel()
  // The prefix of the published SDKs.
  const sdk = await askWith({ 'X-IB-Client-Id': clientId, 'X-IB-Client-Passwd': password })
  assert.equal(sdk.status, 200)
  await sdk.body?.cancel()
  const query = `?clientId=${clientId}&password=${password}&X-SVC-Client-Id=${clientId}&X-SVC-Client-Passwd=${password}`
  const basic = Buffer.from(`${clientId}:${password}`).toString('base64')
  const json = { 'content-type': 'application/json' }
  const elsewhere = [
    await askWith({}, query),
    await askWith({ authorization: `Basic ${basic}` }),
    await askWith(json, '', JSON.stringify({ clientId, password })),
  ]
  for (const answer of elsewhere) {
    assert.equal(answer.status, 401)
    assert.equal(((await answer.json()) as { code: string }).code, 'A100')
  }
})

prove('authentication.2', async () => {
  const api = await account('main')
  const { token } = api
  await works(api, `Bearer ${token}`)
  for (const wrong of [
    token,
    `Bearer  ${token}`,
    `Basic ${token}`,
    `Bearer${token}`,
    `Bearer ${token}x`,
    'Bearer',
  ]) {
    checkRefusal(await api.post('/v1/send/sms', sms(), wrong), 401, 'A002')
  }
})

prove('authentication.4-many', async () => {
  const api = await account('tokens')
  const answers = await Promise.all(Array.from({ length: 100 }, () => api.requestToken(api.credentials)))
  const tokens = new Set(answers.map(({ body }) => body.data!.token!))
  assert.equal(tokens.size, 100)
  await Promise.all([...tokens].map((token) => accepted(api, `Bearer ${token}`)))
})

async function accepted(api: Api, authorization: string): Promise<void> {
  assert.equal((await api.get('/v1/report/inquiry/x', authorization)).body.code, 'A000')
}

const tooManyRequests = once(async () => {
  const api = await account('hasty')
  const first = api.token
  // More than two minutes' worth: the minute may end meanwhile.
  const asked = await Promise.all(
    Array.from({ length: 2 * tokenRequestsPerMinute + 5 }, () => api.requestToken(api.credentials)),
  )
  const refused = asked.filter(({ httpStatus }) => httpStatus === 429)
  assert.ok(refused.length > 0 && refused.length < asked.length, `${refused.length} refused`)
  for (const answer of refused) {
    checkRefusal(answer, 429, 'A020')
    assert.equal(answer.body.result, 'Rate limit exceeded')
    assert.match(String(answer.headers['retry-after']), /^[1-9]\d*$/)
  }
  // No token ends because others were asked for, or refused.
  await accepted(api, `Bearer ${first}`)
})

prove('authentication.4-429', tooManyRequests)
prove('error.429', tooManyRequests)
prove('limit.token-count', tooManyRequests)

prove('authentication.5', async () => {
  const { gateway, accounts } = await conformanceInstallation()
  await accepts('sms', sms())
  const log = await readFile(gateway.logFile, 'utf8')
  for (const api of Object.values(accounts)) assert.ok(!log.includes(api.token), 'a token is in the log')
  const api = await account('main')
  const forged = createTokenKey('a secret that is not the one of the gateway', '00').issue(1, 1, new Date(), {
    credentialId: 1,
  }).token
  checkRefusal(await api.get('/v1/report/inquiry/x', `Bearer ${forged}`), 401, 'A002')
})

prove('authentication.6', async () => {
  const api = await account('silent')
  checkRefusal(await api.get('/v1/report/polling'), 403, 'A802')
  checkRefusal(await api.delete('/v1/report/polling/20260101000000000AAAAAAAAAAA'), 403, 'A802')
  const { body } = await accepts('sms', sms(), api)
  assert.equal((await api.get(`/v1/report/inquiry/${body.msgKey}`)).body.code, 'A000')
})

prove('authentication.7', async () => {
  const { accounts } = await conformanceInstallation()
  const { clientId, password } = accounts.main.credentials
  assert.ok(password.length >= 20, 'the command gave a password')
  const [row] = await sql<{ hash: string }>(
    'select hash from credentials join accounts a on a.id = account_id where client_id = $1',
    [clientId],
  )
  assert.ok(row!.hash.startsWith('$argon2id$') && !row!.hash.includes(password), 'only a hash of it is kept')
  await works(accounts.main, `Bearer ${accounts.main.token}`)
})
