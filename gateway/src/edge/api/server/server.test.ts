import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type AddressInfo } from 'node:net'
import { suite, test } from 'node:test'
import { createTestBroker } from '../../../../test/support/engines/broker.ts'
import { createTestDatabase } from '../../../../test/support/engines/database.ts'
import { sender, recipient } from '../../../../test/support/fixtures.ts'
import { createMemoryLog } from '../../../../test/support/memory-log.ts'
import { createProxy } from '../../../../test/support/engines/proxy.ts'
import { openHangingQueues } from '../../../../test/support/engines/hanging-queues.ts'
import { createTestServer, type TestResponse, type Envelope } from '../../../../test/support/http/server.ts'
import { brokerUrls } from '../../../../test/support/engines/services.ts'
import { waitFor } from '../../../../test/support/wait.ts'
import type { Broker } from '../../../platform/broker/broker.ts'
import { BrokerUnavailable, type GroupPublisher } from '../../../platform/broker/publish.ts'
import { openDatabase } from '../../../platform/database/database.ts'
import { addCleanup } from '../../../../test/support/cleanup.ts'
import { silentLog } from '../../../../test/support/silent-log.ts'
import { toProblem } from './errors.ts'

const { database, url } = await createTestDatabase()
const testBroker = await createTestBroker()
const { broker, topology } = testBroker
const { log, lines } = createMemoryLog()
const api = await createTestServer({ database, broker, topology, log })
const account = await api.account()
const authorization = `Bearer ${account.token}`
const body = { from: sender, to: recipient, text: 'hello' }

const requestId = /^[0-9A-Z]{16}$/

/** Requires the envelope as JSON, and nothing else. */
function assertEnvelope({ status, headers, body: envelope }: TestResponse, expected: [number, string]): void {
  assert.deepEqual([status, envelope.code], expected)
  assert.match(String(headers['content-type']), /^application\/json/)
  assert.match(String(headers['request-id']), requestId)
  assert.deepEqual(Object.keys(envelope), ['code', 'result'])
  assert.ok(envelope.result.length > 0)
}

const post = (
  payload: string | Buffer,
  contentType: string | undefined = 'application/json',
): Promise<TestResponse> =>
  api.inject({
    method: 'POST',
    url: '/v1/send/sms',
    headers: { authorization, ...(contentType === '' ? {} : { 'content-type': contentType }) },
    payload,
  })

const cases: [description: string, ask: () => Promise<TestResponse>, expected: [number, string]][] = [
  ['an unknown path', () => api.inject({ method: 'GET', url: '/v1/nothing' }), [404, 'A300']],
  [
    'an unknown path below a known one',
    () => api.call(account, 'GET', '/v1/report/polling/x/y'),
    [404, 'A300'],
  ],
  ['another method', () => api.call(account, 'GET', '/v1/send/sms'), [404, 'A300']],
  ['a DELETE without its id', () => api.call(account, 'DELETE', '/v1/report/polling/'), [404, 'A300']],
  ['a path that cannot be decoded', () => api.call(account, 'GET', '/v1/report/inquiry/%zz'), [400, 'A300']],
  [
    'a long key that does not exist',
    () => api.call(account, 'DELETE', `/v1/report/polling/${'A'.repeat(5_000)}`),
    [400, 'A805'],
  ],
  ['another content type', () => post(JSON.stringify(body), 'text/plain'), [415, 'A300']],
  ['a form', () => post('from=1&to=2', 'application/x-www-form-urlencoded'), [415, 'A300']],
  ['a malformed content type', () => post(JSON.stringify(body), 'json'), [415, 'A300']],
  ['a truncated JSON body', () => post('{"from":'), [400, 'A010']],
  ['an empty body', () => post(''), [400, 'A010']],
  ['a body of spaces', () => post('  '), [400, 'A010']],
  ['prototype pollution', () => post('{"__proto__":{"to":"1"}}'), [400, 'A010']],
  [
    'a body that is not UTF-8',
    // Removes one byte of a character.
    () =>
      post(Buffer.from(Buffer.from(JSON.stringify({ ...body, ref: '😀' })).filter((byte) => byte !== 0x80))),
    [400, 'A010'],
  ],
  ['a JSON array', () => post('[]'), [400, 'A011']],
  ['a list with too many values', () => post(`[${'1,'.repeat(100_000)}1]`), [400, 'A011']],
  [
    'a body that is nested too deeply',
    () => post(`{"messageVariable":${'['.repeat(100_000)}${']'.repeat(100_000)}}`),
    [400, 'A011'],
  ],
  ['a JSON string', () => post('"hello"'), [400, 'A011']],
  ['JSON null', () => post('null'), [400, 'A011']],
  ['no body and no content type', () => post('', ''), [400, 'A011']],
  [
    'a body that is too large',
    () => post(JSON.stringify({ ...body, text: 'x'.repeat(300_000) })),
    [400, 'A300'],
  ],
]
for (const [description, ask, expected] of cases) {
  test(`responds to ${description} with ${expected.join(' ')}, in the envelope`, async () => {
    assertEnvelope(await ask(), expected)
  })
}

suite('every response to a send other than 200 states whether the message may have been accepted', () => {
  const acceptanceOf = async (url: string, payload: unknown = body, token = account.token) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const response = await api.inject({
      method: 'POST',
      url,
      headers,
      payload: typeof payload === 'string' ? payload : JSON.stringify(payload),
    })
    return [response.status, response.headers['message-accepted']]
  }

  test('no, if it fails before or in its checks', async () => {
    const plain = await api.account({ reportKeys: 'plain' })
    const wrong = { ...body, to: 'letters' }
    assert.deepEqual(
      [
        await acceptanceOf('/v1/send/sms', wrong),
        await acceptanceOf('/v1/send/sms', wrong, plain.token),
        await acceptanceOf('/v1/send/sms?dryRun=true', wrong),
        await acceptanceOf('/v1/send/sms', '{"from":'),
        await acceptanceOf('/v1/send/sms', body, 'nothing'),
        await acceptanceOf('/v1/send/telegram'),
        await acceptanceOf('/v1/send/%zz'),
        await acceptanceOf('/v1/send/sms'),
        await acceptanceOf('/v1/form'),
      ],
      [
        [400, 'no'],
        [400, 'no'],
        [400, 'no'],
        [400, 'no'],
        [401, 'no'],
        [404, 'no'],
        [400, 'no'],
        [200, undefined],
        [400, undefined],
      ],
    )
  })

  test('each failed destination inside a 200 as well, for full report keys', async () => {
    const omni = {
      destinations: [{ to: recipient }, { to: 'letters' }],
      messageFlow: [{ sms: { from: sender, text: 'hello' } }],
    }
    for (const [reportKeys, refused] of [
      ['full', 'no'],
      ['plain', undefined],
    ] as const) {
      const { body: response } = await api.call(
        await api.account({ reportKeys }),
        'POST',
        '/v1/send/omni',
        omni,
      )
      const { destinations } = response.data as { destinations: { code: string; acceptance?: string }[] }
      assert.deepEqual(
        destinations.map(({ code, acceptance }) => [code, acceptance]),
        [
          ['A000', undefined],
          ['A306', refused],
        ],
      )
    }
  })
})

test('an error of HTTP itself is named', async () => {
  const answer = await api.inject({
    method: 'POST',
    url: '/v1/send/sms',
    headers: { authorization, 'content-type': 'application/json', 'content-length': '5' },
    payload: JSON.stringify(body),
  })
  assertEnvelope(answer, [400, 'A300'])
  assert.equal(answer.body.result, 'Wrong request: HTTP 400 Bad Request')
})

test('accepts a JSON content type on requests without a body', async () => {
  for (const [method, path] of [
    ['GET', '/v1/report/polling'],
    ['GET', '/v1/report/inquiry/none'],
    ['DELETE', '/v1/report/polling/none'],
    ['POST', '/v1/auth/token'],
  ] as const) {
    for (const contentType of ['application/json', 'application/json; charset=utf-8']) {
      const headers = { authorization, 'content-type': contentType, 'content-length': '0' }
      const answer = await api.inject({ method, url: path, headers })
      assert.ok(
        ['A000', 'A805', 'A100'].includes(answer.body.code),
        `${method} ${path}: ${answer.body.result}`,
      )
    }
  }
})

test('ignores a trailing slash', async () => {
  assert.equal((await api.call(account, 'GET', '/v1/report/polling/')).status, 200)
})

test('checks the token before it reads the body', async () => {
  const answer = await api.inject({
    method: 'POST',
    url: '/v1/send/sms',
    headers: { 'content-type': 'text/plain' },
    payload: 'anything',
  })
  assertEnvelope(answer, [401, 'A002'])
})

test('responds with A920 and Retry-After while the broker is unavailable, then accepts again', async () => {
  const proxy = await createProxy(brokerUrls()[0]!)
  const distant = await testBroker.open({ urls: [proxy.url], publishTimeoutMs: 500 })
  const server = await createTestServer({ database, broker: distant, topology })
  const account = await server.account()
  proxy.block()
  await waitFor('the loss to be noticed', () => !distant.canPublish)
  const answer = await server.call(account, 'POST', '/v1/send/sms', body)
  assertEnvelope(answer, [503, 'A920'])
  assert.match(String(answer.headers['retry-after']), /^[1-9]\d*$/)
  assert.equal(answer.headers['message-accepted'], 'no')
  proxy.unblock()
  await waitFor('the broker', () => distant.canPublish)
  assert.equal((await server.call(account, 'POST', '/v1/send/sms', body)).status, 200)
})

test('distinguishes perhaps accepted messages from those that were not sent', async () => {
  const { publisher, hang } = await openHangingQueues(300)
  const hanging = Object.create(broker, { publisher: { value: publisher } }) as Broker
  const server = await createTestServer({ database, broker: hanging, topology })
  const account = await server.account()
  const omni = { destinations: [{ to: recipient }], messageFlow: [{ sms: { from: sender, text: 'hello' } }] }
  const acceptances: unknown[] = []
  for (const [path, payload, lane] of [
    ['/v1/send/sms', body, topology.accepted.normal],
    ['/v1/send/omni', omni, topology.accepted.normal],
    [
      '/v1/send/omni',
      { ...omni, messageFlow: [{ sms: { from: sender, text: '(광고) hello' } }] },
      topology.accepted.bulk,
    ],
  ] as const) {
    hang(lane)
    const answer = await server.call(account, 'POST', path, payload)
    assertEnvelope(answer, [503, 'A920'])
    acceptances.push(answer.headers['message-accepted'])
  }
  assert.deepEqual(acceptances, ['perhaps', 'no', 'perhaps'])
})

test('a destination is perhaps accepted beside one that is accepted', async () => {
  const unsure = '01087654321'
  const { publisher: late, hang } = await openHangingQueues(300)
  hang(topology.accepted.normal)
  const send: GroupPublisher['send'] = (queue, text) =>
    (text.includes(unsure) ? late : broker.publisher).send(queue, text)
  const partly = Object.create(broker, { publisher: { value: { send } } }) as Broker
  const server = await createTestServer({ database, broker: partly, topology })
  const omni = {
    destinations: [{ to: recipient }, { to: unsure }],
    messageFlow: [{ sms: { from: sender, text: 'hello' } }],
  }
  const { status, body: response } = await server.call(await server.account(), 'POST', '/v1/send/omni', omni)
  assert.equal(status, 200)
  const { destinations } = response.data as { destinations: { code: string; acceptance?: string }[] }
  assert.deepEqual(
    destinations.map(({ code, acceptance }) => [code, acceptance]),
    [
      ['A000', undefined],
      ['A920', 'perhaps'],
    ],
  )
})

test('clients get different retry delays while the broker is unavailable', () => {
  const seconds = Array.from(
    { length: 200 },
    () => toProblem(new BrokerUnavailable('blocked'))!.retryAfterSeconds!,
  )
  assert.ok(Math.min(...seconds) >= 2 && Math.max(...seconds) <= 6, seconds.join(' '))
  assert.ok(new Set(seconds).size >= 4)
})

test('accepts messages while PostgreSQL is unavailable; reads get A920', async () => {
  const proxy = await createProxy(url)
  const distant = openDatabase(proxy.url, silentLog, { connections: 2 })
  addCleanup(() => distant.end())
  const server = await createTestServer({ database: distant, broker, topology })
  const account = await server.account()
  proxy.block()
  assert.equal((await server.call(account, 'POST', '/v1/send/sms', body)).status, 200)
  for (let n = 0; n < 3; n++) {
    const answer = await server.call(account, 'GET', '/v1/report/polling')
    assertEnvelope(answer, [503, 'A920'])
    assert.match(String(answer.headers['retry-after']), /^[1-9]\d*$/)
  }
  proxy.unblock()
  assert.equal((await server.call(account, 'GET', '/v1/report/polling')).status, 200)
})

test('an internal error is A999 without its text', async () => {
  await database.query('alter table report_polls rename to elsewhere')
  const answer = await api.call(account, 'GET', '/v1/report/polling')
  await database.query('alter table elsewhere rename to report_polls')
  assertEnvelope(answer, [500, 'A999'])
  assert.equal(answer.body.result, 'Unknown error')
  const logged = lines.filter((line) =>
    line.includes(`"requestId":"${String(answer.headers['request-id'])}"`),
  )
  assert.equal(logged.length, 1)
})

test('every response has a unique Request-Id, whatever the client sends', async () => {
  const paths = [
    '/',
    '/docs',
    '/openapi.json',
    '/v1/usage',
    '/v1/report/stream',
    '/v1/file/content/unknown',
    '/%',
  ]
  const headers = { authorization, accept: 'application/x-ndjson, text/csv', 'request-id': 'mine' }
  const answers = await Promise.all(paths.map((path) => api.server.inject({ url: path, headers })))
  const ids = answers.map((answer) => String(answer.headers['request-id']))
  for (const id of ids) assert.match(id, requestId)
  assert.equal(new Set(ids).size, paths.length)
})

test('responds to malformed HTTP with the envelope', async () => {
  await api.server.listen({ host: '127.0.0.1', port: 0 })
  const { port } = api.server.server.address() as AddressInfo
  const long = `GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(40_000)}\r\n\r\n`
  for (const garbage of ['HELO example\r\n\r\n', 'GET / HTTP/1.1\r\nHost x\r\n\r\n', long]) {
    const socket = connect(port, '127.0.0.1')
    let received = ''
    socket.setEncoding('utf8')
    socket.on('data', (text: string) => (received += text))
    socket.write(garbage)
    await once(socket, 'close')
    const [head, json] = received.split('\r\n\r\n')
    assert.match(head!, /content-type: application\/json/i)
    assert.match(head!, /\r\nrequest-id: [0-9A-Z]{16}\r\n/)
    assert.match(head!, /\r\nmessage-accepted: perhaps\r\n/)
    const envelope = JSON.parse(json!) as Envelope
    assert.deepEqual([envelope.code, typeof envelope.result], ['A300', 'string'])
  }
})
