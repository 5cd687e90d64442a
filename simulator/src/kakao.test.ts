import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { behaviours } from './kakao/behaviours.ts'
import { startKakao } from './kakao.ts'
import type { KakaoEntry, KakaoOptions } from './kakao.ts'
import type { HttpCarrier } from './shared/running-carrier.ts'
import { formData, postJson } from './testing/kakao-client.ts'
import type { JsonReply } from './testing/kakao-client.ts'
import { until } from './testing/peer.ts'

const key = 'hubkey'
const senderKey = 'a'.repeat(40)

/** More tries than any behaviour refuses, except those that always refuse. */
const maxTries = 6

interface Batch {
  readonly response_id: number
  readonly response: Record<'success' | 'fail', { serial_number: string; status: string }[]>
}

interface Setting {
  readonly kakao: HttpCarrier<KakaoEntry>
  readonly call: (path: string, body: unknown, headers?: Record<string, string>) => Promise<JsonReply>
  readonly alimtalk: (change?: Record<string, unknown>) => Promise<JsonReply>
  readonly poll: () => Promise<Batch>
}

let serials = 0

async function setting(t: TestContext, options: Partial<KakaoOptions> = {}): Promise<Setting> {
  const kakao = await startKakao({ slowMs: 30, lateMs: 60, ...options })
  t.after(() => kakao.close())
  const call: Setting['call'] = (path, body, headers = {}) =>
    postJson(kakao.port, path, Buffer.from(JSON.stringify(body)), {
      'content-type': 'application/json',
      ...headers,
    })
  return {
    kakao,
    call,
    alimtalk: (change = {}) => call(`/v3/${key}/alimtalk/send`, { ...alimtalkRequest(), ...change }),
    poll: async () =>
      (await call(`/v3/${key}/responseAll`, { channel_key: 'c' }, { channel_key: 'c' }))
        .body as unknown as Batch,
  }
}

async function waitForSubmission(kakao: HttpCarrier<KakaoEntry>, to: string): Promise<undefined> {
  await until(() => kakao.submissions(to).length === 1, 'the submission')
}

const alimtalkRequest = (): Record<string, unknown> => ({
  message_type: 'AT',
  serial_number: `20261115-${++serials}`,
  sender_key: senderKey,
  phone_number: '821012345678',
  template_code: 'template',
  message: '안녕하세요',
  response_method: 'realtime',
})

test('accepts and records alimtalk and brand messages but not friendtalk', async (t) => {
  const { kakao, call, alimtalk } = await setting(t)
  const { status, body } = await alimtalk({ phone_number: '821012340001' })
  assert.deepEqual([status, body['code'], body['message']], [200, '0000', ''])
  assert.match(String(body['received_at']), /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
  const rest = { sender_key: senderKey, phone_number: '821012340001', message: '안녕하세요' }
  const friend = { ...rest, serial_number: 'f1', message_type: 'FT', ad_flag: 'Y' }
  assert.equal((await call(`/v3/${key}/friendtalk/send`, friend)).status, 404)
  const brand = {
    ...rest,
    serial_number: 'b1',
    chat_bubble_type: 'TEXT',
    targeting: 'I',
    reseller_code: '123456789',
  }
  assert.equal((await call(`/v3/${key}/brandmessage/send`, brand)).body['code'], '0000')
  const recorded = kakao
    .submissions('821012340001')
    .map(({ kind, messageType, message }) => [kind, messageType, message])
  assert.deepEqual(recorded, [
    ['alimtalk', 'AT', '안녕하세요'],
    ['brandmessage', 'TEXT', '안녕하세요'],
  ])
})

for (const method of ['realtime', 'push', 'polling'] as const) {
  test(`${method}: every ending behaves as the table states`, async (t) => {
    const { kakao, alimtalk, poll } = await setting(t, { batchSize: 1000 })
    const expectedResults: string[][] = []
    await Promise.all(
      behaviours.map(async ({ ending, refuse, answer, accepts, results }) => {
        const to = `821012340${ending.slice(1)}`
        const refused = refuse === undefined ? 0 : Math.min(refuse.tries, maxTries)
        const codes: unknown[] = []
        let serial = ''
        for (let tries = 0; tries <= refused && tries < maxTries; tries++) {
          serial = `${method}-${ending}-${tries}`
          const change = {
            serial_number: serial,
            phone_number: to,
            response_method: method,
            channel_key: 'c',
          }
          const answered = alimtalk(change).catch(() => undefined)
          // An unanswered request ends when the test closes the carrier.
          const unanswered = answer === 'never' || (method !== 'polling' && results.length === 0)
          const reply = unanswered ? await waitForSubmission(kakao, to) : await answered
          codes.push(
            reply === undefined
              ? 'none'
              : reply.status === 200 || reply.status === 429
                ? reply.body['code']
                : 'HTTP 500',
          )
        }
        const code =
          refuse?.code === 'throttled' ? '9998' : refuse?.code === '9999' ? 'HTTP 500' : refuse?.code
        const silent = answer === 'never' || answer === 'by disconnecting'
        const final = method === 'polling' ? '0000' : results[0]
        const broken = answer === 'broken JSON' ? undefined : final
        const last =
          silent || (final === undefined && accepts) ? 'none' : answer === 'HTTP 500' ? 'HTTP 500' : broken
        assert.deepEqual(
          codes,
          [...Array<unknown>(refused).fill(code), ...(refused === maxTries ? [] : [last])],
          ending,
        )
        assert.equal(kakao.submissions(to).length, accepts && refused < maxTries ? 1 : 0, ending)
        if (method === 'polling' && accepts && refused < maxTries)
          expectedResults.push(...results.map((result) => [serial, result]))
      }),
    )
    const received: string[][] = []
    while (received.length < expectedResults.length) {
      const { response_id, response } = await poll()
      const items = [...response.success, ...response.fail]
      received.push(...items.map(({ serial_number, status }) => [serial_number, status]))
      if (response_id > 0)
        await postJson(kakao.port, `/v3/${key}/response/${response_id}/complete`, Buffer.from(''), {})
    }
    assert.deepEqual(received.toSorted(), expectedResults.toSorted())
    await until(() => kakao.stats().receiptsPending === 0, 'no result pending')
    const stats = kakao.stats()
    assert.equal(stats.submits, stats.accepted + stats.throttled + stats.refused + stats.abandoned)
    assert.deepEqual([stats.receiptsAnswered, stats.errors], [received.length, 0])
  })
}

test('returns a batch until it is completed, then the next one', async (t) => {
  const { kakao, call, alimtalk, poll } = await setting(t, { batchSize: 2 })
  const polling = { response_method: 'polling', channel_key: 'c' }
  for (const serial_number of ['p1', 'p2', 'p3']) await alimtalk({ ...polling, serial_number })
  await alimtalk({ ...polling, channel_key: 'other', serial_number: 'o1' })
  const listSerials = ({ response }: Batch): string[] =>
    response.success.map(({ serial_number }) => serial_number)
  const [first, repeated] = [await poll(), await poll()]
  assert.deepEqual([listSerials(first), first.response_id], [['p1', 'p2'], repeated.response_id])
  const complete = (id: number): Promise<JsonReply> => call(`/v3/${key}/response/${id}/complete`, {})
  assert.equal((await complete(first.response_id)).body['code'], '0000')
  assert.equal((await complete(first.response_id)).body['code'], '4000')
  const second = await poll()
  assert.deepEqual(listSerials(second), ['p3'])
  await complete(second.response_id)
  assert.deepEqual([(await poll()).response_id, kakao.stats().receiptsPending], [0, 1])
  assert.deepEqual([kakao.stats().receiptsSent, kakao.stats().receiptsRepeated], [5, 2])
  assert.equal((await call(`/v3/${key}/responseAll`, {})).body['code'], '1004')
})

test('a poll waits for a result, at most as long as configured', async (t) => {
  const { alimtalk, poll } = await setting(t, { longPollMs: 3000, forgetBatches: true, receiptDelayMs: 20 })
  const waiting = poll()
  await alimtalk({ response_method: 'polling', channel_key: 'c', serial_number: 'w1' })
  assert.equal((await waiting).response.success[0]?.serial_number, 'w1')
  const quick = await setting(t, { longPollMs: 30 })
  assert.equal((await quick.poll()).response_id, 0)
})

test('acceptance and HTTP 500 use up a serial number, throttling does not', async (t) => {
  const { call, alimtalk } = await setting(t, { rememberSerials: 3 })
  const code = async (serial_number: string, to: string): Promise<unknown> =>
    (await alimtalk({ serial_number, phone_number: to })).body['code']
  assert.equal(await code('s1', '821012340009'), '9998')
  assert.equal(await code('s1', '821012340009'), '0000')
  assert.equal(await code('s1', '821012340009'), '3012')
  assert.equal(await code('s2', '821012340017'), '9999')
  assert.equal(await code('s2', '821012340017'), '3012')
  assert.equal(await code('s3', '821012340017'), '0000')
  assert.equal(await code('s4', '821012345678'), '0000')
  assert.equal(await code('s1', '821012345678'), '0000')
  const brand = {
    chat_bubble_type: 'TEXT',
    serial_number: 's4',
    sender_key: senderKey,
    phone_number: '821012345678',
  }
  const sent = await call(`/v3/${key}/brandmessage/send`, { ...brand, message: 'a', targeting: 'M' })
  assert.equal(sent.body['code'], '4131')
})

test('refuses invalid requests with the code of the service', async (t) => {
  const { kakao, call, alimtalk } = await setting(t, { senderKey, templateCode: 'template' })
  const cases: [Record<string, unknown>, string][] = [
    [{ serial_number: '' }, '1004'],
    [{ serial_number: 'x'.repeat(31) }, '1030'],
    [{ message_type: 'XX' }, '1030'],
    [{ message_type: 'toString' }, '1030'],
    [{ sender_key: 'b'.repeat(40) }, '1003'],
    [{ sender_key: 'short' }, '1003'],
    [{ phone_number: '010-1234-5678' }, '3008'],
    [{ response_method: 'pigeon' }, '1030'],
    [{ response_method: 'polling' }, '1004'],
    [{ template_code: '' }, '3015'],
    [{ template_code: 'other' }, '3015'],
    [{ message: '' }, '3013'],
    [{ message: '가'.repeat(1001) }, '3014'],
    [{ title: 'x'.repeat(51) }, '3014'],
    [{ attachment: { button: [{ name: 'x'.repeat(15), type: 'WL' }] } }, '3027'],
    [{ attachment: { button: Array(6).fill({ name: 'a', type: 'WL' }) } }, '3027'],
  ]
  for (const [change, code] of cases)
    assert.equal((await alimtalk(change)).body['code'], code, JSON.stringify(change))
  assert.equal((await call(`/v3/${key}/alimtalk/send`, [])).body['code'], '1001')
  const large = { chat_bubble_type: 'TEXT', message: 'x'.repeat(31_000) }
  assert.equal((await call(`/v3/${key}/brandmessage/send`, large)).body['code'], '4144')
  assert.equal((await call('/nothing', {})).status, 404)
  assert.equal((await call(`/v3/${key}/nothing`, {})).status, 404)
  assert.equal(kakao.stats().refused, cases.length + 2)
})

const brandRequest = (type: string, change: object = {}): Record<string, unknown> => ({
  chat_bubble_type: type,
  serial_number: `20261115-${++serials}`,
  sender_key: senderKey,
  phone_number: '821012345678',
  targeting: 'I',
  message: 'a',
  ...change,
})

test('refuses a brand message beyond the limits of its type', async (t) => {
  const { call } = await setting(t, { anyImage: true })
  const link = { name: 'a', type: 'WL' }
  const image = { img_url: 'https://mud-kage.kakao.com/a' }
  const carousel = (cards: number, button: object[] = [link], head?: object): object => ({
    carousel: { head, list: Array(cards).fill({ attachment: { image, button } }) },
  })
  const items = (count: number): object => ({ attachment: { item: { list: Array(count).fill({}) } } })
  const cases: [type: string, change: object, code: string][] = [
    ['TEXT', { message: 'x'.repeat(1300) }, '0000'],
    ['TEXT', { message: 'x'.repeat(1301) }, '3014'],
    ['TEXT', { targeting: 'F' }, '1030'],
    ['TEXT', { attachment: { button: Array(5).fill(link) } }, '0000'],
    ['TEXT', { attachment: { button: Array(5).fill(link), coupon: {} } }, '3027'],
    ['TEXT', { attachment: { button: [{ name: '채널 추가', type: 'AC' }] } }, '3027'],
    ['TEXT', { attachment: { button: [{ name: '채널 추가', type: 'AC' }] }, targeting: 'M' }, '0000'],
    ['WIDE', { attachment: { image, button: Array(3).fill(link) } }, '3027'],
    ['WIDE_ITEM_LIST', items(3), '0000'],
    ['WIDE_ITEM_LIST', items(5), '3041'],
    ['CAROUSEL_FEED', carousel(6), '0000'],
    ['CAROUSEL_FEED', carousel(7), '3051'],
    ['CAROUSEL_FEED', carousel(2, []), '3027'],
    ['CAROUSEL_COMMERCE', carousel(1, [link], {}), '0000'],
    ['CAROUSEL_COMMERCE', carousel(6, [link], {}), '3051'],
    ['CAROUSEL_COMMERCE', { template_code: 'T1' }, '0000'],
  ]
  for (const [type, change, code] of cases) {
    const { body } = await call(`/v3/${key}/brandmessage/send`, brandRequest(type, change))
    assert.equal(body['code'], code, JSON.stringify([type, change]).slice(0, 200))
  }
})

test('refuses images that were not uploaded', async (t) => {
  const { kakao, call } = await setting(t, { maxImageBytes: 100 })
  const upload = (path: string, image: Buffer, name = 'image'): Promise<JsonReply> => {
    const { contentType, body } = formData(name, image)
    return postJson(kakao.port, path, body, { 'content-type': contentType })
  }
  const brand = async (img_url: string): Promise<unknown> =>
    (
      await call(
        `/v3/${key}/brandmessage/send`,
        brandRequest('IMAGE', { attachment: { image: { img_url } } }),
      )
    ).body['code']
  const jpeg = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0x0d, 0x0a])
  const { status, body } = await upload(`/v2/${key}/image/default`, jpeg)
  assert.deepEqual([status, body['code']], [200, '0000'])
  assert.match(String(body['image']), /^https:\/\/mud-kage\.kakao\.com\//)
  assert.equal(await brand(String(body['image'])), '0000')
  assert.equal(await brand('https://elsewhere.example/a.jpg'), '3024')
  assert.equal(await brand(''), '3024')
  assert.equal((await upload(`/v2/${key}/image/wideItemList/first`, jpeg)).status, 200)
  for (const refused of [
    await upload(`/v2/${key}/image/other`, jpeg),
    await upload(`/v2/${key}/image/wide`, Buffer.from('GIF89a')),
    await upload(`/v2/${key}/image/wide`, Buffer.concat([jpeg, Buffer.alloc(100)])),
    await upload(`/v2/${key}/image/wide`, jpeg, 'file'),
    await call(`/v2/${key}/image/wide`, {}),
  ]) {
    assert.deepEqual([refused.status, refused.body['code']], [400, '3024'])
  }
})

test('checks the partner key, and tokens if a lifetime is configured', async (t) => {
  const { kakao, call } = await setting(t, { partnerKey: key, tokenTtlMs: 150 })
  const token = async (): Promise<Record<string, string>> => {
    const { body } = await call(`/v3/${key}/token`, {})
    return { authorization: `Bearer ${String(body['access_token'])}` }
  }
  const send = async (headers: Record<string, string> = {}): Promise<number> =>
    (await call(`/v3/${key}/alimtalk/send`, alimtalkRequest(), headers)).status
  assert.equal((await call('/v3/other/alimtalk/send', alimtalkRequest())).status, 401)
  assert.equal(await send(), 401)
  const first = await token()
  assert.equal(await send(first), 200)
  while ((await send(first)) !== 401) await new Promise((resolve) => setTimeout(resolve, 5))
  const second = await token()
  assert.equal(await send(second), 200)
  const { body } = await postJson(kakao.controlPort, '/expire-tokens', Buffer.from(''), {})
  assert.equal(body['expired'], 2)
  assert.equal(await send(second), 401)
})

test('throttles beyond the rate and finds duplicate messages', async (t) => {
  const { kakao, alimtalk } = await setting(t, { rate: 3, throttleStatus: 200, throttleCode: '9999' })
  const replies = await Promise.all(Array.from({ length: 5 }, () => alimtalk()))
  assert.deepEqual(replies.map(({ body }) => body['code']).toSorted(), [
    '0000',
    '0000',
    '0000',
    '9999',
    '9999',
  ])
  assert.deepEqual(
    kakao.duplicates().map(({ count, message }) => [count, message]),
    [[3, '안녕하세요']],
  )
})

test('refuses deeply nested JSON without a server error', async (t) => {
  const { kakao } = await setting(t)
  const deep = Buffer.from(`{"a":${'['.repeat(60_000)}${']'.repeat(60_000)}}`)
  assert.equal((await postJson(kakao.port, `/v3/${key}/alimtalk/send`, deep, {})).body['code'], '1001')
  assert.equal(kakao.stats().errors, 0)
})
