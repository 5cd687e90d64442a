import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { behaviours } from './nhn/behaviours.ts'
import { startNhn } from './nhn.ts'
import type { NhnEntry, NhnOptions } from './nhn.ts'
import { koreanTime } from './shared/korean.ts'
import type { HttpCarrier } from './shared/running-carrier.ts'
import { callJson, field, fieldOfEach } from './testing/json-client.ts'
import type { JsonResponse } from './testing/json-client.ts'
import { until } from './testing/peer.ts'

/** More tries than any behaviour refuses, except those that always refuse. */
const maxTries = 6

type Change = Readonly<Record<string, unknown>>

interface Bed {
  readonly nhn: HttpCarrier<NhnEntry>
  readonly call: (path: string, body?: unknown, headers?: Record<string, string>) => Promise<JsonResponse>
  readonly sms: (to: string, change?: Change) => Promise<JsonResponse>
  readonly alimtalk: (to: string, change?: Change, headers?: Record<string, string>) => Promise<JsonResponse>
  readonly brand: (to: string, change?: Change) => Promise<JsonResponse>
}

const paths = {
  sms: '/sms/v3.0/appKeys/app',
  alimtalk: '/alimtalk/v2.3/appkeys/app',
  brand: '/brand-message/v1.0/appkeys/app',
}
const senderKey = 'a'.repeat(40)
const jpeg = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 1, 2, 3])
const noResend = { isResend: false }

async function startBed(t: TestContext, options: Partial<NhnOptions> = {}): Promise<Bed> {
  const nhn = await startNhn({ appKey: 'app', secretKey: 'secret', slowMs: 20, lateMs: 60, ...options })
  t.after(() => nhn.close())
  const call: Bed['call'] = (path, body, headers = {}) =>
    callJson(`http://127.0.0.1:${nhn.port}${path}`, body, { 'X-Secret-Key': 'secret', ...headers })
  return {
    nhn,
    call,
    sms: (to, change = {}) =>
      call(`${paths.sms}/sender/sms`, {
        body: '안녕',
        sendNo: '15440000',
        recipientList: [{ recipientNo: to, recipientGroupingKey: `k${to}` }],
        ...change,
      }),
    alimtalk: (to, change = {}, headers = {}) =>
      call(
        `${paths.alimtalk}/raw-messages`,
        {
          senderKey,
          templateCode: 't',
          recipientList: [
            {
              recipientNo: to,
              content: '안녕',
              resendParameter: noResend,
              recipientGroupingKey: `k${to}`,
              ...change,
            },
          ],
        },
        headers,
      ),
    brand: (to, change = {}) =>
      call(`${paths.brand}/freestyle-messages`, {
        senderKey,
        chatBubbleType: 'TEXT',
        content: '세일',
        recipientList: [{ recipientNo: to, targeting: 'I', resendParameter: noResend }],
        ...change,
      }),
  }
}

const code = ({ body }: JsonResponse): unknown => field(body, 'header.resultCode')
const timeRange = (name: string, withSeconds: boolean): string => {
  const at = (ms: number): string =>
    encodeURIComponent(koreanTime(Date.now() + ms).slice(0, withSeconds ? 19 : 16))
  return `start${name}=${at(-60_000)}&end${name}=${at(60_000)}`
}

test('refuses wrong keys, unknown paths and bodies other than JSON', async (t) => {
  const { call, sms } = await startBed(t)
  const wrong = { 'X-Secret-Key': 'other' }
  assert.equal(code(await call(`${paths.sms}/sender/sms`, { body: 'x' }, wrong)), -1000)
  assert.equal(code(await call(`${paths.alimtalk}/messages`, { senderKey }, wrong)), -1001)
  assert.equal(code(await call('/alimtalk/v2.3/appkeys/other/messages', { senderKey })), -1000)
  assert.equal(code(await call(`${paths.sms}/sender/fax`, {})), -9998)
  assert.equal(
    code(await call(`${paths.sms}/sender/sms`, { body: 'x' }, { 'content-type': 'text/plain' })),
    -9996,
  )
  assert.equal(code(await call(`${paths.sms}/sender/sms`, [])), -9997)
  assert.equal(code(await sms('01012340001')), 0)
})

test('an SMS returns a request id and is found by request and grouping key', async (t) => {
  const { nhn, call, sms } = await startBed(t)
  const { body } = await sms('01012340001')
  const requestId = String(field(body, 'body.data.requestId'))
  assert.match(requestId, /^[0-9]{14}[0-9a-z]{11}$/)
  assert.deepEqual(field(body, 'body.data.sendResultList.0'), {
    recipientNo: '01012340001',
    resultCode: 0,
    resultMessage: 'SUCCESS',
    recipientSeq: 1,
    recipientGroupingKey: 'k01012340001',
  })
  const single = await call(`${paths.sms}/sender/sms/${requestId}?recipientSeq=1`)
  assert.equal(field(single.body, 'body.data.msgStatus'), '3')
  assert.equal(field(single.body, 'body.data.resultCode'), '1000')
  assert.match(String(field(single.body, 'body.data.resultDate')), /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.0$/)
  const byKey = await call(
    `${paths.sms}/sender/sms?recipientGroupingKey=k01012340001&${timeRange('CreateDate', true)}`,
  )
  assert.deepEqual(fieldOfEach(byKey.body, 'body.data', 'requestId'), [requestId])
  const none = await call(
    `${paths.sms}/sender/sms?recipientGroupingKey=other&${timeRange('CreateDate', true)}`,
  )
  assert.deepEqual(field(none.body, 'body.data'), [])
  assert.equal(code(await call(`${paths.sms}/sender/sms?recipientGroupingKey=k01012340001`)), -2011)
  assert.equal(code(await call(`${paths.sms}/sender/sms/unknown?recipientSeq=1`)), -2008)
  assert.deepEqual(
    nhn.submissions('01012340001').map(({ product, text }) => [product, text]),
    [['sms', '안녕']],
  )
})

test('the limits of SMS and MMS are checked', async (t) => {
  const { nhn, call, sms } = await startBed(t, { sendNo: '15440000' })
  const to = '01012340001'
  assert.equal(code(await sms(to, { recipientList: [] })), -2001)
  assert.equal(code(await sms(to, { recipientList: Array(1001).fill({ recipientNo: to }) })), -2016)
  assert.equal(code(await sms(to, { body: '' })), -2014)
  assert.equal(code(await sms(to, { body: 'x'.repeat(256) })), -2015)
  assert.equal(code(await sms(to, { body: '😀' })), -2023)
  assert.equal(code(await sms(to, { sendNo: '15449999' })), -2312)
  assert.equal(code(await sms(to, { originCode: '12' })), 4)
  const mixed = await sms(to, { recipientList: [{ recipientNo: to }, { recipientNo: '010-1' }] })
  assert.deepEqual(fieldOfEach(mixed.body, 'body.data.sendResultList', 'resultCode'), [0, -2019])
  const mms = { title: '제목', body: '본문', sendNo: '15440000', recipientList: [{ recipientNo: to }] }
  assert.equal(code(await call(`${paths.sms}/sender/mms`, { ...mms, title: '' })), -2014)
  assert.equal(code(await call(`${paths.sms}/sender/mms`, { ...mms, attachFileIdList: [99] })), -2004)
  const abroad = await call(`${paths.sms}/sender/mms`, {
    ...mms,
    recipientList: [{ internationalRecipientNo: '14155550001' }],
  })
  assert.equal(field(abroad.body, 'body.data.sendResultList.0.resultCode'), -2024)
  await sms(to, { body: '가'.repeat(46) })
  assert.deepEqual(
    nhn.submissions(to).map(({ truncated }) => truncated),
    [false, true],
  )
})

test('an MMS requires uploaded attachments', async (t) => {
  const { call } = await startBed(t)
  const upload = (change: Change): Promise<JsonResponse> =>
    call(`${paths.sms}/attachfile/binaryUpload`, {
      fileName: 'a.jpg',
      createUser: 'me',
      fileBody: jpeg.toString('base64'),
      ...change,
    })
  assert.equal(code(await upload({ fileName: 'a.png' })), -2003)
  assert.equal(code(await upload({ fileBody: '' })), -2005)
  assert.equal(code(await upload({ createUser: '' })), 4)
  const fileId = field((await upload({})).body, 'body.data.fileId')
  const mms = {
    title: '제목',
    body: '본문',
    sendNo: '15440000',
    recipientList: [{ recipientNo: '01012340001' }],
    attachFileIdList: [fileId],
  }
  const sent = await call(`${paths.sms}/sender/mms`, mms)
  const found = await call(
    `${paths.sms}/sender/mms?requestId=${String(field(sent.body, 'body.data.requestId'))}`,
  )
  assert.deepEqual(
    [field(found.body, 'body.data.0.messageType'), field(found.body, 'body.data.0.title')],
    ['MMS', '제목'],
  )
})

test('lists results by update time, page by page', async (t) => {
  const { call, sms, alimtalk } = await startBed(t)
  for (const to of ['01012340001', '01012340002', '01012340003']) {
    await sms(to)
    await alimtalk(to)
  }
  const page = async (num: number): Promise<unknown[]> => {
    const { body } = await call(
      `${paths.sms}/message-results?${timeRange('UpdateDate', true)}&pageNum=${num}&pageSize=1`,
    )
    return [field(body, 'body.totalCount'), ...fieldOfEach(body, 'body.data', 'resultCode')]
  }
  assert.deepEqual([await page(1), await page(2), await page(3)], [[2, '1000'], [2, '3001'], [2]])
  const kakao = await call(`${paths.alimtalk}/message-results?${timeRange('UpdateDate', false)}`)
  assert.deepEqual(fieldOfEach(kakao.body, 'messages', 'resultCode'), ['1000', '3019'])
  const days = 'startUpdateDate=2026-01-01%2000:00:00&endUpdateDate=2026-01-03%2000:00:00'
  assert.equal(code(await call(`${paths.sms}/message-results?${days}`)), -1005)
})

test('finds an alimtalk without a result by request and by grouping key', async (t) => {
  const { call, alimtalk } = await startBed(t)
  const requestId = String(field((await alimtalk('01012340003')).body, 'message.requestId'))
  const single = await call(`${paths.alimtalk}/messages/${requestId}/1`)
  const shown = ['resultCode', 'messageStatus', 'resendStatus'].map((name) =>
    field(single.body, `message.${name}`),
  )
  assert.deepEqual(shown, [null, 'COMPLETED', 'RSC01'])
  const byKey = await call(
    `${paths.alimtalk}/messages?recipientGroupingKey=k01012340003&${timeRange('CreateDate', false)}`,
  )
  assert.deepEqual(fieldOfEach(byKey.body, 'messageSearchResultResponse.messages', 'requestId'), [requestId])
  assert.equal(code(await call(`${paths.alimtalk}/messages/${requestId}/2`)), -1016)
  assert.equal(code(await call(`${paths.alimtalk}/messages?recipientGroupingKey=k`)), -4103)
})

test('the limits of alimtalk are checked', async (t) => {
  const { call, alimtalk } = await startBed(t, { templateCode: 't' })
  const to = '01012340001'
  const button = { ordering: 1, type: 'WL', name: '보기', linkMo: 'https://a.example' }
  const cases: readonly (readonly [Change, number])[] = [
    [{ content: '' }, -2001],
    [{ content: 'x'.repeat(1301) }, -2019],
    [{ templateTitle: 'x'.repeat(51) }, -2032],
    [{ templateItem: { list: [{ title: 'a', description: 'b' }] } }, -2033],
    [{ buttons: [{ ...button, linkMo: '' }] }, -3000],
    [{ buttons: [{ ...button, linkMo: 'a.example' }] }, -3006],
    [{ buttons: [{ ...button, type: 'AL', linkMo: undefined, schemeIos: 'a://' }] }, -3007],
    [{ buttons: [{ ...button, name: 'x'.repeat(15) }] }, -2018],
    [{ buttons: Array(3).fill(button), quickReplies: [button] }, -2505],
    [{ recipientGroupingKey: 'x'.repeat(101) }, -2000],
    [{ recipientNo: 'none' }, -1031],
    [{ buttons: [button] }, 0],
  ]
  for (const [change, expected] of cases) assert.equal(code(await alimtalk(to, change)), expected)
  const templated = {
    senderKey,
    templateCode: 't',
    recipientList: [{ recipientNo: to, templateParameter: { name: '홍' } }],
  }
  assert.equal(code(await call(`${paths.alimtalk}/messages`, templated)), 0)
  assert.equal(code(await call(`${paths.alimtalk}/messages`, { ...templated, templateCode: 'u' })), -3003)
  assert.equal(code(await call(`${paths.alimtalk}/messages`, { ...templated, senderKey: 'short' })), -2017)
})

test('refuses a duplicate alimtalk idempotency key until it expires', async (t) => {
  const headers = { 'X-NC-API-IDEMPOTENCY-KEY': 'one' }
  const { nhn, alimtalk } = await startBed(t)
  assert.equal(code(await alimtalk('01012340001', {}, headers)), 0)
  assert.equal(code(await alimtalk('01012340001', {}, headers)), -1005)
  assert.equal(nhn.stats().accepted, 1)
  const brief = await startBed(t, { idempotencyMs: 1 })
  assert.equal(code(await brief.alimtalk('01012340001', {}, headers)), 0)
  const answeredAt = Date.now()
  await until(() => Date.now() > answeredAt + 1)
  assert.equal(code(await brief.alimtalk('01012340001', {}, headers)), 0)
})

test('counts fallbacks that are not disabled', async (t) => {
  const { nhn, call, alimtalk } = await startBed(t)
  await alimtalk('01012340001')
  const sent = await alimtalk('01012340002', { resendParameter: undefined })
  const requestId = String(field(sent.body, 'message.requestId'))
  const { body } = await call(`${paths.alimtalk}/messages/${requestId}/1`)
  assert.equal(field(body, 'message.resendStatus'), 'RSC04')
  const counted = await fetch(`http://127.0.0.1:${nhn.controlPort}/fallbacks`)
  assert.deepEqual(await counted.json(), { fallbacks: 1 })
})

test('the limits of brand messages are checked', async (t) => {
  const { call, brand } = await startBed(t)
  const to = '01012340001'
  const button = { name: '보기', type: 'WL', linkMo: 'https://a.example' }
  const form = new FormData()
  form.set('image', new Blob([jpeg]), 'a.jpg')
  form.set('imageType', 'IMAGE')
  const uploaded = await call(`${paths.brand}/images`, form)
  const image = { imageUrl: field(uploaded.body, 'image.imageUrl') }
  const commerce = { title: '신발', regularPrice: 1000 }
  const cases: readonly (readonly [Change, number])[] = [
    [{ chatBubbleType: 'LETTER' }, 4],
    [{ content: undefined }, -3303],
    [{ content: 'x'.repeat(1301) }, -3304],
    [
      {
        buttons: Array(5).fill(button),
        coupon: { title: '배송비 할인 쿠폰', description: 'x', linkMo: 'https://a' },
      },
      -3304,
    ],
    [{ buttons: [button, { name: '채널 추가', type: 'AC' }] }, -3311],
    [{ coupon: { title: '공짜', description: 'x' } }, -3315],
    [{ unsubscribeNo: '1544' }, -3340],
    [{ recipientList: [{ recipientNo: to, targeting: 'X' }] }, -3298],
    [{ chatBubbleType: 'IMAGE' }, -3319],
    [{ chatBubbleType: 'WIDE', image }, -8002],
    [{ chatBubbleType: 'COMMERCE', content: undefined, image, commerce }, -3306],
    [{ chatBubbleType: 'COMMERCE', image, commerce, buttons: [button] }, -3305],
    [{ chatBubbleType: 'CAROUSEL_FEED', content: undefined, carousel: { list: [{}] } }, -3320],
    [{ chatBubbleType: 'IMAGE', image, buttons: [button] }, 0],
    [{ chatBubbleType: 'COMMERCE', content: undefined, image, commerce, buttons: [button] }, 0],
  ]
  for (const [change, expected] of cases) assert.equal(code(await brand(to, change)), expected)
  const basic = { senderKey, templateCode: 'b', recipientList: [{ recipientNo: to }] }
  assert.equal(code(await call(`${paths.brand}/basic-messages`, basic)), -3298)
  const requestId = String(field((await brand(to)).body, 'message.requestId'))
  const found = await call(`${paths.brand}/messages?requestId=${requestId}`)
  assert.equal(field(found.body, 'messageSearchResultResponse.messages.0.chatBubbleType'), 'TEXT')
})

async function startReceiver(
  t: TestContext,
): Promise<{ url: string; events: { headers: IncomingHttpHeaders; body: unknown }[] }> {
  const events: { headers: IncomingHttpHeaders; body: unknown }[] = []
  const server = createServer((request, response) => {
    let text = ''
    request.on('data', (chunk: Buffer) => (text += chunk.toString()))
    request.on('end', () => {
      events.push({ headers: request.headers, body: JSON.parse(text) as unknown })
      response.end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => server.close())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, events }
}

test('posts results and opt-outs to the webhook with its signature', async (t) => {
  const { url, events } = await startReceiver(t)
  const { nhn, sms, alimtalk } = await startBed(t, {
    webhookUrl: url,
    webhookSignature: 'fixed',
    webhookTypo: true,
  })
  await sms('01012340005')
  assert.equal(events.length, 1)
  const [{ headers, body }] = events as [(typeof events)[0]]
  assert.equal(headers['x-toast-webhook-signature'], 'fixed')
  assert.deepEqual([field(body, 'event'), field(body, 'productName')], ['MESSAGE_RESULT_UPDATE', 'SMS'])
  const hook = ['resultCode', 'messageStatus', 'recipientGropuingKey'].map((name) =>
    field(body, `hooks.0.${name}`),
  )
  assert.deepEqual(hook, ['1000', 'COMPLETED', 'k01012340005'])
  await alimtalk('01012340002')
  await until(() => events.length === 2)
  assert.deepEqual(
    ['kakaoMessageType', 'resultCode'].map((name) => field(events[1]!.body, `hooks.0.${name}`)),
    ['ALIMTALK_NORMAL', '3019'],
  )
  const control = `http://127.0.0.1:${nhn.controlPort}/unsubscribe?recipient=01012340001&number=08012345678`
  await fetch(control, { method: 'POST' })
  await until(() => events.length === 3)
  assert.deepEqual(
    ['event', 'hooks.0.recipientNo'].map((path) => field(events[2]!.body, path)),
    ['UNSUBSCRIBE', '01012340001'],
  )
})

for (const product of ['sms', 'alimtalk'] as const) {
  test(`${product}: every ending behaves as the table states`, async (t) => {
    const bed = await startBed(t)
    const family = product === 'sms' ? 'sms' : 'kakao'
    await Promise.all(
      behaviours.map(async ({ ending, refuse, answer, accepts, results, refuseRecipient }) => {
        const to = `0101234${ending}`
        const refusal = refuse?.refusal === 'throttled' ? 'throttled' : refuse?.refusal[family]
        const refusals = refusal === undefined ? 0 : Math.min(refuse!.tries, maxTries)
        for (let tries = 0; tries < refusals; tries++) {
          const reply = await bed[product](to)
          if (refusal === 'throttled') assert.equal(reply.status, 429)
          else assert.deepEqual([reply.status, code(reply)], [refusal === -9999 ? 500 : 200, refusal])
        }
        if (refusals === maxTries) return
        const sent = bed[product](to).catch(() => undefined)
        const isSilent = answer === 'never' || answer === 'by disconnecting'
        if (accepts && refuseRecipient === undefined) await until(() => bed.nhn.submissions(to).length === 1)
        if (!isSilent) assert.equal((await sent)!.status, answer === 'with a server error' ? 500 : 200)
        if (answer === 'by disconnecting') assert.equal(await sent, undefined)
        const list = async (): Promise<unknown[]> => {
          const path = product === 'sms' ? `${paths.sms}/sender/sms` : `${paths.alimtalk}/messages`
          const { body } = await bed.call(
            `${path}?recipientGroupingKey=k${to}&${timeRange('CreateDate', product === 'sms')}`,
          )
          const listed = product === 'sms' ? 'body.data' : 'messageSearchResultResponse.messages'
          return fieldOfEach(body, listed, 'resultCode')
        }
        const expected = results[0]?.[family] ?? null
        const isListed = accepts && refuseRecipient === undefined
        let found = await list()
        while (isListed && expected !== null && found[0] !== expected) found = await list()
        assert.deepEqual(found, isListed ? [expected] : [])
      }),
    )
    const { submits, accepted, refused, throttled, abandoned, errors } = bed.nhn.stats()
    assert.deepEqual([submits, errors], [accepted + refused + throttled + abandoned, 0])
  })
}
