import assert from 'node:assert/strict'
import { makeJpeg } from '../../../support/files/images.ts'
import type { ConformanceResponse } from '../api.ts'
import { assertAccepted, msgKeyPattern } from '../api-assertions.ts'
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

async function raw(path: string, init: RequestInit): Promise<Response> {
  const api = await getAccountClient('main')
  const headers = { authorization: `Bearer ${api.token}`, ...(init.headers as Record<string, string>) }
  const response = await fetch(api.url + path, { ...init, headers })
  assert.match(response.headers.get('content-type')!, /^application\/json\b/)
  await response.body?.cancel()
  return response
}

prove('all.accept', async () => {
  const headers = { accept: 'application/json', 'content-type': 'application/json' }
  assert.equal((await raw('/v1/report/polling', { headers: { accept: 'application/json' } })).status, 200)
  const body = JSON.stringify(sms())
  assert.equal((await raw('/v1/send/sms', { method: 'POST', headers, body })).status, 200)
})

prove('all.content-type', async () => {
  const json = { 'content-type': 'application/json' }
  assert.equal((await raw('/v1/report/polling', { headers: json })).status, 200)
  for (const [name, body] of Object.entries(sends)) {
    const send = async (type: string): Promise<number> =>
      (
        await raw(`/v1/send/${name}`, {
          method: 'POST',
          headers: { 'content-type': type },
          body: JSON.stringify(body()),
        })
      ).status
    assert.equal(await send('application/json'), 200, name)
    assert.equal(await send('application/json; charset=utf-8'), 200, name)
    assert.equal(await send('text/xml'), 415, name)
  }
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
