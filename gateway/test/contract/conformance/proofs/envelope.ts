import assert from 'node:assert/strict'
import { makeJpeg } from '../../../support/files/images.ts'
import { multipartType } from '../../../support/files/multipart.ts'
import type { ConformanceResponse } from '../api.ts'
import { assertAccepted, assertError, msgKeyPattern } from '../api-assertions.ts'
import { sends, sms } from '../request-bodies.ts'
import { prove } from '../prove.ts'
import { getAccountClient } from '../installation.ts'
import { createTokenIssuedAt } from '../tokens.ts'

const image = { fileName: 'a.jpg', content: makeJpeg(640, 480, 2_000) }
const singles = Object.entries(sends).filter(([name]) => name !== 'omni')

/** Calls, with the given Authorization header, every endpoint of the contract that requires a token. */
export async function callAllEndpoints(
  authorization?: string,
): Promise<Readonly<Record<string, ConformanceResponse>>> {
  const api = await getAccountClient('main')
  const calls = {
    'GET /v1/report/polling': api.get('/v1/report/polling', authorization),
    'DELETE /v1/report/polling': api.delete('/v1/report/polling/20260101000000000AAAAAAAAAAA', authorization),
    'GET /v1/report/inquiry': api.get('/v1/report/inquiry/20260101000000000AAAAAAAAAAAAAAA', authorization),
    'POST /v1/file': api.upload('MMS', image, authorization),
    ...Object.fromEntries(
      Object.entries(sends).map(([name, body]) => [
        `POST /v1/send/${name}`,
        api.post(`/v1/send/${name}`, body(), authorization),
      ]),
    ),
  }
  return Object.fromEntries(
    await Promise.all(Object.entries(calls).map(async ([name, call]) => [name, await call] as const)),
  )
}

// `ConformanceClient` itself asserts a code of four characters and a non-empty result.
prove('envelope.code', async () => {
  const responses = Object.values(await callAllEndpoints())
  assert.ok(
    responses.some(({ body }) => body.code === 'A000') && responses.some(({ body }) => body.code === 'A805'),
  )
})

prove('envelope.result', async () => {
  for (const { body } of Object.values(await callAllEndpoints())) {
    if (body.code === 'A000') assert.equal(body.result, 'Success')
    else assert.match(body.result, /\w/)
  }
})

prove('envelope.data', async () => {
  const api = await getAccountClient('main')
  const responses = { token: await api.requestToken(api.credentials), ...(await callAllEndpoints()) }
  const withObject = Object.entries(responses)
    .filter(([, { body }]) => 'data' in body)
    .map(([name, { body }]) => {
      assert.equal(typeof body.data, 'object', name)
      return name
    })
  assert.deepEqual(withObject.sort(), [
    'GET /v1/report/inquiry',
    'GET /v1/report/polling',
    'POST /v1/file',
    'POST /v1/send/omni',
    'token',
  ])
})

prove('envelope.msgKey', async () => {
  for (const [name, body] of singles) {
    const response = await assertAccepted(name, body())
    assert.match(response.body.msgKey!, msgKeyPattern, name)
    // The first 17 digits are the acceptance time in UTC.
    const [, year, month, date] = /^(\d{4})(\d\d)(\d\d)/.exec(response.body.msgKey!)!
    const age = Date.now() - Date.UTC(Number(year), Number(month) - 1, Number(date))
    assert.ok(age >= 0 && age < 2 * 86_400_000, response.body.msgKey)
  }
  assert.ok(!('msgKey' in (await assertAccepted('omni', sends.omni!())).body), 'omni has one per destination')
})

prove('envelope.ref', async () => {
  const ref = '참조'.repeat(100)
  for (const [name, body] of Object.entries(sends)) {
    assert.equal((await assertAccepted(name, { ...body(), ref })).body.ref, ref, name)
  }
})

prove('all.authorization', async () => {
  for (const [name, { httpStatus, body }] of Object.entries(await callAllEndpoints(''))) {
    assert.deepEqual([httpStatus, body.code], [401, 'A002'], name)
  }
})

prove('all.accept', async () => {
  const accept = 'application/json'
  const api = await getAccountClient('main')
  for (const path of ['/v1/report/polling', '/v1/report/inquiry/x']) {
    assert.equal((await api.request('GET', path, { headers: { accept } })).httpStatus, 200, path)
  }
  for (const [name, body] of Object.entries(sends)) {
    const headers = { accept, 'content-type': 'application/json' }
    const response = await api.request('POST', `/v1/send/${name}`, { headers, body: JSON.stringify(body()) })
    assert.equal(response.httpStatus, 200, name)
  }
})

// `ConformanceClient` itself asserts the content type of every response.
prove('all.response', async () => {
  const api = await getAccountClient('main')
  const statuses = [
    await api.requestToken(api.credentials),
    await api.requestToken({ ...api.credentials, clientId: '' }),
    ...Object.values(await callAllEndpoints()),
    ...Object.values(await callAllEndpoints('')),
    await api.get('/v1/nothing'),
  ].map(({ httpStatus }) => httpStatus)
  assert.deepEqual([...new Set(statuses)].sort(), [200, 400, 401, 404])
})

/** Sends a body of this content type to each send. Returns the statuses of the responses. */
async function findSendStatuses(type: string): Promise<ReadonlySet<number>> {
  const api = await getAccountClient('main')
  const statuses = Object.entries(sends).map(async ([name, body]) => {
    const headers = { 'content-type': type }
    return (await api.request('POST', `/v1/send/${name}`, { headers, body: JSON.stringify(body()) }))
      .httpStatus
  })
  return new Set(await Promise.all(statuses))
}

prove('all.content-type', async () => {
  const headers = { 'content-type': 'application/json' }
  const api = await getAccountClient('main')
  assert.equal((await api.request('GET', '/v1/report/polling', { headers })).httpStatus, 200)
  for (const type of ['application/json', 'application/json; charset=utf-8'])
    assert.deepEqual([...(await findSendStatuses(type))], [200], type)
  assert.deepEqual([...(await findSendStatuses('text/xml'))], [415])
})

prove('convention.json', async () => {
  for (const type of [multipartType, 'application/x-www-form-urlencoded'])
    assert.deepEqual([...(await findSendStatuses(type))], [415], type)
  const api = await getAccountClient('main')
  assert.equal((await api.upload('MMS', image)).body.code, 'A000')
  assertError(await api.post('/v1/file/MMS', sms()), 400, 'A213')
})

prove('convention.base', async () => {
  const api = await getAccountClient('main')
  const responses = { token: await api.requestToken(api.credentials), ...(await callAllEndpoints()) }
  for (const [name, { httpStatus }] of Object.entries(responses)) assert.notEqual(httpStatus, 404, name)
})

prove('error.A001', everyCallRefusesAnOldToken)
prove('authentication.3', everyCallRefusesAnOldToken)

async function everyCallRefusesAnOldToken(): Promise<void> {
  const old = await createTokenIssuedAt('main', new Date(Date.now() - 86_400_000 - 1_000))
  for (const [name, { httpStatus, body }] of Object.entries(await callAllEndpoints(old))) {
    assert.deepEqual([httpStatus, body.code, body.result], [401, 'A001', 'Expired token'], name)
  }
}

prove('version.1', async () => {
  const api = await getAccountClient('main')
  const calls = [
    api.post('/auth/token', {}),
    api.get('/report/polling'),
    api.delete('/report/polling/x'),
    api.get('/report/inquiry/x'),
    ...Object.entries(sends).map(([name, body]) => api.post(`/send/${name}`, body())),
    api.post('/file/MMS', {}),
    api.get('/v2/report/polling'),
  ]
  for (const { httpStatus } of await Promise.all(calls)) assert.equal(httpStatus, 404)
})
