import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { behaviours } from './maap/behaviours.ts'
import { formats } from './maap/formats.ts'
import { startMaap } from './maap.ts'
import type { MaapEntry, MaapOptions } from './maap.ts'
import { HttpServer } from './shared/http-server.ts'
import type { HttpOutcome } from './shared/http-server.ts'
import type { HttpCarrier } from './shared/running-carrier.ts'
import { postJson } from './testing/kakao-client.ts'
import type { JsonReply } from './testing/kakao-client.ts'
import {
  button,
  carrierMessage,
  fileFields,
  fileForm,
  fileId,
  legacySms,
  newId,
  relayMessage,
} from './testing/maap-client.ts'
import type { MaapRequest } from './testing/maap-client.ts'
import { until } from './testing/peer.ts'

/** More tries than any behaviour refuses, except those that always refuse. */
const maxTries = 6

type Posted = { readonly path: string } & Readonly<Record<string, unknown>>

interface Setting {
  readonly maap: HttpCarrier<MaapEntry>
  readonly statuses: Posted[]
  readonly replies: Posted[]
  readonly call: (path: string, body: unknown, token?: string) => Promise<JsonReply>
  readonly send: (message: MaapRequest) => Promise<JsonReply>
  readonly upload: (fields?: Record<string, string>, file?: Buffer) => Promise<JsonReply>
  readonly token: string
}

function getCode({ body }: JsonReply): unknown {
  return (body['error'] as { code: string } | undefined)?.code
}

async function setting(
  t: TestContext,
  options: Partial<MaapOptions> = {},
  answer: (count: number) => HttpOutcome = () => ({ status: 200, body: '{"status":"200"}' }),
): Promise<Setting> {
  const statuses: Posted[] = []
  const replies: Posted[] = []
  const receiver = new HttpServer({
    host: '127.0.0.1',
    port: 0,
    maxBodyBytes: 65_536,
    handler: ({ path, body }) => {
      const items = JSON.parse(body.toString()) as MaapRequest[]
      assert.equal(items.length, 1)
      ;(path.startsWith('/status') ? statuses : replies).push({ ...items[0]!, path })
      return answer(statuses.length)
    },
  })
  await receiver.listen()
  const url = `http://127.0.0.1:${receiver.port}`
  const urls = { statusUrl: `${url}/status`, replyUrl: `${url}/mo` }
  const fast = { slowMs: 30, lateMs: 60, receiptRetryMs: 5, earlyMs: 5000 }
  const maap = await startMaap({ ...urls, ...fast, ...options })
  t.after(async () => {
    await maap.close()
    await receiver.close()
  })
  const relay = options.carrier === 'kt-relay'
  const base = relay ? '/corp/v1' : '/ag/1.2'
  const call = (path: string, body: unknown, bearer?: string): Promise<JsonReply> =>
    postJson(maap.port, `${base}/${path}`, Buffer.from(JSON.stringify(body)), {
      'content-type': 'application/json',
      ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
    })
  const names = relay ? { rcsId: 'me', rcsSecret: 's' } : { clientId: 'me', clientSecret: 's' }
  const issued = await call('token', { ...names, grantType: 'clientCredentials' })
  const { tokenInfo } = issued.body['data'] as { tokenInfo: { accessToken: string; expiresIn: string } }
  assert.match(tokenInfo.expiresIn, /^\d+$/)
  const token = tokenInfo.accessToken
  return {
    maap,
    statuses,
    replies,
    call,
    token,
    send: (message) => call('message', message, token),
    upload: (fields = fileFields, file) =>
      postJson(maap.port, `${base}/file`, fileForm(fields, file), {
        authorization: `Bearer ${token}`,
        'content-type': 'multipart/form-data; boundary=form',
      }),
  }
}

for (const carrier of ['skt', 'kt-relay'] as const) {
  const relay = carrier === 'kt-relay'
  const idName = relay ? 'msgId' : 'clientMsgId'
  const message = (id: string, to: string): MaapRequest =>
    relay
      ? relayMessage({ msgId: id, userContact: to })
      : carrierMessage({ clientMsgId: id, userContact: to })

  test(`${carrier}: every ending behaves as the table states`, async (t) => {
    const { maap, statuses, replies, send } = await setting(t, { carrier })
    const expected: unknown[][] = []
    let expectedReplies = 0
    await Promise.all(
      behaviours.map(async ({ ending, refuse, answer, accepts, statuses: given, replies: kinds, home }) => {
        const to = `0101234${ending}`
        const missed = !relay && home !== undefined && home !== 'SKT'
        const refused = missed ? maxTries : refuse === undefined ? 0 : Math.min(refuse.tries, maxTries)
        const answers: unknown[] = []
        const id = newId()
        for (let tries = 0; tries <= refused && tries < maxTries; tries++) {
          const answered = send(message(id, to)).catch(() => undefined)
          // An unanswered request ends when the test closes the carrier.
          if (answer === 'never') await until(() => maap.submissions(to).length === 1, 'the submission')
          const reply = answer === 'never' ? undefined : await answered
          answers.push(reply === undefined ? 'none' : (getCode(reply) ?? reply.body['status']))
        }
        const code = missed ? '54001' : refuse?.code[relay ? 1 : 0]
        const silent = answer === 'never' || answer === 'by disconnecting'
        const broken = answer === 'broken JSON' ? undefined : '200'
        const failing = answer === 'HTTP 500' ? (relay ? '71001' : '59001') : broken
        const last = silent ? 'none' : failing
        const expectedAnswers = [
          ...Array<unknown>(refused).fill(code),
          ...(refused === maxTries ? [] : [last]),
        ]
        assert.deepEqual(answers, expectedAnswers, ending)
        assert.equal(maap.submissions(to).length, accepts && refused < maxTries ? 1 : 0, ending)
        if (!accepts || refused === maxTries) return
        expected.push(
          ...given.map((status) => [id, status === 'success' ? undefined : status[relay ? 1 : 0]]),
        )
        expectedReplies += kinds.length
      }),
    )
    await until(() => statuses.length === expected.length, 'all statuses')
    await until(() => replies.length === expectedReplies, 'all replies')
    const received = statuses.map(({ [idName]: id, error, status }) => {
      assert.equal(status, error === undefined ? 'success' : 'fail')
      return [id, (error as { code: string } | undefined)?.code]
    })
    assert.deepEqual(received.toSorted(), expected.toSorted())
    assert.ok(replies.every(({ path }) => path === (relay ? '/mo' : '/mo/SKT')))
    assert.deepEqual(replies.map(({ eventType }) => eventType).toSorted(), [
      'message',
      'message',
      'message',
      'newUser',
      'response',
    ])
    await until(() => maap.stats().receiptsPending === 0, 'nothing pending')
    const stats = maap.stats()
    assert.equal(stats.submits, stats.accepted + stats.throttled + stats.refused + stats.abandoned)
    assert.equal(stats.errors, 0)
  })

  test(`${carrier}: accepts every format except chat, with a button, after its file is registered`, async (t) => {
    const { maap, statuses, send, upload } = await setting(t, { carrier })
    const ids = [...formats.keys(), 'UBR.abcd.template'].filter((id) => !/^[SC]C/.test(id))
    const sendAll = (): Promise<unknown[]> =>
      Promise.all(
        ids.map(async (id) => getCode(await send(relay ? relayMessage({}, {}, id) : carrierMessage({}, id)))),
      )
    const text = new Set(['SS000000', 'SL000000', 'OL00000001', 'UBR.abcd.template'])
    const before = await sendAll()
    assert.deepEqual(
      before,
      ids.map((id) => (relay || text.has(id) ? undefined : '55815')),
    )
    if (relay) {
      await until(() => statuses.length === ids.length, 'all statuses')
      assert.equal(statuses.filter(({ status }) => status === 'success').length, text.size)
    }
    const { status, body } = await upload()
    const { fileInfo } = body['data'] as { fileInfo: { fileId: string; status: string } }
    assert.deepEqual([status, fileInfo.fileId, fileInfo.status], [200, fileId, 'ready'])
    assert.deepEqual(
      await sendAll(),
      ids.map(() => undefined),
    )
    assert.equal(maap.stats().errors, 0)
  })

  test(`${carrier}: checks tokens, which expire`, async (t) => {
    const { maap, call, token } = await setting(t, {
      carrier,
      clientId: 'me',
      clientSecret: 's',
      tokenTtlMs: 300,
    })
    const codePrefix = relay ? '7' : '5'
    const names = relay ? ['rcsId', 'rcsSecret'] : ['clientId', 'clientSecret']
    const issue = async (id: string, secret: string, grantType = 'clientCredentials'): Promise<unknown> =>
      getCode(await call('token', { [names[0]!]: id, [names[1]!]: secret, grantType }))
    const send = async (bearer?: string): Promise<unknown[]> => {
      const reply = await call('message', message(newId(), '01012345678'), bearer)
      return [reply.status, getCode(reply)]
    }
    assert.equal(await issue('other', 's'), relay ? '70007' : '50006')
    assert.equal(await issue('me', 'wrong'), `${codePrefix}0008`)
    assert.equal(await issue('me', 's', 'password'), relay ? '71008' : '55802')
    assert.deepEqual(await send(), [401, `${codePrefix}0001`])
    assert.deepEqual(await send('unknown'), [401, `${codePrefix}0003`])
    assert.deepEqual(await send(token), [200, undefined])
    while ((await send(token))[0] === 200) await new Promise((resolve) => setTimeout(resolve, 5))
    assert.deepEqual(await send(token), [401, `${codePrefix}0004`])
    const expired = await postJson(maap.controlPort, '/expire-tokens', Buffer.from(''), {})
    assert.equal(expired.body['expired'], 1)
    const stats = maap.stats()
    assert.equal(stats.submits, stats.accepted + stats.refused)
  })
}

test('other carriers refuse a subscriber in the response or by status', async (t) => {
  for (const [carrier, ending] of [
    ['skt', '0061'],
    ['kt', '0062'],
    ['lgu', '0063'],
  ] as const) {
    const { statuses, send } = await setting(t, { carrier, appendCarrier: true })
    const answers = await Promise.all(
      ['0061', '0062', '0063'].map(async (last) =>
        getCode(await send(carrierMessage({ userContact: `0101234${last}` }))),
      ),
    )
    assert.deepEqual(
      answers,
      ['0061', '0062', '0063'].map((last) => (last === ending ? undefined : '54001')),
    )
    await until(() => statuses.length === 1, 'the status')
    const mno = carrier.toUpperCase()
    assert.deepEqual([statuses[0]!['mnoInfo'], statuses[0]!.path], [mno, `/status/${mno}`])
  }
  const { statuses, send } = await setting(t, { carrier: 'kt', missBy: 'status' })
  assert.equal((await send(carrierMessage({ userContact: '01012340061' }))).status, 200)
  await until(() => statuses.length === 1, 'the status')
  assert.deepEqual((statuses[0]!['error'] as { code: string }).code, '54001')
})

test('acceptance uses up a message id, throttling does not', async (t) => {
  const { send } = await setting(t, { rememberIds: 2 })
  const code = async (clientMsgId: string, to: string): Promise<unknown> =>
    getCode(await send(carrierMessage({ clientMsgId, userContact: to })))
  assert.equal(await code('a', '01012340009'), '50201')
  assert.equal(await code('a', '01012340009'), undefined)
  assert.equal(await code('a', '01012340001'), '55806')
  assert.equal(await code('b', '01012340001'), undefined)
  assert.equal(await code('c', '01012340001'), undefined)
  assert.equal(await code('a', '01012340001'), undefined)
})

test('accepts both ids of the horizontal thumbnail, and composing a recording', async (t) => {
  const { send } = await setting(t, { anyFile: true })
  for (const id of ['OMTBNH0001', 'OMTBNS0001']) {
    const answer = await send(
      carrierMessage({ productCode: 'mms', body: { media: 'maapfile://a', title: 'a' } }, id),
    )
    assert.equal(getCode(answer), undefined, id)
  }
  const compose = (composeAction: MaapRequest): MaapRequest => ({
    buttons: [{ suggestions: [{ action: { composeAction, displayText: 'a', postback: { data: 'a' } } }] }],
  })
  const recording = { composeRecordingMessage: { phoneNumber: '15881588', type: 'VIDEO' } }
  assert.equal(getCode(await send(carrierMessage(compose(recording)))), undefined)
  assert.equal(getCode(await send(carrierMessage(compose({})))), '55814')
})

test('a carrier refuses invalid requests with its code', async (t) => {
  const { maap, send, call, token } = await setting(t, {
    agencyKey: 'AK.key',
    brandKey: 'BK.key',
    anyFile: true,
  })
  const action = (change: MaapRequest): MaapRequest => ({ action: { ...button.action, ...change } })
  const buttons = (...suggestions: unknown[]): MaapRequest => ({ buttons: [{ suggestions }] })
  const cases: [MaapRequest, string, string?][] = [
    [{ clientMsgId: 'x'.repeat(41) }, '55802'],
    [{ agencyId: undefined }, '55802'],
    [{ userContact: '010-1234-5678' }, '55817'],
    [{ chatbotId: 'bot' }, '55302'],
    [{ agencyKey: undefined }, '51101'],
    [{ agencyKey: 'AK.other' }, '51102'],
    [{ brandKey: '' }, '51103'],
    [{ brandKey: 'BK.other' }, '51104'],
    [{ productCode: 'lms' }, '55509'],
    [{ expiryOption: 5 }, '55810'],
    [{ copyAllowed: 'yes' }, '55802'],
    [{ header: '2' }, '55703'],
    [{ footer: '0801234' }, '55704'],
    [{ header: '1' }, '55705'],
    [{ header: '1', footer: 'call me' }, '55706'],
    [{ body: 'text' }, '55804'],
    [{ body: {} }, '55804'],
    [{ body: { description: '가'.repeat(3500) } }, '55804'],
    [{ body: { description: '(광고) 안녕' } }, '55701'],
    [{ body: { description: 'x'.repeat(101) } }, '55709'],
    [{ body: { description: 'x', title: 'y' } }, '55708'],
    [{ messagebaseId: 'not an id' }, '55818'],
    [{ messagebaseId: 'UBR.a' }, '55812'],
    [{ buttons: 'none' }, '55814'],
    [{ buttons: [{}, {}] }, '55880'],
    [buttons(), '55816'],
    [buttons(button, button), '55710'],
    [buttons({ reply: { displayText: 'a', postback: { data: 'a' } } }), '55825'],
    [buttons(action({ displayText: 'x'.repeat(18) })), '55813'],
    [buttons(action({ dialerAction: {} })), '55814'],
    [buttons(action({ urlAction: {} })), '55814'],
    [buttons({}), '55814'],
    [
      buttons({
        action: {
          displayText: 'a',
          mapAction: { showLocation: { location: { latitude: { toString: 1 } } } },
        },
      }),
      '55814',
    ],
    [{ chipList: [button] }, '55824'],
    [{ replyId: 'r' }, '55802'],
    [{ body: { title1: 'a', media1: 'maapfile://a', media2: 'maapfile://b' } }, '55711', 'CMwMhM0300'],
    [
      { body: { media1: 'maapfile://a', media2: 'maapfile://b', media3: 'maapfile://c' } },
      '55711',
      'CMwMhM0200',
    ],
    [{ body: { media: 'https://elsewhere.example/a.png' } }, '55815', 'SMwThT00'],
    [{ buttons: [{}] }, '55880', 'CMwShS0600'],
    [{ replyId: undefined }, '55884', 'SCS00000'],
    [{ replyId: 'unknown' }, '55883', 'SCL00000'],
  ]
  for (const [change, code, id] of cases) {
    assert.equal(getCode(await send(carrierMessage(change, id))), code, JSON.stringify(change).slice(0, 200))
  }
  assert.equal(getCode(await call('message', [], token)), '51005')
  assert.equal((await call('nothing', {}, token)).status, 404)
  assert.equal((await call('querymsgstatus', {}, token)).status, 404)
  assert.equal(maap.stats().refused, cases.length + 1)
})

test('the relay refuses its envelope in the response and the content by status', async (t) => {
  const { statuses, send } = await setting(t, { carrier: 'kt-relay' })
  const cases: [MaapRequest, MaapRequest, string, MaapRequest?][] = [
    [{ msgId: '' }, {}, '72101'],
    [{ msgServiceType: 'legacy' }, {}, '72101'],
    [{ scheduleType: 1 }, {}, '72101'],
    [{ userContact: 'x' }, {}, '75008'],
    [{}, { serviceType: 'SMS' }, '72123'],
    [{}, { chatbotId: '' }, '72103'],
    [{}, { brandKey: undefined }, '72103'],
    [{}, { expiryOption: 3 }, '72125'],
    [{}, { header: 0 }, '72126'],
    [{}, { header: '1' }, '72127'],
    [{}, {}, '72102', { ...legacySms, contentCount: 4 }],
    [{}, {}, '72102', { ...legacySms, kisaOrigCode: 'x' }],
    [{}, {}, '72102', { ...legacySms, kisaOrigCode: { toString: 1 } }],
  ]
  for (const [common, rcs, code, legacy] of cases) {
    assert.equal(getCode(await send(relayMessage(common, rcs, undefined, legacy))), code)
  }
  assert.equal((await send(relayMessage({}, { body: { description: 'x'.repeat(101) } }))).status, 200)
  await until(() => statuses.length === 1, 'the status')
  assert.deepEqual([statuses[0]!['status'], statuses[0]!['bill']], ['fail', 0])
  assert.equal((statuses[0]!['error'] as { code: string }).code, '55709')
})

test('the relay falls back to SMS unless the handset is off', async (t) => {
  const { statuses, send } = await setting(t, { carrier: 'kt-relay' })
  for (const ending of ['0001', '0002', '0016', '0020']) {
    await send(relayMessage({ userContact: `0101234${ending}` }, {}, undefined, legacySms))
  }
  await until(() => statuses.length === 4, 'all statuses')
  const seen = statuses.toSorted((a, b) => String(a['userContact']).localeCompare(String(b['userContact'])))
  const code = (error: unknown): unknown => (error as { code: string } | undefined)?.code
  assert.deepEqual(
    seen.map(({ status, serviceType, error, legacyError }) => [
      status,
      serviceType,
      code(error),
      code(legacyError),
    ]),
    [
      ['success', 'RCSSMS', undefined, undefined],
      ['success', 'SMS', '75007', undefined],
      ['fail', 'SMS', '78004', '78004'],
      ['success', 'SMS', '79998', undefined],
    ],
  )
})

test('the relay returns statuses by query, repeatably by query id, without a webhook', async (t) => {
  const { maap, call, send, token } = await setting(t, {
    carrier: 'kt-relay',
    statusUrl: undefined,
    batchSize: 2,
  })
  for (const msgId of ['q1', 'q2', 'q3']) await send(relayMessage({ msgId }))
  const query = async (body: MaapRequest): Promise<unknown> => {
    const reply = await call('querymsgstatus', body, token)
    const { statusInfo, moreToSend } = (reply.body['data'] ?? {}) as {
      statusInfo?: MaapRequest[]
      moreToSend?: number
    }
    return getCode(reply) ?? [statusInfo!.map(({ msgId }) => msgId), moreToSend]
  }
  assert.equal(maap.stats().receiptsPending, 3)
  assert.deepEqual(await query({ queryType: 'rcsId', queryId: 'a' }), [['q1', 'q2'], 1])
  assert.deepEqual(await query({ queryType: 'rcsId', queryId: 'a', retryYn: 'Y' }), [['q1', 'q2'], 1])
  assert.equal(await query({ queryType: 'rcsId', queryId: 'a' }), '79007')
  assert.equal(await query({ queryType: 'rcsId', queryId: 'x', retryYn: 'Y' }), '79011')
  assert.deepEqual(await query({ queryType: 'rcsId', queryId: 'b' }), [['q3'], 0])
  assert.deepEqual(await query({ queryType: 'msgId', msgId: 'q2' }), [['q2'], 0])
  assert.equal(await query({ queryType: 'msgId', msgId: 'unknown' }), '71006')
  assert.equal(await query({ queryType: 'other' }), '79004')
  assert.equal(maap.stats().receiptsPending, 0)
})

test('a chat message requires the reply id of the same user and chatbot', async (t) => {
  const { maap, replies, send } = await setting(t)
  const target = '/reply?from=01012345678&chatbot=15881588&kind=response'
  await postJson(maap.controlPort, target, Buffer.from(''), {})
  await until(() => replies.length === 1, 'the reply')
  assert.deepEqual([replies[0]!['postbackData'], replies[0]!['eventType']], ['data', 'response'])
  const replyId = replies[0]!['replyId']
  const chat = async (change: MaapRequest): Promise<unknown> =>
    getCode(await send(carrierMessage({ replyId, ...change }, 'SCS00000')))
  const chip = { reply: { displayText: '예', postback: { data: 'yes' } } }
  assert.equal(await chat({ chipList: [chip], buttons: [{ suggestions: [chip] }] }), undefined)
  assert.equal(await chat({ chipList: [] }), '55823')
  assert.equal(await chat({ chipList: Array(12).fill(chip) }), '55881')
  assert.equal(await chat({ userContact: '01099990000' }), '55885')
  assert.equal(await chat({ chatbotId: '15770000' }), '55886')
  const wrong = await postJson(maap.controlPort, '/reply?kind=pigeon', Buffer.from(''), {})
  assert.match(String(wrong.body['error']), /text, response/)
})

test('a reply id expires', async (t) => {
  const { maap, replies, send } = await setting(t, { replyTtlMs: 50 })
  await postJson(maap.controlPort, '/reply?from=01012345678&chatbot=15881588', Buffer.from(''), {})
  await until(() => replies.length === 1, 'the reply')
  const replyId = replies[0]!['replyId']
  const chat = async (): Promise<unknown> => getCode(await send(carrierMessage({ replyId }, 'SCS00000')))
  while ((await chat()) !== '55714') await new Promise((resolve) => setTimeout(resolve, 5))
})

test('refuses invalid files', async (t) => {
  const { send, upload } = await setting(t, { maxFileBytes: 100 })
  const code = async (change: Record<string, string>, file?: Buffer): Promise<unknown> =>
    getCode(await upload({ ...fileFields, ...change }, file))
  assert.equal(await code({ fileId: 'no/slash' }), '53003')
  assert.equal(await code({ usageType: 'chatbot' }), '53002')
  assert.equal(await code({ mimeType: 'image/jpeg' }), '53001')
  assert.equal(await code({}, Buffer.from('<svg/>')), '53001')
  assert.equal(await code({}, Buffer.alloc(101)), '53006')
  assert.equal(await code({}), undefined)
  assert.equal(getCode(await send(carrierMessage({}, 'SMwThM00'))), undefined)
})

test('expires files', async (t) => {
  const { send, upload } = await setting(t, { fileTtlMs: 50 })
  await upload(fileFields)
  const use = async (): Promise<unknown> => getCode(await send(carrierMessage({}, 'SMwThM00')))
  while ((await use()) !== '55815') await new Promise((resolve) => setTimeout(resolve, 5))
})

test('repeats a status until HTTP 200 without another status acknowledges it', async (t) => {
  const answers: HttpOutcome[] = [
    { status: 500, body: '' },
    { status: 200, body: '{"status":"400"}' },
    'disconnect',
    { status: 200, body: '' },
  ]
  const { maap, statuses, send } = await setting(t, {}, (count) => answers[count - 1]!)
  await send(carrierMessage())
  await until(() => maap.stats().receiptsAnswered === 1, 'the acknowledgement')
  assert.equal(new Set(statuses.map(({ clientMsgId }) => clientMsgId)).size, 1)
  assert.equal(statuses.length, 4)
})

test('throttles beyond the rate, optionally with HTTP 200, and finds duplicate messages', async (t) => {
  const { maap, send } = await setting(t, { rate: 2, always200: true })
  const replies = await Promise.all(Array.from({ length: 4 }, () => send(carrierMessage())))
  assert.deepEqual(
    replies.map(({ status }) => status),
    [200, 200, 200, 200],
  )
  assert.equal(replies.filter((reply) => getCode(reply) === '50201').length, 2)
  assert.deepEqual(
    maap.duplicates().map(({ count }) => count),
    [2],
  )
  assert.equal(maap.stats().throttled, 2)
})

test('refuses deeply nested JSON without a server error', async (t) => {
  const { maap, token } = await setting(t)
  const deep = Buffer.from(`{"a":${'['.repeat(60_000)}${']'.repeat(60_000)}}`)
  const reply = await postJson(maap.port, '/ag/1.2/message', deep, { authorization: `Bearer ${token}` })
  assert.equal(getCode(reply), '51005')
  assert.equal(maap.stats().errors, 0)
})

const python = process.env['RCS_PYDANTIC_PYTHON']

test(
  'rcs-pydantic reads our relay envelopes, statuses and replies',
  {
    skip:
      python === undefined &&
      'RCS_PYDANTIC_PYTHON names no Python with rcs-pydantic: npm run engines -- install --tests',
  },
  async (t) => {
    const { statuses, replies, send, upload } = await setting(t, { carrier: 'kt-relay' })
    const file = ((await upload()).body['data'] as { fileInfo: MaapRequest }).fileInfo
    const messages = [...formats.keys()].map((id) => relayMessage({}, {}, id, legacySms))
    await Promise.all(messages.map((message) => send(message)))
    const endings = behaviours.filter(({ refuse, answer }) => refuse === undefined && answer === 'at once')
    await Promise.all(endings.map(({ ending }) => send(relayMessage({ userContact: `0101234${ending}` }))))
    const expectedStatuses = messages.length + endings.flatMap((behaviour) => behaviour.statuses).length
    await until(() => replies.length === 5 && statuses.length >= expectedStatuses, 'all webhooks')
    const program = `
import json, sys
from rcs_pydantic import scheme
given = json.load(sys.stdin)
for item in given["messages"]: scheme.SendInfo(**item)
for item in given["statuses"]: scheme.StatusInfo(**item)
for item in given["replies"]: scheme.MessageInfo(**item)
scheme.FileInfo(**given["file"])
print(len(given["messages"]), len(given["statuses"]), len(given["replies"]))`
    const input = JSON.stringify({ messages, statuses, replies, file })
    const { status, stdout, stderr } = spawnSync(python!, ['-c', program], { input, encoding: 'utf8' })
    assert.equal(status, 0, stderr)
    assert.equal(stdout.trim(), `${messages.length} ${statuses.length} 5`)
  },
)
