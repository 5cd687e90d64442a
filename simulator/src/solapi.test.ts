import assert from 'node:assert/strict'
import { createHash, createHmac, randomBytes } from 'node:crypto'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import type { HttpCarrier } from './shared/running-carrier.ts'
import { behaviours } from './solapi/behaviours.ts'
import { startSolapi } from './solapi.ts'
import type { SolapiEntry, SolapiOptions } from './solapi.ts'
import { until } from './testing/peer.ts'
import { startReceiver } from './testing/receiver.ts'

/** More tries than any behaviour refuses, except those that always refuse. */
const maxTries = 6

type Json = Record<string, unknown>

interface Reply {
  readonly status: number
  readonly body: Json
}

interface Setting {
  readonly solapi: HttpCarrier<SolapiEntry>
  readonly call: (method: string, path: string, body?: unknown, authorization?: string) => Promise<Reply>
  readonly send: (message: Json) => Promise<Reply>
  readonly list: (query: Record<string, string>) => Promise<Record<string, Json>>
}

function sign(key = 'trial', secret = 'trial-secret', date = new Date().toISOString()): string {
  const salt = randomBytes(16).toString('hex')
  const signature = createHmac('sha256', secret).update(`${date}${salt}`).digest('hex')
  return `HMAC-SHA256 apiKey=${key}, date=${date}, salt=${salt}, signature=${signature}`
}

async function setting(t: TestContext, options: Partial<SolapiOptions> = {}): Promise<Setting> {
  const solapi = await startSolapi({ slowMs: 30, lateMs: 60, earlyMs: 50, receiptRetryMs: 5, ...options })
  t.after(() => solapi.close())
  const call: Setting['call'] = async (method, path, body, authorization = sign()) => {
    const response = await fetch(`http://127.0.0.1:${solapi.port}${path}`, {
      method,
      headers: { 'content-type': 'application/json', authorization },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, body: JSON.parse(text) as Json }
  }
  return {
    solapi,
    call,
    send: (message) => call('POST', '/messages/v4/send', { message: { ...sms('01012340001'), ...message } }),
    list: async (query) => {
      const { body } = await call('GET', `/messages/v4/list?${new URLSearchParams(query).toString()}`)
      return body['messageList'] as Record<string, Json>
    },
  }
}

function sms(to: string): Json {
  return { to, from: '0212345678', text: '안녕하세요' }
}

test('a signed message is accepted with its ids and custom fields', async (t) => {
  const { solapi, send, list } = await setting(t)
  const { status, body } = await send({ customFields: { reference: 'r1' } })
  assert.equal(status, 200)
  assert.equal(body['statusCode'], '2000')
  assert.equal(body['type'], 'SMS')
  const id = String(body['messageId'])
  assert.deepEqual(
    solapi.submissions('01012340001').map((entry) => entry.id),
    [id],
  )
  const listed = (await list({ messageId: id }))[id]!
  assert.deepEqual([listed['statusCode'], listed['customFields']], ['4000', { reference: 'r1' }])
})

test('refuses a wrong key, secret or date and a used signature by name', async (t) => {
  const { call } = await setting(t)
  const refusal = async (authorization: string): Promise<unknown[]> => {
    const { status, body } = await call('GET', '/messages/v4/list', undefined, authorization)
    return [status, body['errorCode']]
  }
  const past = new Date(Date.now() - 16 * 60_000).toISOString()
  assert.deepEqual(await refusal(sign('other')), [403, 'InvalidAPIKey'])
  assert.deepEqual(await refusal(sign('trial', 'other')), [403, 'SignatureDoesNotMatch'])
  assert.deepEqual(await refusal(sign('trial', 'trial-secret', past)), [403, 'RequestTimeTooSkewed'])
  const used = sign()
  assert.deepEqual(await refusal(used), [200, undefined])
  assert.deepEqual(await refusal(used), [403, 'DuplicatedSignature'])
})

test('an invalid message is refused with its status code', async (t) => {
  const { send } = await setting(t, { sender: '0212345678' })
  const cases: readonly (readonly [code: string, change: Json])[] = [
    ['1010', { text: '' }],
    ['1011', { to: '+821012340001' }],
    ['1013', { type: 'SMS', subject: 'a' }],
    ['1014', { type: 'LMS', subject: '가'.repeat(21) }],
    ['1025', { type: 'CTA' }],
    ['1031', { type: 'SMS', text: '가'.repeat(46) }],
    ['1032', { customFields: { reference: 'x'.repeat(101) } }],
    ['1033', { type: 'SMS', kakaoOptions: { pfId: 'PF1' } }],
    ['1034', { type: 'MMS', imageId: 'unknown' }],
    ['1041', { type: 'ATA', kakaoOptions: {} }],
    ['1042', { type: 'ATA', kakaoOptions: { pfId: 'PF1' } }],
    [
      '1011',
      { type: 'BMS_FREE', kakaoOptions: { pfId: 'PF1', bms: { targeting: 'X', chatBubbleType: 'TEXT' } } },
    ],
    ['1062', { from: '0299999999' }],
  ]
  for (const [code, change] of cases) {
    const { status, body } = await send(change)
    assert.deepEqual([status, body['errorCode']], [400, 'InvalidStatusCode'], code)
    assert.match(String(body['errorMessage']), new RegExp(`statusCode\\(${code}\\)`))
  }
})

test('a list of messages returns its failures, and on request all messages', async (t) => {
  const { solapi, call } = await setting(t)
  const messages = ['01012340001', '01012340058', '01012340060', '01012340001'].map(sms)
  const { status, body } = await call('POST', '/messages/v4/send-many/detail', {
    messages,
    showMessageList: true,
  })
  assert.equal(status, 200)
  const listCodes = (name: string): unknown[] => (body[name] as Json[]).map(({ statusCode }) => statusCode)
  assert.deepEqual(listCodes('failedMessageList'), ['1062', '1030', '1026'])
  assert.deepEqual(listCodes('messageList'), ['2000', '1062', '1030', '1026'])
  const { count } = body['groupInfo'] as { count: Json }
  assert.deepEqual([count['total'], count['registeredFailed'], count['registeredSuccess']], [4, 3, 1])
  const { submits, accepted, refused } = solapi.stats()
  assert.deepEqual([submits, accepted, refused], [4, 1, 3])
})

test('an uploaded image can be sent until a reset', async (t) => {
  const { solapi, call, send } = await setting(t)
  const upload = (bytes: number): Promise<Reply> =>
    call('POST', '/storage/v1/files', { file: Buffer.alloc(bytes, 1).toString('base64'), type: 'MMS' })
  assert.equal((await upload(204_801)).body['errorCode'], 'ValidationError')
  const { body } = await upload(1000)
  assert.equal((await send({ imageId: body['fileId'] })).body['type'], 'MMS')
  solapi.reset()
  assert.equal((await send({ imageId: body['fileId'] })).status, 400)
})

test('a list by update time continues at its next key', async (t) => {
  const { call, send, list } = await setting(t)
  const startDate = new Date().toISOString()
  const ids: unknown[] = []
  for (let count = 0; count < 5; count++) ids.push((await send({})).body['messageId'])
  const seen: string[] = []
  let startKey: string | null = null
  do {
    const query: Record<string, string> = { dateType: 'UPDATED', startDate, limit: '2' }
    if (startKey !== null) query['startKey'] = startKey
    const { body } = await call('GET', `/messages/v4/list?${new URLSearchParams(query).toString()}`)
    seen.push(...Object.keys(body['messageList'] as Json))
    startKey = body['nextKey'] as string | null
  } while (startKey !== null)
  assert.deepEqual(seen, ids)
  assert.deepEqual(await list({ dateType: 'UPDATED', endDate: startDate.replace(/^\d+/, '2020') }), {})
  assert.equal((await call('GET', '/messages/v4/list?startDate=never')).status, 400)
})

test('posts a report with event and secret, five times if refused', async (t) => {
  const receiver = await startReceiver(t, () => ({ status: 500 }))
  const { solapi, send } = await setting(t, { webhookUrl: receiver.url, webhookSecret: 'hook' })
  await send({ to: '01012340002', customFields: { reference: 'r1' } })
  await until(() => solapi.stats().receiptsGivenUp === 1, 'the report to be abandoned')
  assert.equal(receiver.received.length, 5)
  const { headers, body } = receiver.received[0]!
  assert.equal(headers['x-solapi-event-name'], 'SINGLE-REPORT')
  assert.equal(headers['x-solapi-secret'], createHash('sha1').update('hook').digest('hex'))
  const [report] = body as [Json]
  assert.deepEqual([report['statusCode'], report['customFields']], ['3032', { reference: 'r1' }])
})

test('replaces a failed alimtalk by a text message unless disabled', async (t) => {
  const { send, list } = await setting(t)
  const sendAndGetStatuses = async (kakaoOptions: Json): Promise<unknown[]> => {
    const { body } = await send({ to: '01012340002', kakaoOptions: { pfId: 'PF1', ...kakaoOptions } })
    const { type, statusCode, replacement } = (await list({ messageId: String(body['messageId']) }))[
      String(body['messageId'])
    ]!
    return [type, statusCode, replacement]
  }
  assert.deepEqual(await sendAndGetStatuses({ templateId: 'KA1', disableSms: true }), ['ATA', '3104', false])
  assert.deepEqual(await sendAndGetStatuses({ templateId: 'KA1' }), ['ATA', '4000', true])
  const bms = { targeting: 'I', chatBubbleType: 'TEXT' }
  assert.deepEqual(await sendAndGetStatuses({ bms }), ['BMS_FREE', '3104', false])
})

test('every ending behaves as the table states', async (t) => {
  const receiver = await startReceiver(t, () => ({ status: 200 }))
  const { solapi, send, list } = await setting(t, { webhookUrl: receiver.url })
  const reported = (to: string): unknown[] =>
    receiver.received
      .map(({ body }) => (body as [Json])[0])
      .flatMap((report) => (report['to'] === to ? [report['statusCode']] : []))
  await Promise.all(
    behaviours.map(async ({ ending, refuse, response, accepts, results }) => {
      const to = `0101234${ending}`
      const expected =
        refuse?.code === 'throttled'
          ? 429
          : refuse?.code === 'HTTP 500'
            ? 500
            : refuse?.code === '1030'
              ? 402
              : 400
      const refusals = refuse === undefined ? 0 : Math.min(refuse.tries, maxTries)
      for (let attempt = 0; attempt < refusals; attempt++)
        assert.equal((await send({ to })).status, expected, ending)
      if (refusals === maxTries) return assert.deepEqual(solapi.submissions(to), [], ending)
      const answered = send({ to }).then(
        ({ status }) => status,
        () => 'none',
      )
      // An unanswered request ends when the test closes the carrier.
      if (response !== 'never') {
        const broken = response === 'by disconnecting' || response === 'broken JSON'
        assert.equal(await answered, broken ? 'none' : response === 'HTTP 500' ? 500 : 200, ending)
      }
      await until(() => solapi.submissions(to).length === (accepts ? 1 : 0), `the submission to ${ending}`)
      if (!accepts) return
      const codes = results.map(([text]) => text)
      await until(() => reported(to).length === codes.length, `the reports of ${ending}`)
      assert.deepEqual(reported(to), codes, ending)
      const [listed] = Object.values(await list({ to }))
      assert.equal(listed!['statusCode'], codes[0] ?? '3000', ending)
    }),
  )
  const { submits, accepted, throttled, refused, abandoned, errors } = solapi.stats()
  assert.equal(submits, accepted + throttled + refused + abandoned)
  assert.equal(errors, 0)
})
