import assert from 'node:assert/strict'
import { createHmac, generateKeyPairSync, randomUUID } from 'node:crypto'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { behaviours } from './rbm/behaviours.ts'
import { rbmReplyKinds } from './rbm/events.ts'
import { startRbm } from './rbm.ts'
import type { RbmEntry, RbmOptions } from './rbm.ts'
import { HttpServer } from './shared/http-server.ts'
import type { HttpOutcome } from './shared/http-server.ts'
import type { HttpCarrier } from './shared/running-carrier.ts'
import type { JsonReply } from './testing/kakao-client.ts'
import { until } from './testing/peer.ts'
import {
  assertionClaims,
  callRbm,
  carousel,
  publicKey,
  rbmCard,
  replySuggestion,
  signAssertion,
  standalone,
  textMessage,
} from './testing/rbm-client.ts'
import type { RbmFields } from './testing/rbm-client.ts'

/** More tries than any behaviour refuses, except those that always refuse. */
const maxTries = 6

interface Setting {
  readonly rbm: HttpCarrier<RbmEntry>
  readonly events: RbmFields[]
  readonly send: (to: string, message?: RbmFields, messageId?: string, agentId?: string) => Promise<JsonReply>
  readonly api: (method: string, path: string, body?: RbmFields) => Promise<JsonReply>
  readonly control: (path: string) => Promise<JsonReply>
}

const getStatus = ({ body }: JsonReply): unknown => (body['error'] as { status: string } | undefined)?.status

async function setting(
  t: TestContext,
  options: Partial<RbmOptions> = {},
  answer: (count: number) => HttpOutcome = () => ({ status: 200, body: '' }),
): Promise<Setting> {
  const events: RbmFields[] = []
  const receiver = new HttpServer({
    host: '127.0.0.1',
    port: 0,
    maxBodyBytes: 65_536,
    handler: ({ headers, body }) => {
      const { message, secret } = JSON.parse(body.toString()) as {
        message?: { data: string }
        secret?: string
      }
      if (message === undefined) return { status: 200, body: secret! }
      const data = Buffer.from(message.data, 'base64')
      const expected = createHmac('sha512', 'client-token').update(data).digest('base64')
      assert.equal(headers['x-goog-signature'], expected)
      events.push(JSON.parse(data.toString()) as RbmFields)
      return answer(events.length)
    },
  })
  await receiver.listen()
  const webhookUrl = `http://127.0.0.1:${receiver.port}/events`
  const fast = { slowMs: 30, lateMs: 60, receiptRetryMs: 5, earlyMs: 5000 }
  const rbm = await startRbm({ webhookUrl, ...fast, tokenTtlMs: 0, ...options })
  t.after(async () => {
    await rbm.close()
    await receiver.close()
  })
  const api: Setting['api'] = (method, path, body) =>
    callRbm(rbm.port, method, path, body === undefined ? '' : JSON.stringify(body), {})
  return {
    rbm,
    events,
    api,
    send: (to, message = textMessage(), messageId = randomUUID(), agentId = 'agent') =>
      api('POST', `/v1/phones/${to}/agentMessages?messageId=${messageId}&agentId=${agentId}`, message),
    control: (path) => callRbm(rbm.controlPort, 'POST', path, '', {}),
  }
}

test('every ending behaves as the table states', async (t) => {
  const { rbm, events, send } = await setting(t)
  const expected: unknown[][] = []
  await Promise.all(
    behaviours.map(async ({ ending, refuse, answer, accepts, events: given, atExpiry }) => {
      const to = `+82101234${ending}`
      const refused = refuse === undefined ? 0 : Math.min(refuse.tries, maxTries)
      const messageId = randomUUID()
      const answers: unknown[] = []
      for (let tries = 0; tries <= refused && tries < maxTries; tries++) {
        const answered = send(to, textMessage(), messageId).catch(() => undefined)
        // An unanswered request ends when the test closes the carrier.
        if (answer === 'never') await until(() => rbm.submissions(to).length === 1, 'the submission')
        const answeredWith = answer === 'never' ? undefined : await answered
        answers.push(
          answeredWith === undefined ? 'none' : (getStatus(answeredWith) ?? typeof answeredWith.body['name']),
        )
      }
      const silent = answer === 'never' || answer === 'by disconnecting'
      const last = silent
        ? 'none'
        : answer === 'HTTP 500'
          ? 'INTERNAL'
          : answer === 'broken JSON'
            ? 'undefined'
            : 'string'
      const expectedAnswers = [
        ...Array<unknown>(refused).fill(refuse?.status),
        ...(refused === maxTries ? [] : [last]),
      ]
      assert.deepEqual(answers, expectedAnswers, ending)
      assert.equal(rbm.submissions(to).length, accepts && refused < maxTries ? 1 : 0, ending)
      // The lifetime is longer than the test, so no message expires.
      if (accepts && refused < maxTries && atExpiry !== true)
        expected.push(...given.map((kind) => [to, kind]))
    }),
  )
  await until(() => events.length === expected.length, 'all events')
  const getKind = ({ eventType, text, ...rest }: RbmFields): unknown =>
    eventType ??
    (text === 'STOP' ? 'STOP' : text === undefined ? rbmReplyKinds.find((kind) => kind in rest) : 'text')
  const received = events.map((event) => [event['senderPhoneNumber'], getKind(event)])
  assert.deepEqual(received.toSorted(), expected.toSorted())
  const twice = events.filter(({ senderPhoneNumber }) => senderPhoneNumber === '+821012340004')
  assert.equal(new Set(twice.map(({ eventId }) => eventId)).size, 1)
  const tapped = events.find((event) => 'suggestionResponse' in event)!
  assert.deepEqual(tapped['suggestionResponse'], { postbackData: 'yes', text: 'Yes', type: 'REPLY' })
  await until(() => rbm.stats().receiptsPending === 1, 'nothing pending but the expiry of 0022')
  const stats = rbm.stats()
  assert.equal(stats.submits, stats.accepted + stats.throttled + stats.refused + stats.abandoned)
  assert.equal(stats.errors, 0)
})

test('ignores a duplicate messageId of the same agent', async (t) => {
  const { rbm, events, send } = await setting(t)
  const id = randomUUID()
  const [first, repeated] = [
    await send('+821012340001', undefined, id),
    await send('+821012340001', undefined, id),
  ]
  assert.deepEqual([first.status, repeated.status, repeated.body['name']], [200, 200, first.body['name']])
  await send('+821012340001', undefined, id, 'other')
  await until(() => events.length === 2, 'two events')
  assert.deepEqual([rbm.stats().accepted, rbm.stats().refused], [2, 1])
  const strict = await setting(t, { repeatStatus: 409 })
  await strict.send('+821012340001', undefined, id)
  assert.equal(getStatus(await strict.send('+821012340001', undefined, id)), 'ALREADY_EXISTS')
})

test('a revoked message has no events, and a delivered one cannot be revoked', async (t) => {
  const { rbm, events, send, api } = await setting(t, { lateMs: 100 })
  const revoke = async (to: string, id: string): Promise<number> =>
    (await api('DELETE', `/v1/phones/${to}/agentMessages/${id}?agentId=agent`)).status
  const [late, delivered] = [randomUUID(), randomUUID()]
  await send('+821012340015', undefined, late)
  assert.equal(await revoke('+821012340001', late), 404)
  assert.equal(await revoke('+821012340015', late), 200)
  await send('+821012340001', undefined, delivered)
  await until(() => rbm.stats().receiptsAnswered === 1, 'the delivery')
  assert.equal(await revoke('+821012340001', delivered), 404)
  await until(() => rbm.stats().receiptsGivenUp === 1, 'the withdrawal')
  assert.deepEqual(
    events.map(({ messageId }) => messageId),
    [delivered],
  )
})

test('sends no expiry event for a message without a lifetime', async (t) => {
  const { rbm, events, send } = await setting(t)
  for (const ending of ['0006', '0020']) await send(`+82101234${ending}`, textMessage({}, { ttl: undefined }))
  await send('+821012340006')
  await until(() => events.length === 1 && rbm.stats().receiptsPending === 0, 'one event')
  assert.equal(events[0]!['eventType'], 'TTL_EXPIRATION_REVOKED')
})

test('serves capabilities, batchGet and files', async (t) => {
  const { send, api } = await setting(t, { agentId: 'agent' })
  const capabilities = (to: string, id: string = randomUUID(), agent = 'agent'): Promise<JsonReply> =>
    api('GET', `/v1/phones/${to}/capabilities?requestId=${id}&agentId=${agent}`)
  const found = await capabilities('+821012340001')
  assert.ok((found.body['features'] as string[]).includes('RICHCARD_CAROUSEL'))
  assert.equal(getStatus(await capabilities('+821012340002')), 'NOT_FOUND')
  assert.equal(getStatus(await capabilities('+821012340001', 'x')), 'INVALID_ARGUMENT')
  assert.equal(getStatus(await capabilities('+821012340001', undefined, 'other')), 'PERMISSION_DENIED')
  const users = ['+821012340001', '+821012340002', '+821012345678']
  const batch = await api('POST', '/v1/users:batchGet', { users, agentId: 'agent' })
  assert.deepEqual(batch.body, {
    reachableUsers: ['+821012340001', '+821012345678'],
    totalRandomSampleUserCount: 0,
    reachableRandomSampleUserCount: 0,
  })
  const many = Array<string>(1000).fill('+821012340001')
  const sampled = await api('POST', '/v1/users:batchGet', { users: many, agentId: 'agent' })
  assert.equal(sampled.body['totalRandomSampleUserCount'], 750)
  assert.equal(
    getStatus(await api('POST', '/v1/users:batchGet', { users: [], agentId: 'agent' })),
    'INVALID_ARGUMENT',
  )
  const file = { fileUrl: 'https://media.example/a.jpg', thumbnailUrl: 'https://media.example/b.jpg' }
  const { body } = await api('POST', '/v1/files', { ...file, agentId: 'agent' })
  const uploadedRbmFile = { fileName: body['name'], thumbnailName: body['thumbnailName'] }
  assert.equal((await send('+821012340001', { contentMessage: { uploadedRbmFile } })).status, 200)
  const unknown = { contentMessage: { uploadedRbmFile: { fileName: 'files/unknown' } } }
  assert.equal(getStatus(await send('+821012340001', unknown)), 'INVALID_ARGUMENT')
  assert.equal(
    getStatus(await api('POST', '/v1/files', { fileUrl: 'ftp://a', agentId: 'agent' })),
    'INVALID_ARGUMENT',
  )
})

test('an upload requires its agent in the query and its type in the header', async (t) => {
  const { rbm } = await setting(t, { agentId: 'agent' })
  const upload = (query: string, type: string): Promise<JsonReply> =>
    callRbm(rbm.port, 'POST', `/upload/v1/files${query}`, 'png', { 'content-type': type })
  assert.match(String((await upload('?agentId=agent', 'image/png')).body['name']), /^files\//)
  for (const query of ['', '?agentId=other'])
    assert.equal(getStatus(await upload(query, 'image/png')), 'PERMISSION_DENIED')
  for (const type of ['multipart/related; boundary=b', 'application/json'])
    assert.equal(getStatus(await upload('?agentId=agent', type)), 'INVALID_ARGUMENT')
})

test('accepts messages within the limits and refuses others', async (t) => {
  const { rbm, send, api } = await setting(t, { agentId: 'agent' })
  const suggestions = (count: number): RbmFields[] => Array<RbmFields>(count).fill(replySuggestion)
  const location = { text: 'Go', viewLocationAction: { latLong: { latitude: 37.5, longitude: 127 } } }
  const accepted: RbmFields[] = [
    textMessage({ text: 'x'.repeat(3072), suggestions: suggestions(11) }),
    standalone(
      {},
      rbmCard({ title: 'x'.repeat(200), description: 'x'.repeat(2000), suggestions: suggestions(4) }, 'TALL'),
    ),
    standalone({ cardOrientation: 'HORIZONTAL', thumbnailImageAlignment: 'LEFT' }, rbmCard({}, '')),
    carousel('SMALL', [rbmCard({}, 'SHORT'), rbmCard({}, 'MEDIUM')]),
    carousel('MEDIUM', Array<RbmFields>(10).fill(rbmCard({}, 'TALL'))),
    textMessage({
      suggestions: [{ action: location }, { action: { text: 'Share', shareLocationAction: {} } }],
    }),
    { contentMessage: { contentInfo: { fileUrl: 'https://media.example/a.mp4' } } },
    textMessage({}, { ttl: undefined, expireTime: new Date(Date.now() + 60_000).toISOString() }),
  ]
  for (const message of accepted) {
    const answered = await send('+821012340001', message)
    assert.equal(answered.status, 200, JSON.stringify(answered.body))
  }
  const action = (change: RbmFields): RbmFields =>
    textMessage({ suggestions: [{ action: { text: 'a', ...change } }] })
  const refused: RbmFields[] = [
    textMessage({ text: 'x'.repeat(3073) }),
    textMessage({ text: '' }),
    textMessage({ suggestions: suggestions(12) }),
    textMessage({ suggestions: [{ reply: { text: 'x'.repeat(26), postbackData: 'a' } }] }),
    textMessage({ suggestions: [{ reply: { text: 'x', postbackData: 'x'.repeat(2049) } }] }),
    textMessage({ suggestions: [{}] }),
    action({}),
    action({ dialAction: { phoneNumber: '01012345678' } }),
    action({ openUrlAction: { url: 'x'.repeat(2049) } }),
    action({ createCalendarEventAction: { startTime: 'x', endTime: 'y', title: 'z' } }),
    textMessage({ contentInfo: { fileUrl: 'https://media.example/a.mp4' } }),
    { contentMessage: {} },
    { text: 'Hello' },
    textMessage({}, { messageTrafficType: 'SPAM' }),
    textMessage({}, { ttl: '0s' }),
    textMessage({}, { ttl: '1296001s' }),
    textMessage({}, { expireTime: '2030-01-01T00:00:00Z' }),
    standalone({}, rbmCard({ title: 'x'.repeat(201) })),
    standalone({}, rbmCard({ description: 'x'.repeat(2001) })),
    standalone({}, rbmCard({ suggestions: suggestions(5) })),
    standalone({ cardOrientation: 'DIAGONAL' }),
    standalone({}, {}),
    carousel('SMALL', [rbmCard({}, 'SHORT'), rbmCard({}, 'TALL')]),
    carousel('MEDIUM', [rbmCard()]),
    carousel('MEDIUM', Array<RbmFields>(11).fill(rbmCard())),
    textMessage({}, { padding: 'x'.repeat(250 * 1024) }),
  ]
  for (const message of refused) {
    const answered = await send('+821012340001', message)
    assert.equal(getStatus(answered), 'INVALID_ARGUMENT', JSON.stringify(message).slice(0, 200))
  }
  assert.equal(getStatus(await send('+821012340001', undefined, 'not-a-uuid')), 'INVALID_ARGUMENT')
  assert.equal(getStatus(await send('+0123456789')), 'INVALID_ARGUMENT')
  assert.equal(getStatus(await send('+821012340001', undefined, undefined, 'other')), 'PERMISSION_DENIED')
  assert.equal(rbm.stats().refused, refused.length + 3)
  assert.equal((await api('GET', '/v1/nothing')).status, 404)
  assert.equal((await api('POST', '/v1/phones/%2B821012340001/agentMessages?agentId=agent')).status, 400)
})

test('issues an expiring token only for a valid assertion', async (t) => {
  const options = {
    publicKey: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    clientEmail: 'agent@project.example',
    audience: 'https://oauth2.googleapis.com/token',
    tokenTtlMs: 300,
  }
  const { rbm } = await setting(t, options)
  const issue = (
    assertion: string,
    grant = 'urn:ietf:params:oauth:grant-type:jwt-bearer',
  ): Promise<JsonReply> =>
    callRbm(rbm.port, 'POST', '/token', new URLSearchParams({ grant_type: grant, assertion }).toString(), {
      'content-type': 'application/x-www-form-urlencoded',
    })
  const send = async (token: string): Promise<number> => {
    const path = `/v1/phones/+821012340001/agentMessages?messageId=${randomUUID()}&agentId=agent`
    const headers = { authorization: `Bearer ${token}` }
    return (await callRbm(rbm.port, 'POST', path, JSON.stringify(textMessage()), headers)).status
  }
  const now = Math.floor(Date.now() / 1000)
  const { privateKey: other } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  for (const assertion of [
    'a.b',
    'a.b.c',
    signAssertion(assertionClaims(), other),
    signAssertion(assertionClaims(), undefined, 'none'),
    signAssertion(assertionClaims({ iss: 'other@project.example' })),
    signAssertion(assertionClaims({ aud: 'https://elsewhere.example' })),
    signAssertion(assertionClaims({ scope: 'https://www.googleapis.com/auth/other' })),
    signAssertion(assertionClaims({ exp: now - 1 })),
    signAssertion(assertionClaims({ exp: now + 7200 })),
    signAssertion(assertionClaims({ iat: now + 1000, exp: now + 2000 })),
    signAssertion(assertionClaims({ exp: undefined })),
  ]) {
    const { status, body } = await issue(assertion)
    assert.deepEqual([status, body['error']], [400, 'invalid_grant'], assertion)
  }
  assert.equal(
    (await issue(signAssertion(assertionClaims()), 'password')).body['error'],
    'unsupported_grant_type',
  )
  const { body } = await issue(signAssertion(assertionClaims()))
  assert.equal(body['token_type'], 'Bearer')
  const token = String(body['access_token'])
  assert.equal(await send('unknown'), 401)
  assert.equal(await send(token), 200)
  while ((await send(token)) === 200) await new Promise((resolve) => setTimeout(resolve, 5))
  assert.equal(await send(token), 401)
})

test('verifies the webhook by handshake and sends any event', async (t) => {
  const { events, control } = await setting(t)
  assert.equal((await control('/verify-webhook')).body['verified'], true)
  const silent = await setting(t, { webhookUrl: undefined })
  assert.equal((await silent.control('/verify-webhook')).body['verified'], false)
  await control('/event?from=%2B821012345678&agentId=agent&kind=UNSUBSCRIBE')
  await until(() => events.length === 1, 'the event')
  assert.deepEqual([events[0]!['eventType'], events[0]!['messageId']], ['UNSUBSCRIBE', undefined])
  assert.match(String((await control('/event?kind=x')).body['error']), /UNSUBSCRIBE/)
})

test('repeats an event with growing delays until HTTP 200', async (t) => {
  const answers: HttpOutcome[] = [{ status: 500, body: '' }, { status: 204, body: '' }, 'disconnect']
  const options = { receiptRetryMs: 10, receiptMaxRetryMs: 20 }
  const { rbm, events, send } = await setting(
    t,
    options,
    (count) => answers[count - 1] ?? { status: 200, body: '' },
  )
  const before = performance.now()
  await send('+821012340001')
  await until(() => rbm.stats().receiptsAnswered === 1, 'the acknowledgement')
  assert.equal(new Set(events.map(({ eventId }) => eventId)).size, 1)
  assert.equal(events.length, 4)
  // The attempts are 10, 20 and 20 ms apart; a timer can be a millisecond or two early.
  assert.ok(performance.now() - before >= 45)
})

test('throttles beyond the rate and finds duplicate messages', async (t) => {
  const { rbm, send } = await setting(t, { rate: 2 })
  const replies = await Promise.all(Array.from({ length: 4 }, () => send('+821012340001')))
  assert.equal(replies.filter((answered) => getStatus(answered) === 'RESOURCE_EXHAUSTED').length, 2)
  assert.deepEqual(
    rbm.duplicates().map(({ count }) => count),
    [2],
  )
})

test('refuses deeply nested JSON without a server error', async (t) => {
  const { rbm } = await setting(t)
  const deep = `{"contentMessage":${'['.repeat(60_000)}${']'.repeat(60_000)}}`
  const path = `/v1/phones/+821012340001/agentMessages?messageId=${randomUUID()}&agentId=agent`
  assert.equal((await callRbm(rbm.port, 'POST', path, deep, {})).status, 400)
  assert.equal(rbm.stats().errors, 0)
})
