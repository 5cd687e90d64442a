import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { behaviours } from './sens/behaviours.ts'
import { startSens } from './sens.ts'
import type { SensEntry, SensOptions } from './sens.ts'
import { koreanTime } from './shared/korean.ts'
import type { HttpCarrier } from './shared/running-carrier.ts'
import { callJson, field, fieldOfEach } from './testing/json-client.ts'
import type { JsonResponse } from './testing/json-client.ts'
import { until } from './testing/peer.ts'

/** More tries than any behaviour refuses, except those that always refuse. */
const maxTries = 6

type Change = Readonly<Record<string, unknown>>

interface Bed {
  readonly sens: HttpCarrier<SensEntry>
  readonly call: (path: string, body?: unknown, headers?: Record<string, string>) => Promise<JsonResponse>
  readonly sms: (to: string, change?: Change) => Promise<JsonResponse>
  readonly alimtalk: (to: string, change?: Change) => Promise<JsonResponse>
}

const smsPath = '/sms/v2/services/ncp:sms:kr:1:test'
const alimtalkPath = '/alimtalk/v2/services/ncp:kkobizmsg:kr:1:test'
const brandPath = '/brandmessage/v2/services/ncp:kkobizmsg:kr:1:test'
const jpeg = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 1, 2, 3])

function sign(method: string, target: string, at = Date.now(), secret = 'secret'): Record<string, string> {
  const signed = createHmac('sha256', secret).update(`${method} ${target}\n${at}\naccess`).digest('base64')
  return {
    'x-ncp-apigw-timestamp': String(at),
    'x-ncp-iam-access-key': 'access',
    'x-ncp-apigw-signature-v2': signed,
  }
}

async function startBed(t: TestContext, options: Partial<SensOptions> = {}): Promise<Bed> {
  const sens = await startSens({
    accessKey: 'access',
    secretKey: 'secret',
    slowMs: 20,
    lateMs: 60,
    ...options,
  })
  t.after(() => sens.close())
  const call: Bed['call'] = (path, body, headers = sign(body === undefined ? 'GET' : 'POST', path)) =>
    callJson(`http://127.0.0.1:${sens.port}${path}`, body, headers)
  return {
    sens,
    call,
    sms: (to, change = {}) =>
      call(`${smsPath}/messages`, {
        type: 'SMS',
        from: '021112222',
        content: '안녕',
        messages: [{ to }],
        ...change,
      }),
    alimtalk: (to, change = {}) =>
      call(`${alimtalkPath}/messages`, {
        plusFriendId: '@shop',
        templateCode: 't',
        messages: [{ to, content: '안녕', useSmsFailover: false, ...change }],
      }),
  }
}

const completionPeriod = (): string => {
  const at = (ms: number): string => encodeURIComponent(koreanTime(Date.now() + ms))
  return `completeStartTime=${at(-60_000)}&completeEndTime=${at(60_000)}`
}

test('refuses wrong or old signatures, and unknown keys or services', async (t) => {
  const { call, sms: send } = await startBed(t, { smsServiceId: 'ncp:sms:kr:1:test' })
  const path = `${smsPath}/messages?requestId=none`
  const denied = { status: 401, body: { error: { errorCode: '200', message: 'Authentication Failed' } } }
  assert.deepEqual(await call(path, undefined, {}), denied)
  assert.deepEqual(await call(path, undefined, sign('GET', path, Date.now(), 'other')), denied)
  assert.deepEqual(await call(path, undefined, sign('GET', `${smsPath}/messages`)), denied)
  assert.deepEqual(await call(path, undefined, sign('GET', path, Date.now() - 301_000)), denied)
  assert.deepEqual(
    await call(path, undefined, { ...sign('GET', path), 'x-ncp-iam-access-key': 'no' }),
    denied,
  )
  assert.equal((await call('/sms/v2/services/other/messages', {})).status, 403)
  assert.equal(field((await call('/fax/v2/services/x/messages', {})).body, 'error.errorCode'), '300')
  const encoded = `/sms/v2/services/${encodeURIComponent('ncp:sms:kr:1:test')}/messages?requestId=none`
  assert.equal((await call(encoded)).status, 404)
  assert.equal((await send('01012340001')).status, 202)
})

test('an SMS returns a request id that lists its messages', async (t) => {
  const { sens, call, sms: send } = await startBed(t)
  const { status, body } = await send('01012340002')
  assert.deepEqual(
    [status, field(body, 'statusCode'), field(body, 'statusName'), field(body, 'messages')],
    [202, '202', 'success', undefined],
  )
  const find = async (reply: unknown, ...names: string[]): Promise<unknown[]> => {
    const listed = await call(`${smsPath}/messages?requestId=${String(field(reply, 'requestId'))}`)
    return names.map((name) => field(listed.body, `messages.0.${name}`))
  }
  assert.deepEqual(await find(body, 'status', 'statusCode', 'statusName'), ['COMPLETED', '3001', 'fail'])
  const [messageId] = await find(body, 'messageId')
  const single = await call(`${smsPath}/messages/${String(messageId)}`)
  assert.equal(field(single.body, 'messages.0.requestId'), field(body, 'requestId'))
  const pending = await send('01012340003')
  const unfinished = ['PROCESSING', undefined, undefined]
  assert.deepEqual(await find(pending.body, 'status', 'statusCode', 'completeTime'), unfinished)
  assert.deepEqual(await call(`${smsPath}/messages/unknown`), { status: 404, body: '' })
  assert.deepEqual(
    sens.submissions('01012340002').map(({ type, text }) => [type, text]),
    [['SMS', '안녕']],
  )
})

test('lists messages by completion time with a token for the next page', async (t) => {
  const { call, sms: send } = await startBed(t)
  for (const to of ['01012340001', '01012340002', '01012340003']) await send(to)
  const first = (await call(`${smsPath}/messages?${completionPeriod()}&pageSize=1`)).body
  assert.deepEqual(fieldOfEach(first, 'messages', 'to'), ['01012340001'])
  const next = (
    await call(
      `${smsPath}/messages?${completionPeriod()}&pageSize=1&nextToken=${String(field(first, 'nextToken'))}`,
    )
  ).body
  assert.deepEqual([field(next, 'messages.0.to'), field(next, 'nextToken')], ['01012340002', undefined])
  assert.equal((await call(`${smsPath}/messages`)).status, 400)
  const days = 'completeStartTime=2026-01-01%2000:00:00&completeEndTime=2026-01-03%2000:00:00'
  assert.equal((await call(`${smsPath}/messages?${days}`)).status, 400)
  assert.equal((await call(`${smsPath}/messages?${completionPeriod()}&pageSize=101`)).status, 400)
})

test('the limits of SMS, LMS and MMS are checked', async (t) => {
  const { sens, call, sms: send } = await startBed(t, { from: '021112222' })
  const to = '01012340001'
  const wrong: readonly Change[] = [
    { type: 'FAX' },
    { contentType: 'SPAM' },
    { from: '029999999' },
    { content: '' },
    { subject: '제목' },
    { messages: [] },
    { messages: Array(101).fill({ to }) },
    { messages: [{ to: '010-1234-0001' }] },
    { type: 'LMS', subject: '가'.repeat(21) },
    { type: 'LMS', files: [{ fileId: 'x' }] },
    { type: 'MMS', files: [{ fileId: 'x' }] },
  ]
  for (const change of wrong) assert.equal((await send(to, change)).status, 400)
  const upload = (change: Change): Promise<JsonResponse> =>
    call(`${smsPath}/files`, { fileName: 'a.jpg', fileBody: jpeg.toString('base64'), ...change })
  assert.equal((await upload({ fileName: 'a.png' })).status, 400)
  assert.equal((await upload({ fileBody: `data:image/jpeg;base64,${jpeg.toString('base64')}` })).status, 400)
  const fileId = field((await upload({})).body, 'fileId')
  assert.equal(field((await upload({})).body, 'fileId'), fileId)
  assert.equal((await send(to, { type: 'MMS', files: [{ fileId }] })).status, 202)
  assert.equal((await send(to, { content: '가'.repeat(46) })).status, 202)
  assert.deepEqual(
    sens.submissions(to).map(({ truncated }) => truncated),
    [false, true],
  )
})

test('an alimtalk returns message ids, and its fallback is counted', async (t) => {
  const { sens, call, alimtalk: send } = await startBed(t, { plusFriendId: '@shop', templateCode: 't' })
  const { status, body } = await send('01012340002')
  assert.deepEqual([status, field(body, 'messages.0.requestStatusCode')], [202, 'A000'])
  const messageId = String(field(body, 'messages.0.messageId'))
  const { body: single } = await call(`${alimtalkPath}/messages/${messageId}`)
  assert.deepEqual([field(single, 'messageStatusCode'), field(single, 'messageStatusName')], ['3019', 'fail'])
  assert.match(String(field(single, 'completeTime')), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/)
  assert.equal((await call(`${alimtalkPath}/messages?${completionPeriod()}`)).status, 400)
  const listed = await call(`${alimtalkPath}/messages?${completionPeriod()}&plusFriendId=%40shop`)
  assert.equal(field(listed.body, 'messages.0.messageId'), messageId)
  assert.equal((await call(`${alimtalkPath}/messages?requestId=unknown`)).status, 404)
  const webLink = { type: 'WL', name: '보기', linkMobile: 'https://a.example' }
  assert.equal((await send('01012340001', { buttons: [webLink] })).status, 400)
  assert.equal((await send('01012340001', { content: '' })).status, 400)
  assert.equal((await send('01012340001', { useSmsFailover: undefined })).status, 202)
  const counted = await fetch(`http://127.0.0.1:${sens.controlPort}/fallbacks`)
  assert.deepEqual(await counted.json(), { fallbacks: 1 })
})

test('the limits of brand messages are checked', async (t) => {
  const { call } = await startBed(t)
  const form = new FormData()
  form.set('imageType', 'BASIC')
  form.set('imageFile', new Blob([jpeg]), 'a.jpg')
  const imageId = field((await call(`${brandPath}/images`, form)).body, 'imageId')
  const send = (change: Change, message: Change): Promise<JsonResponse> =>
    call(`${brandPath}/messages`, {
      plusFriendId: '@shop',
      messageType: 'TEXT',
      messages: [{ to: '01012340001', ...message }],
      ...change,
    })
  const button = { type: 'WL', name: '보기', linkMobile: 'https://a.example' }
  const cases: readonly (readonly [Change, Change, number])[] = [
    [{ messageType: 'WIDE' }, { content: 'x' }, 400],
    [{ targeting: 'X' }, { content: 'x' }, 400],
    [{}, {}, 400],
    [{}, { content: 'x'.repeat(1301) }, 400],
    [{}, { content: 'x', buttons: [{ type: 'AC', name: '채널 추가' }] }, 400],
    [{}, { content: 'x', buttons: [{ ...button, name: 'x'.repeat(15) }] }, 400],
    [{ messageType: 'IMAGE' }, { content: 'x', image: { imageId: 'none' } }, 400],
    [{ messageType: 'IMAGE', targeting: 'M' }, { content: 'x', image: { imageId }, buttons: [button] }, 202],
    [{ templateCode: 'b' }, { templateParameters: { name: '홍' } }, 202],
  ]
  for (const [change, message, expected] of cases)
    assert.equal((await send(change, message)).status, expected)
})

for (const channel of ['sms', 'alimtalk'] as const) {
  test(`${channel}: every ending behaves as the table states`, async (t) => {
    const bed = await startBed(t)
    const base = channel === 'sms' ? smsPath : alimtalkPath
    await Promise.all(
      behaviours.map(async ({ ending, refuse, answer, accepts, results }) => {
        const to = `0101234${ending}`
        const refusals = refuse === undefined ? 0 : Math.min(refuse.tries, maxTries)
        for (let tries = 0; tries < refusals; tries++) {
          const { status, body } = await bed[channel](to)
          const refusal = refuse!.refusal === 'throttled' ? '429/410' : refuse!.refusal
          const [expectedStatus, expectedCode] = refusal.split('/')
          assert.deepEqual([String(status), field(body, 'error.errorCode')], [expectedStatus, expectedCode])
        }
        if (refusals === maxTries) return
        const sent = bed[channel](to).catch(() => undefined)
        if (accepts) await until(() => bed.sens.submissions(to).length === 1)
        else assert.deepEqual([await sent, bed.sens.submissions(to)], [undefined, []])
        if (answer === 'with a server error') assert.equal((await sent)!.status, 504)
        if (answer === 'at once') assert.equal((await sent)!.status, 202)
        const { id } = bed.sens.submissions(to)[0] ?? {}
        if (id === undefined) return
        const find = async (): Promise<unknown> => {
          const { body } = await bed.call(`${base}/messages/${id}`)
          return field(body, 'messageStatusCode') ?? field(body, 'messages.0.statusCode')
        }
        const expected = results[0]?.[channel === 'sms' ? 'sms' : 'kakao']
        let found = await find()
        while (expected !== undefined && found === undefined) found = await find()
        assert.equal(found, expected)
      }),
    )
    const { submits, accepted, refused, throttled, abandoned, errors } = bed.sens.stats()
    assert.deepEqual([submits, errors], [accepted + refused + throttled + abandoned, 0])
  })
}
