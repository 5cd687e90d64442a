/** The token: its fields, its states, how it is asked for. */
import assert from 'node:assert/strict'
import { checkRefusal, timePattern } from '../api-assertions.ts'
import { sms } from '../request-bodies.ts'
import { prove } from '../prove.ts'
import { account } from '../installation.ts'
import { askWith, tokenIssuedAt, works } from '../tokens.ts'

const day = 86_400_000

prove('token.schema', async () => {
  const api = await account('main')
  const { body } = await api.requestToken(api.credentials)
  assert.equal(body.data!.schema, 'Bearer')
})

prove('token.expired', async () => {
  const api = await account('main')
  const before = Date.now()
  const { expired } = (await api.requestToken(api.credentials)).body.data!
  assert.match(expired!, timePattern)
  const lifetime = Date.parse(expired!) - before
  // The time is given in whole seconds.
  assert.ok(lifetime > day - 1_000 && lifetime < day + 10_000, expired)
})

prove('token.token', async () => {
  const api = await account('main')
  const { token } = (await api.requestToken(api.credentials)).body.data!
  assert.match(token!, /^\S{20,}$/)
  await works(api, `Bearer ${token}`)
})

prove('token-state.issue', async () => {
  const api = await account('main')
  const [first, second] = await Promise.all([
    api.requestToken(api.credentials),
    api.requestToken(api.credentials),
  ])
  for (const { body } of [first, second]) {
    assert.deepEqual(Object.keys(body.data!).sort(), ['expired', 'schema', 'token'])
    await works(api, `${body.data!.schema} ${body.data!.token}`)
  }
  assert.notEqual(first.body.data!.token, second.body.data!.token)
})

async function endsAfterADay(): Promise<void> {
  const api = await account('main')
  await works(api, await tokenIssuedAt('main', new Date(Date.now() - day + 60_000)))
  const old = await tokenIssuedAt('main', new Date(Date.now() - day - 1_000))
  checkRefusal(await api.post('/v1/send/sms', sms(), old), 401, 'A001')
}

prove('token-state.expire', endsAfterADay)
prove('limit.token-lifetime', endsAfterADay)

prove('token-state.renew', async () => {
  const api = await account('main')
  const old = await tokenIssuedAt('main', new Date(Date.now() - day - 1_000))
  const { schema, token } = (await api.requestToken(api.credentials)).body.data!
  await works(api, `${schema} ${token}`)
  checkRefusal(await api.get('/v1/report/inquiry/x', old), 401, 'A001')
})

prove('auth.id', async () => {
  const api = await account('asker')
  checkRefusal(await api.requestToken({ ...api.credentials, clientId: '' }), 401, 'A100')
  checkRefusal(await api.requestToken({ ...api.credentials, clientId: 'nobody' }), 401, 'A100')
})

prove('auth.password', async () => {
  const api = await account('asker')
  checkRefusal(await api.requestToken({ ...api.credentials, password: '' }), 401, 'A100')
  checkRefusal(await api.requestToken({ ...api.credentials, password: 'wrong' }), 401, 'A100')
})

prove('auth.accept', async () => {
  const { clientId, password } = (await account('asker')).credentials
  for (const accept of ['application/json', 'Application/JSON', 'application/json, */*;q=0.1']) {
    const answer = await askWith({
      'X-SVC-Client-Id': clientId,
      'X-SVC-Client-Passwd': password,
      Accept: accept,
    })
    assert.equal(answer.status, 200)
    assert.match(answer.headers.get('content-type')!, /^application\/json\b/)
    await answer.body?.cancel()
  }
})

prove('auth.answer', async () => {
  const api = await account('asker')
  const { httpStatus, body } = await api.requestToken(api.credentials)
  assert.equal(httpStatus, 200)
  assert.deepEqual(Object.keys(body).sort(), ['code', 'data', 'result'])
  assert.deepEqual(Object.keys(body.data!).sort(), ['expired', 'schema', 'token'])
  for (const value of Object.values(body.data!)) assert.equal(typeof value, 'string')
})
