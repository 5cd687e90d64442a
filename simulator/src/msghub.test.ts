import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import type { HttpCarrier } from './shared/running-carrier.ts'
import { behaviours } from './msghub/behaviours.ts'
import { startMsghub } from './msghub.ts'
import type { MsghubEntry, MsghubOptions } from './msghub.ts'
import { until } from './testing/peer.ts'
import { startReceiver } from './testing/receiver.ts'

/** More tries than any behaviour refuses, except those that always refuse. */
const maxTries = 6

type Json = Record<string, unknown>

interface Reply {
  readonly status: number
  readonly code: unknown
  readonly data: unknown
}

interface Setting {
  readonly msghub: HttpCarrier<MsghubEntry>
  readonly call: (method: string, path: string, body?: unknown, token?: string) => Promise<Reply>
  readonly sms: (...phones: string[]) => Promise<Reply>
}

const sha512 = (text: string): string => createHash('sha512').update(text).digest('base64')
const jpeg = Buffer.from([0xff, 0xd8, 0xff, 0xe0])

async function request(url: string, method: string, body: unknown, token: string): Promise<Reply> {
  const form = body instanceof FormData
  const response = await fetch(url, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(form ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: form ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  if (response.status === 500) return { status: 500, code: undefined, data: undefined }
  const { code, data } = JSON.parse(text) as Json
  return { status: response.status, code, data }
}

function logIn(port: number, apiKey: string, password: string): Promise<Reply> {
  const body = { apiKey, apiPwd: sha512(`${sha512(password)}.abc-123`) }
  return request(`http://127.0.0.1:${port}/auth/v1/abc-123`, 'POST', body, '')
}

let keys = 0

function recipient(phone: string): Json {
  return { cliKey: `key-${++keys}`, phone }
}

async function setting(t: TestContext, options: Partial<MsghubOptions> = {}): Promise<Setting> {
  const fast = { slowMs: 30, lateMs: 60, earlyMs: 50, receiptRetryMs: 5, emptyPollMs: 0 }
  const msghub = await startMsghub({ ...fast, ...options })
  t.after(() => msghub.close())
  const { token: issued } = (await logIn(msghub.port, 'trial', 'trial-password')).data as { token: string }
  const call: Setting['call'] = (method, path, body, token = issued) =>
    request(`http://127.0.0.1:${msghub.port}${path}`, method, body, token)
  return {
    msghub,
    call,
    sms: (...phones) =>
      call('POST', '/msg/v1/sms', {
        callback: '0212345678',
        msg: '안녕하세요',
        recvInfoLst: phones.map(recipient),
      }),
  }
}

function control(msghub: HttpCarrier<MsghubEntry>, path: string): Promise<Response> {
  return fetch(`http://127.0.0.1:${msghub.controlPort}${path}`, { method: 'POST' })
}

function upload(call: Setting['call'], channel: string, fileId: string, file = jpeg): Promise<Reply> {
  const form = new FormData()
  form.append('reqFile', JSON.stringify({ fileId, wideYn: 'N' }))
  form.append('filePart', new Blob([file], { type: 'image/jpeg' }), 'a.jpg')
  return call('POST', `/file/v1/${channel}`, form)
}

test('a login checks key and password, and a refresh token renews an expired token', async (t) => {
  const { msghub, call } = await setting(t)
  assert.deepEqual(await logIn(msghub.port, 'other', 'trial-password'), {
    status: 401,
    code: '20000',
    data: undefined,
  })
  assert.deepEqual(await logIn(msghub.port, 'trial', 'other'), {
    status: 401,
    code: '20002',
    data: undefined,
  })
  const { token, refreshToken } = (await logIn(msghub.port, 'trial', 'trial-password')).data as Record<
    string,
    string
  >
  assert.equal((await call('GET', '/mo/v1/msg', undefined, token)).status, 200)
  await control(msghub, '/expire-tokens')
  const expired = await call('GET', '/mo/v1/msg', undefined, token)
  assert.deepEqual([expired.status, expired.code], [401, '29011'])
  const renewed = (await call('PUT', '/auth/v1/refresh', undefined, refreshToken)).data as Json
  assert.equal((await call('GET', '/mo/v1/msg', undefined, String(renewed['token']))).status, 200)
  assert.equal((await call('PUT', '/auth/v1/refresh', undefined, token)).code, '29011')
})

test('returns a result per recipient and refuses a repeated client key', async (t) => {
  const { msghub, call } = await setting(t)
  const submission = {
    callback: '0212345678',
    msg: 'a',
    recvInfoLst: [recipient('01012340001'), recipient('01012340060')],
  }
  const { status, code, data } = await call('POST', '/msg/v1/sms', submission)
  assert.deepEqual([status, code], [200, '10000'])
  assert.deepEqual(
    (data as Json[]).map((result) => result['code']),
    ['10000', '29018'],
  )
  const recvInfoLst = [submission.recvInfoLst[0]]
  const repeated = await call('POST', '/xms/sms/v1', { ...submission, recvInfoLst })
  assert.deepEqual([repeated.status, repeated.code], [400, '29005'])
  assert.equal(msghub.submissions('01012340001').length, 1)
})

test('an invalid request is refused with its code', async (t) => {
  const { call } = await setting(t)
  const valid = { callback: '0212345678', msg: 'a', title: 'a' }
  const cases: readonly (readonly [code: string, path: string, change: Json])[] = [
    ['29000', 'msg/v1/sms', { msg: '' }],
    ['29000', 'msg/v1/sms', { recvInfoLst: [] }],
    ['29000', 'msg/v1/mms', { title: '' }],
    ['29001', 'msg/v1/sms', { msg: '가'.repeat(46) }],
    ['29001', 'msg/v1/mms', { title: '가'.repeat(31) }],
    ['29001', 'msg/v1/sms', { recvInfoLst: [{ cliKey: 'a b', phone: '01012340001' }] }],
    ['21012', 'msg/v1/sms', { recvInfoLst: Array.from({ length: 11 }, () => recipient('01012340001')) }],
    ['21003', 'msg/v1/mms', { fileIdLst: ['unknown'] }],
    ['21004', 'msg/v1/mms', { fileIdLst: ['a', 'b', 'c', 'd'] }],
    ['29000', 'rcs/v1.1', { messagebaseId: 'RPSSAXX001', header: '1' }],
    ['29000', 'msg/v1/alimtalk', { senderKey: 'a' }],
    [
      '21024',
      'kko/alimtalk/v1.2',
      { kkoChId: 'a', tmpltCode: 'a', callback: '', fbInfoLst: [{ ch: 'SMS' }] },
    ],
  ]
  for (const [code, path, change] of cases) {
    const body = { ...valid, recvInfoLst: [recipient('01012340001')], ...change }
    const reply = await call('POST', `/${path}`, body)
    assert.deepEqual([reply.status, reply.code], [400, code], `${path} ${JSON.stringify(change)}`)
  }
})

function mms(call: Setting['call'], fileId: string): Promise<Reply> {
  return call('POST', '/msg/v1/mms', {
    callback: '0212345678',
    title: 'a',
    msg: 'a',
    fileIdLst: [fileId],
    recvInfoLst: [recipient('01012340001')],
  })
}

test('an uploaded file can be sent on its channel', async (t) => {
  const { call } = await setting(t)
  const { ch, fileId, fileExpDt } = (await upload(call, 'mms', 'image-1')).data as Json
  assert.deepEqual([ch, fileId], ['mms', 'image-1'])
  assert.match(String(fileExpDt), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/)
  assert.equal((await upload(call, 'mms', 'image-1')).code, '21015')
  assert.equal((await upload(call, 'mms', 'image-2', Buffer.from('text'))).code, '21006')
  assert.equal((await upload(call, 'mms', 'image-3', Buffer.alloc(307_201))).code, '21002')
  assert.equal((await upload(call, 'rcs', 'image-4', Buffer.from('GIF89a'))).code, '10000')
  assert.equal((await mms(call, 'image-1')).code, '10000')
  assert.equal((await mms(call, 'image-4')).code, '21003')
})

test('an expired file is refused', async (t) => {
  const { call } = await setting(t, { fileTtlMs: 1 })
  await upload(call, 'mms', 'image-1')
  let reply = await mms(call, 'image-1')
  while (reply.code === '10000') reply = await mms(call, 'image-1')
  assert.deepEqual([reply.status, reply.code], [400, '21029'])
})

test('polled reports are returned again until they are acknowledged', async (t) => {
  const { msghub, call, sms } = await setting(t, { acknowledgeMs: 20 })
  await sms('01012340001', '01012340002')
  const poll = async (): Promise<Json> => (await call('GET', '/msg/v1.2/report')).data as Json
  const first = await poll()
  assert.equal(first['rptCnt'], 2)
  let second: Json | null = null
  while (second === null) second = (await poll()) as Json | null
  assert.notEqual(second['rptKey'], first['rptKey'])
  assert.deepEqual(second['rptLst'], first['rptLst'])
  assert.deepEqual(
    (second['rptLst'] as Json[]).map(({ resultCode }) => resultCode),
    ['10000', '30125'],
  )
  const acknowledge = (key: unknown): Promise<Reply> =>
    call('POST', '/msg/v1.2/report/result', { rptKeyLst: [key] })
  assert.equal((await acknowledge(first['rptKey'])).code, '29009')
  assert.equal((await acknowledge(second['rptKey'])).code, '10000')
  assert.equal(await poll(), null)
  assert.equal(msghub.stats().receiptsPending, 0)
})

test('a poll soon after an empty one is refused', async (t) => {
  const { call } = await setting(t, { emptyPollMs: 60_000 })
  assert.deepEqual(await call('GET', '/msg/v1.2/report'), { status: 200, code: '10000', data: null })
  assert.equal((await call('GET', '/msg/v1.2/report')).code, '29002')
})

test('repeats a pushed report until the receiver answers 200', async (t) => {
  const receiver = await startReceiver(t, (count) => ({ status: count < 3 ? 400 : 200 }))
  const { msghub, call } = await setting(t, { reportUrl: receiver.url })
  const custom = { ...recipient('01012340001'), userCustomFields: { reference: 'r1' } }
  await call('POST', '/msg/v1/mms', { callback: '0212345678', title: 'a', msg: 'a', recvInfoLst: [custom] })
  await until(() => msghub.stats().receiptsAnswered === 1, 'the acknowledgement')
  assert.equal(receiver.received.length, 3)
  const { rptCnt, rptLst } = receiver.received[2]!.body as { rptCnt: number; rptLst: [Json] }
  assert.equal(rptCnt, 1)
  const { ch, resultCode, userCustomFields, rptDt } = rptLst[0]
  assert.deepEqual([ch, resultCode, userCustomFields], ['LMS', '10000', { reference: 'r1' }])
  assert.match(String(rptDt), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/)
})

test('a failed RCS message with a fallback is reported on the fallback channel', async (t) => {
  const { call } = await setting(t)
  const rcs = {
    callback: '0212345678',
    messagebaseId: 'RPSSAXX001',
    header: '0',
    recvInfoLst: [{ ...recipient('01012340002'), mergeData: { description: 'a' } }],
  }
  await call('POST', '/rcs/v1.1', { ...rcs, fbInfoLst: [{ ch: 'SMS', msg: 'a' }] })
  await call('POST', '/rcs/v1.1', { ...rcs, recvInfoLst: [recipient('01012340002')] })
  const { rptLst } = (await call('GET', '/msg/v1.2/report')).data as { rptLst: Json[] }
  assert.deepEqual(
    rptLst.map(({ ch, resultCode }) => [ch, resultCode]),
    [
      ['SMS', '10000'],
      ['RCS', '54003'],
    ],
  )
  assert.equal((rptLst[0]!['fbReasonLst'] as [Json])[0]['fbResultCode'], '54003')
})

test('a client key is looked up by its day', async (t) => {
  const { msghub, call } = await setting(t)
  const send = async (phone: string): Promise<string> => {
    const info = recipient(phone)
    await call('POST', '/msg/v1/sms', { callback: '0212345678', msg: 'a', recvInfoLst: [info] }).catch(
      () => undefined,
    )
    return String(info['cliKey'])
  }
  const today = new Date(Date.now() + 9 * 3_600_000).toISOString().slice(0, 10)
  const lookUp = async (cliKey: string, reqDt = today): Promise<Json> => {
    const { data } = await call('POST', '/msg/v1/sent', { cliKeyLst: [{ cliKey, reqDt }] })
    return (data as { cliKeyLst: [Json] }).cliKeyLst[0]
  }
  const lost = await lookUp(await send('01012340012'))
  assert.deepEqual([lost['status'], lost['resultCode']], ['DONE', '10000'])
  assert.equal(lost['msgKey'], msghub.submissions('01012340012')[0]!.id)
  assert.equal((await lookUp(await send('01012340003')))['status'], 'ING')
  assert.equal((await lookUp(await send('01012340013')))['status'], 'INVALID_KEY')
  assert.equal((await lookUp('key', '2020-01-01'))['status'], 'OVER_DATE')
})

test('pushes a reply until it is answered with 10000', async (t) => {
  const receiver = await startReceiver(t, (count) => ({
    status: 200,
    body: { code: count < 2 ? '20004' : '10000' },
  }))
  const { msghub } = await setting(t, { replyUrl: receiver.url })
  const sent = await control(msghub, '/reply?from=01012345678&to=0212345678&text=yes')
  assert.deepEqual(await sent.json(), { acknowledged: true })
  const { moLst } = receiver.received[1]!.body as { moLst: [Json] }
  const { moNumber, moCallback, moMsg, moRecvDt } = moLst[0]
  assert.deepEqual([moNumber, moCallback, moMsg], ['0212345678', '01012345678', 'yes'])
  assert.match(String(moRecvDt), /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
})

test('a reply without a URL is polled once', async (t) => {
  const { call, sms } = await setting(t)
  await sms('01012340071')
  const poll = async (): Promise<unknown> => ((await call('GET', '/mo/v1/msg')).data as Json)['moCnt']
  assert.deepEqual([await poll(), await poll()], [1, 0])
})

test('every ending behaves as the table states', async (t) => {
  const receiver = await startReceiver(t, () => ({ status: 200 }))
  const { msghub, sms } = await setting(t, { reportUrl: receiver.url })
  const reported = (to: string): unknown[] => {
    const ids = msghub.submissions(to).map(({ id }) => id)
    const reports = receiver.received.map(({ body }) => (body as { rptLst: [Json] }).rptLst[0])
    return reports.flatMap(({ msgKey, resultCode }) => (ids.includes(String(msgKey)) ? [resultCode] : []))
  }
  await Promise.all(
    behaviours.map(async ({ ending, refuse, response, accepts, results }) => {
      const to = `0101234${ending}`
      const expected = refuse?.code === 'HTTP 500' ? undefined : refuse?.code
      const refusals = refuse === undefined ? 0 : Math.min(refuse.tries, maxTries)
      for (let attempt = 0; attempt < refusals; attempt++)
        assert.equal((await sms(to)).code, expected, ending)
      if (refusals === maxTries) return assert.deepEqual(msghub.submissions(to), [], ending)
      const answered = sms(to).then(
        ({ status }) => status,
        () => 'none',
      )
      // An unanswered request ends when the test closes the carrier.
      if (response !== 'never') {
        const broken = response === 'by disconnecting' || response === 'broken JSON'
        assert.equal(await answered, broken ? 'none' : response === 'HTTP 500' ? 500 : 200, ending)
      }
      await until(() => msghub.submissions(to).length === (accepts ? 1 : 0), `the submission to ${ending}`)
      if (!accepts) return
      await until(() => reported(to).length === results.length, `the reports of ${ending}`)
      assert.deepEqual(
        reported(to),
        results.map((result) => result.sms),
        ending,
      )
    }),
  )
  const { submits, accepted, throttled, refused, abandoned, errors } = msghub.stats()
  assert.equal(submits, accepted + throttled + refused + abandoned)
  assert.equal(errors, 0)
})
