import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  createFormApi,
  failingFlow,
  formFlow,
  type FormResponse,
} from '../../../test/support/pipeline/forms.ts'
import { addCleanup } from '../../../test/support/cleanup.ts'
import { createTestDatabase } from '../../../test/support/engines/database.ts'
import { createProxy } from '../../../test/support/engines/proxy.ts'
import { silentLog, testMetrics } from '../../../test/support/silent-log.ts'
import { checkFlow } from '../../pipeline/accept/flow.ts'
import { normalizeSdkBody } from '../../pipeline/accept/sdk-compat.ts'
import { createServer } from '../../edge/api/server/server.ts'
import { openDatabase } from '../../platform/database/database.ts'
import { createFormId, formLifetimeMs } from './form.ts'
import { createFormLookup } from './lookup.ts'

const { database, url } = await createTestDatabase()
const lookup = createFormLookup(database)
const api = createFormApi({ database, lookup }, openServer)
const account = 1
const other = 2

function openServer(...[options]: Parameters<Parameters<typeof createFormApi>[1]>) {
  const server = createServer({ log: silentLog, metrics: testMetrics(), open: [], ...options })
  addCleanup(() => server.close())
  return server
}

const success = { code: 'A000', result: 'Success' }
const assertProblem = ({ status, body }: FormResponse, expected: [number, string], text = /./): void => {
  assert.deepEqual([status, body.code], expected)
  assert.equal('data' in body, false)
  assert.match(body.result, text)
}

test('a registration returns only formId and expired', async () => {
  const now = new Date('2026-11-15T01:02:03.456Z')
  const { status, body } = await createFormApi({ database, now: () => now }, openServer).post(
    account,
    formFlow,
  )
  const { formId } = body.data!
  assert.match(formId, /^20261115010203456F[0-9A-Z]{14}$/)
  const expired = '2027-11-15T10:02:03+09:00'
  assert.deepEqual([status, body], [200, { ...success, data: { formId, expired } }])
})

test('returns a form as it was sent: order, placeholders, unusual characters', async () => {
  const sent = [
    { rcs: { z: 'Dear #{name}', a: [1, null, { 한글: '👋\u0000\ud800"\\' }], 2: true, body: {} } },
    { sms: { from: '0234567890', text: '#{name}' } },
  ]
  const { body } = await api.post(account, sent)
  const { status, body: found } = await api.get(account, body.data!.formId)
  assert.equal(status, 200)
  assert.deepEqual(found, { ...success, data: { ...body.data, messageForm: sent } })
  assert.equal(JSON.stringify(found.data.messageForm), JSON.stringify(sent))
})

test('bodies of published SDKs are normalized, at POST and PUT', async () => {
  const sdks = createFormApi(
    { database, checkFlow, normalize: (body) => normalizeSdkBody('form', body) },
    openServer,
  )
  const mms = { from: '0234567890', text: '#{name}' }
  const meant = [{ mms }, { friendtalk: { senderKey: 'k', msgType: 'FT', text: 'a', adult: 'N' } }]
  const sent = [
    { mms: { ...mms, fileKey: [], title: '', ttl: null } },
    { friendtalk: { senderKey: 'k', msgType: 'FT', text: 'a', adults: 'N', carousel: null } },
  ]
  const { body } = await sdks.post(account, sent)
  assert.equal(body.code, 'A000', body.result)
  const { formId } = body.data!
  assert.deepEqual((await sdks.get(account, formId)).body.data!.messageForm, meant)
  assert.equal((await sdks.put(account, formId, sent.toReversed())).body.code, 'A000')
  assert.deepEqual((await sdks.get(account, formId)).body.data!.messageForm, meant.toReversed())
})

test('PUT replaces the form under the same id and renews its expiry', async () => {
  let now = new Date('2026-01-01T00:00:00Z')
  const clocked = createFormApi({ database, now: () => now }, openServer)
  const formId = await clocked.register(account)
  now = new Date(now.getTime() + formLifetimeMs - 1)
  const changed = [{ sms: { text: 'Another text' } }]
  const { status, body } = await clocked.put(account, formId, changed)
  const expired = '2028-01-01T08:59:59+09:00'
  assert.deepEqual([status, body], [200, { ...success, data: { formId, expired } }])
  now = new Date(now.getTime() + formLifetimeMs - 1)
  const found = await clocked.get(account, formId)
  assert.deepEqual(found.body.data, { formId, messageForm: changed, expired })
})

test('DELETE returns only code and result, and the form no longer exists', async () => {
  const formId = await api.register(account)
  const { status, body } = await api.remove(account, formId)
  assert.deepEqual([status, body], [200, success])
  for (const response of await api.everyUse(account, formId)) assertProblem(response, [400, 'A250'])
})

test('a form expires at its time, for every use of it', async () => {
  let now = new Date()
  const clocked = createFormApi({ database, now: () => now, lifetimeMs: 60_000 }, openServer)
  const formId = await clocked.register(account)
  now = new Date(now.getTime() + 59_999)
  assert.equal((await clocked.get(account, formId)).status, 200)
  now = new Date(now.getTime() + 1)
  for (const response of await clocked.everyUse(account, formId)) assertProblem(response, [400, 'A250'])
})

test('a form of another account behaves like a missing one and is not changed', async () => {
  const formId = await api.register(account)
  const foreign = await api.everyUse(other, formId)
  const unknown = await api.everyUse(other, createFormId(new Date()))
  assert.deepEqual(
    foreign.map(({ status, body }) => [status, body]),
    unknown.map(({ status, body }) => [status, body]),
  )
  for (const response of foreign) assertProblem(response, [400, 'A250'], /formId/)
  assert.deepEqual((await api.get(account, formId)).body.data!.messageForm, formFlow)
})

test('a malformed formId is A250', async () => {
  const formId = await api.register(account)
  for (const wrong of [
    'x',
    '%00',
    formId.toLowerCase(),
    `${formId}0`,
    `${formId}%20`,
    '%27%20or%201=1%20--',
  ]) {
    for (const response of await api.everyUse(account, wrong)) assertProblem(response, [400, 'A250'])
  }
})

const nested = (depth: number): string => `[{"sms":${'['.repeat(depth)}${']'.repeat(depth)}}]`
const refused: readonly [description: string, payload: string, code: string, text: RegExp][] = [
  ['a body that is not JSON', '{', 'A010', /JSON/],
  ['an array', '[]', 'A011', /object/],
  ['null', 'null', 'A011', /object/],
  ['no messageForm', '{}', 'A300', /'messageForm'/],
  ['a messageForm that is a string', '{"messageForm":"x"}', 'A300', /'messageForm'/],
  ['an empty messageForm', '{"messageForm":[]}', 'A300', /1 to 6/],
  [
    'seven entries',
    JSON.stringify({ messageForm: Array(7).fill(formFlow[0]) }),
    'A300',
    /at most 6 messages, found 7/,
  ],
  ['an entry that is null', '{"messageForm":[{"sms":{}},null]}', 'A300', /'messageForm\[1\]'/],
  ['an entry that is an array', '{"messageForm":[[]]}', 'A300', /'messageForm\[0\]'/],
  ['another field', '{"messageForm":[{"sms":{}}],"formId":"x"}', 'A300', /unknown field 'formId'/],
  ['JSON that is nested too deeply', `{"messageForm":${nested(30_000)}}`, 'A011', /levels/],
  ['more than 64 KB', JSON.stringify({ messageForm: [{ sms: 'x'.repeat(65_536) }] }), 'A300', /too large/],
  ['a flow that does not fit', JSON.stringify({ messageForm: failingFlow }), 'A302', /messageForm\[0\]/],
]

for (const [description, payload, code, text] of refused) {
  test(`refuses ${description} at POST and PUT, and changes nothing`, async () => {
    const formId = await api.register(account)
    assertProblem(await api.send(account, 'POST', '/v1/form', payload), [400, code], text)
    assertProblem(await api.send(account, 'PUT', `/v1/form/${formId}`, payload), [400, code], text)
    assert.deepEqual((await api.get(account, formId)).body.data!.messageForm, formFlow)
  })
}

test('accepts six entries and 64 KB', async () => {
  const payload = JSON.stringify({ messageForm: Array(6).fill(formFlow[1]) }).padEnd(65_536)
  assert.equal((await api.send(account, 'POST', '/v1/form', payload)).status, 200)
  assertProblem(await api.send(account, 'POST', '/v1/form', `${payload} `), [400, 'A300'])
})

test('refuses a PUT without a body', async () => {
  const formId = await api.register(account)
  assertProblem(await api.send(account, 'PUT', `/v1/form/${formId}`, ''), [400, 'A011'])
})

test('an account never exceeds its limit of forms, even with concurrent registrations', async () => {
  let now = new Date()
  const limited = createFormApi({ database, maxForms: 5, lifetimeMs: 1_000, now: () => now }, openServer)
  const responses = await Promise.all(Array.from({ length: 20 }, () => limited.post(31, formFlow)))
  const [taken, rejected] = [200, 400].map((code) => responses.filter(({ status }) => status === code))
  assert.deepEqual([taken!.length, rejected!.length], [5, 15])
  for (const response of rejected!) assertProblem(response, [400, 'A300'], /5 forms.*delete one/)
  assert.equal((await limited.post(32, formFlow)).status, 200)
  const formId = taken![0]!.body.data!.formId
  assert.equal((await limited.put(31, formId, formFlow)).status, 200)
  await limited.remove(31, formId)
  assert.deepEqual(
    [(await limited.post(31, formFlow)).status, (await limited.post(31, formFlow)).status],
    [200, 400],
  )
  now = new Date(now.getTime() + 1_000)
  assert.equal((await limited.post(31, formFlow)).status, 200)
})

test('one of concurrent changes is stored entirely, and one of concurrent deletions succeeds', async () => {
  const formId = await api.register(account)
  const flows = Array.from({ length: 10 }, (_, index) => [{ sms: { text: `${index}`.repeat(1_000) } }])
  for (const { status } of await Promise.all(flows.map((each) => api.put(account, formId, each)))) {
    assert.equal(status, 200)
  }
  const stored = JSON.stringify((await api.get(account, formId)).body.data!.messageForm)
  assert.equal(flows.filter((each) => JSON.stringify(each) === stored).length, 1)
  const deletions = await Promise.all(flows.map(() => api.remove(account, formId)))
  assert.equal(deletions.filter(({ status }) => status === 200).length, 1)
})

test('a send in the same process sees a change and a deletion immediately', async () => {
  const formId = await api.register(account)
  assert.deepEqual((await lookup.find(account, formId)).flow, formFlow)
  const changed = [{ sms: { text: 'Changed' } }]
  await api.put(account, formId, changed)
  assert.deepEqual((await lookup.find(account, formId)).flow, changed)
  await api.remove(account, formId)
  await assert.rejects(lookup.find(account, formId), { code: 'A250' })
})

test('returns 503 and A920 while PostgreSQL is unavailable', async () => {
  const proxy = await createProxy(url)
  const distant = openDatabase(proxy.url, silentLog, { connections: 2 })
  addCleanup(() => distant.end())
  const outage = createFormApi({ database: distant }, openServer)
  const formId = await outage.register(account)
  proxy.block()
  const responses = [await outage.post(account, formFlow), ...(await outage.everyUse(account, formId))]
  for (const response of responses) assertProblem(response, [503, 'A920'])
  proxy.unblock()
  assert.equal((await outage.get(account, formId)).status, 200)
})
