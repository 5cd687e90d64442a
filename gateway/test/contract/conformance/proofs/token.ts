import assert from 'node:assert/strict'
import { assertAccepted, assertError, timePattern, waitForReports } from '../api-assertions.ts'
import { makeJpeg } from '../../../support/files/images.ts'
import { sms } from '../request-bodies.ts'
import { prove } from '../prove.ts'
import { getAccountClient } from '../installation.ts'
import { requestTokenWith, createTokenIssuedAt, assertTokenWorks } from '../tokens.ts'

const day = 86_400_000

prove('token.schema', async () => {
  const api = await getAccountClient('main')
  const { body } = await api.requestToken(api.credentials)
  assert.equal(body.data!.schema, 'Bearer')
})

prove('token.expired', async () => {
  const api = await getAccountClient('main')
  const before = Date.now()
  const { expired } = (await api.requestToken(api.credentials)).body.data!
  assert.match(expired!, timePattern)
  const lifetime = Date.parse(expired!) - before
  // `expired` is truncated to seconds, so 1 s less is tolerated.
  assert.ok(lifetime > day - 1_000 && lifetime < day + 10_000, expired)
})

prove('token.token', async () => {
  const api = await getAccountClient('main')
  const { token } = (await api.requestToken(api.credentials)).body.data!
  assert.match(token!, /^\S{20,}$/)
  await assertTokenWorks(api, `Bearer ${token}`)
})

prove('token-state.issue', async () => {
  const api = await getAccountClient('main')
  const [first, second] = await Promise.all([
    api.requestToken(api.credentials),
    api.requestToken(api.credentials),
  ])
  for (const { body } of [first, second]) {
    assert.deepEqual(Object.keys(body.data!).sort(), ['expired', 'schema', 'token'])
    await assertTokenWorks(api, `${body.data!.schema} ${body.data!.token}`)
  }
  assert.notEqual(first.body.data!.token, second.body.data!.token)
})

async function testTokenLifetime(): Promise<void> {
  const api = await getAccountClient('main')
  await assertTokenWorks(api, await createTokenIssuedAt('main', new Date(Date.now() - day + 60_000)))
  const old = await createTokenIssuedAt('main', new Date(Date.now() - day - 1_000))
  assertError(await api.post('/v1/send/sms', sms(), old), 401, 'A001')
}

prove('token-state.expire', testTokenLifetime)
prove('limit.token-lifetime', testTokenLifetime)

prove('token-state.renew', async () => {
  const api = await getAccountClient('main')
  const old = await createTokenIssuedAt('main', new Date(Date.now() - day - 1_000))
  const { schema, token } = (await api.requestToken(api.credentials)).body.data!
  await assertTokenWorks(api, `${schema} ${token}`)
  assertError(await api.get('/v1/report/inquiry/x', old), 401, 'A001')
})

// Wrong passwords are limited per client id and address. These proofs use the account `asker`, so that they never
// block token requests of `main`.
prove('auth.id', async () => {
  const api = await getAccountClient('asker')
  assertError(await api.requestToken({ ...api.credentials, clientId: '' }), 401, 'A100')
  assertError(await api.requestToken({ ...api.credentials, clientId: 'unknown-client' }), 401, 'A100')
})

prove('auth.password', async () => {
  const api = await getAccountClient('asker')
  assertError(await api.requestToken({ ...api.credentials, password: '' }), 401, 'A100')
  assertError(await api.requestToken({ ...api.credentials, password: 'wrong' }), 401, 'A100')
})

prove('auth.accept', async () => {
  const { clientId, password } = (await getAccountClient('asker')).credentials
  for (const accept of ['application/json', 'Application/JSON', 'application/json, */*;q=0.1']) {
    const response = await requestTokenWith({
      'X-SVC-Client-Id': clientId,
      'X-SVC-Client-Passwd': password,
      Accept: accept,
    })
    assert.equal(response.status, 200)
    assert.match(response.headers.get('content-type')!, /^application\/json\b/)
    await response.body?.cancel()
  }
})

prove('auth.answer', async () => {
  const api = await getAccountClient('asker')
  const { httpStatus, body } = await api.requestToken(api.credentials)
  assert.equal(httpStatus, 200)
  assert.deepEqual(Object.keys(body).sort(), ['code', 'data', 'result'])
  assert.deepEqual(Object.keys(body.data!).sort(), ['expired', 'schema', 'token'])
  for (const value of Object.values(body.data!)) assert.equal(typeof value, 'string')
})

prove('auth.body', async () => {
  const { clientId, password } = (await getAccountClient('asker')).credentials
  const headers = { 'X-SVC-Client-Id': clientId, 'X-SVC-Client-Passwd': password }
  for (const body of [undefined, '', 'null']) {
    const response = await requestTokenWith({ ...headers, 'content-type': 'application/json' }, '', body)
    assert.equal(response.status, 200, body)
    await response.body?.cancel()
  }
})

prove('convention.prefix', async () => {
  const { clientId, password } = (await getAccountClient('asker')).credentials
  for (const [prefix, status] of [
    ['X-SVC', 200],
    ['X', 401],
    ['X-ABC', 401],
  ] as const) {
    const headers = { [`${prefix}-Client-Id`]: clientId, [`${prefix}-Client-Passwd`]: password }
    const response = await requestTokenWith(headers)
    assert.equal(response.status, status, prefix)
    await response.body?.cancel()
  }
})

prove('convention.times', async () => {
  const api = await getAccountClient('main')
  const { expired } = (await api.requestToken(api.credentials)).body.data!
  const [report] = await waitForReports((await assertAccepted('sms', sms())).body.msgKey!)
  for (const time of [expired!, report!.sendTime, report!.reportTime]) {
    assert.match(time, timePattern)
    assert.ok(!Number.isNaN(Date.parse(time)), time)
  }
  const { data } = (await api.upload('MMS', { content: makeJpeg(640, 480, 2_000) })).body
  assert.doesNotMatch(data!.expired!, timePattern)
})
