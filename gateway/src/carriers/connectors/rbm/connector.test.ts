import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { openRbmPeer, type RbmPeer } from '../../../../test/contract/connector-conformance/rbm-peer.ts'
import { jumpClockAhead } from '../../../../test/support/pipeline/clock-jump.ts'
import { rcsSubmission } from '../../../../test/support/carriers/rbm.ts'
import { recorded } from '../../../../test/support/smpp/fixtures.ts'
import { assertWithin, waitFor } from '../../../../test/support/wait.ts'
import type { Connector, ConnectorFile, Submission, SubmitOutcome } from '../connector.ts'
import { createConnector } from '../registry.ts'
import { toRbmMessageId } from './message-id.ts'

const png: ConnectorFile = { key: 'k', bytes: Buffer.from('png'), contentType: 'image/png', name: 'k.png' }
const image = 'maapfile://BR.acme.1'
let references = 0

function nextReference(): string {
  return `20261115000000000C00A${String(++references).padStart(11, '0')}-1-1-1`
}

function textTo(to = '01012345678', overrides: Partial<Submission> = {}): Submission {
  const body = { from: '15881234', to, formatId: 'SS000000', brandKey: 'BK.acme' }
  const content = { standalone: { text: '안녕하세요' } }
  return rcsSubmission({ ...body, content }, { reference: nextReference(), ...overrides })
}

function cardWith(media: string): Submission {
  const body = { from: '15881234', to: '01012345678', formatId: 'SMwThT00', brandKey: 'BK.acme' }
  return rcsSubmission(
    { ...body, content: { standalone: { text: '본문', media } } },
    { reference: nextReference() },
  )
}

interface Opened {
  readonly peer: RbmPeer
  readonly connector: Connector
  readonly record: ReturnType<typeof recorded>
  readonly opens: string[]
}

async function open(
  t: TestContext,
  overrides: object = {},
  file: ConnectorFile | null | Promise<never> = png,
): Promise<Opened> {
  const peer = await openRbmPeer({ inbound: () => Promise.reject(new Error('not used')) })
  const record = recorded()
  const opens: string[] = []
  const connector = createConnector(
    'rbm',
    { ...peer.options, ...overrides },
    {
      ...record.context,
      openFile(key) {
        opens.push(key)
        return Promise.resolve(file)
      },
    },
  )
  connector.start()
  t.after(async () => {
    await connector.stop(100)
    await peer.close()
  })
  await waitFor('the link', () => connector.linked)
  return { peer, connector, record, opens }
}

const error = (code: number, status: string, message = ''): object => ({ error: { code, status, message } })
const kindOf = (outcome: SubmitOutcome): string => (outcome.kind === 'refused' ? outcome.cause : outcome.kind)

test('a service account that Google refuses takes the link down, and messages are not refused', async (t) => {
  const { peer, connector, record } = await open(t)
  peer.expireTokens()
  peer.setNextResponse('/token', 400, { error: 'invalid_grant' })
  const outcome = await connector.submit(textTo())
  assert.deepEqual(
    [outcome.kind, 'code' in outcome && outcome.code],
    ['unreachable', 'rbm:token-invalid_grant'],
  )
  assert.equal(record.links.at(-1)!.up, false)
  assert.ok(record.events.includes('account-refused'))
  await waitFor('the link to return', () => connector.linked)
  assert.equal(kindOf(await connector.submit(textTo())), 'accepted')
})

test('reports why the first connection fails', async (t) => {
  const peer = await openRbmPeer({ inbound: () => Promise.reject(new Error('not used')) })
  const { context, linkFailures } = recorded()
  peer.setNextResponse('/token', 503, {})
  peer.setNextResponse('/token', 400, { error: 'invalid_grant' })
  const connector = createConnector('rbm', peer.options, context)
  t.after(async () => {
    await connector.stop(100)
    await peer.close()
  })
  connector.start()
  await waitFor('the link', () => connector.linked)
  assert.deepEqual(linkFailures, [
    'cannot get an access token: rbm:token-503',
    'Google refuses the service account: rbm:token-invalid_grant',
  ])
})

test('a failing token endpoint keeps the link and the message', async (t) => {
  const { peer, connector } = await open(t)
  peer.expireTokens()
  peer.setNextResponse('/token', 503, {})
  assert.equal(kindOf(await connector.submit(textTo())), 'unreachable')
  assert.equal(connector.linked, true)
  await waitFor('the next token', async () => kindOf(await connector.submit(textTo())) === 'accepted')
})

test('a stop does not wait for a file store that does not respond', async (t) => {
  const { peer, connector } = await open(t, {}, new Promise<never>(() => undefined))
  void connector.submit(cardWith(image))
  const started = performance.now()
  await connector.stop(100)
  assertWithin('the stop', performance.now() - started, 5_000)
  assert.equal(peer.received.length, 0)
})

test('the message id follows from the reference and a repeat is accepted', async (t) => {
  const { peer, connector } = await open(t)
  const submission = textTo()
  const id = toRbmMessageId(submission.reference)
  assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  assert.equal(connector.repeatable, true)
  assert.equal(connector.carrierIdFor!(submission.reference), id)
  assert.deepEqual(await connector.submit(submission), { kind: 'accepted', carrierId: id })
  peer.setNextResponse('/agentMessages', 409, error(409, 'ALREADY_EXISTS'))
  assert.deepEqual(await connector.submit(submission), { kind: 'accepted', carrierId: id })
  assert.deepEqual(
    peer.received.map((message) => message.id),
    [id],
  )
  const [first, second] = peer.requests
  assert.deepEqual(first!.body, second!.body)
})

test('errors have the outcomes of the table, which options override', async (t) => {
  const { peer, connector } = await open(t, { statuses: { FAILED_PRECONDITION: 'spam' } })
  const limit = 'You have reached the allowed traffic limit for this agent on the user'
  const cases: readonly (readonly [number, object, string])[] = [
    [400, error(400, 'INVALID_ARGUMENT'), 'unsupported'],
    [400, error(400, 'FAILED_PRECONDITION'), 'spam'],
    [404, error(404, 'NOT_FOUND'), 'unsupported'],
    [404, {}, 'unreachable'],
    [403, error(403, 'PERMISSION_DENIED'), 'unreachable'],
    [429, error(429, 'RESOURCE_EXHAUSTED'), 'throttled'],
    [429, error(429, 'RESOURCE_EXHAUSTED', limit), 'refused'],
    [429, {}, 'throttled'],
    [500, error(500, 'INTERNAL'), 'unknown'],
    [503, error(503, 'UNAVAILABLE'), 'unknown'],
    [502, {}, 'unknown'],
    [418, error(418, 'NEW_STATUS'), 'failed'],
    [599, error(599, 'NEW_STATUS'), 'unknown'],
    [200, {}, 'unknown'],
    [302, {}, 'unreachable'],
  ]
  for (const [status, body, expected] of cases) {
    peer.setNextResponse('/agentMessages', status, body)
    assert.equal(kindOf(await connector.submit(textTo())), expected, JSON.stringify([status, body]))
  }
  peer.setNextResponse('/agentMessages', 429, error(429, 'RESOURCE_EXHAUSTED'), { 'retry-after': '7' })
  const throttled = await connector.submit(textTo())
  assert.deepEqual(throttled, { kind: 'throttled', code: 'RESOURCE_EXHAUSTED', retryAfterMs: 7_000 })
})

test('capability is queried once, updated by responses, and otherwise unknown', async (t) => {
  const { peer, connector } = await open(t)
  const countQueries = (): number =>
    peer.requests.filter(({ url }) => url.pathname.endsWith('/capabilities')).length
  assert.deepEqual(
    await Promise.all([connector.capability!('01000000001'), connector.capability!('01000000001')]),
    ['capable', 'capable'],
  )
  assert.equal(countQueries(), 1)
  const { url } = peer.requests[0]!
  assert.equal(url.pathname, '/v1/phones/+821000000001/capabilities')
  assert.equal(url.searchParams.get('agentId'), 'acme_agent')
  peer.setNextResponse('/capabilities', 404, error(404, 'NOT_FOUND'))
  assert.equal(await connector.capability!('01000000002'), 'incapable')
  assert.equal(await connector.capability!('01000000002'), 'incapable')
  for (const [status, body] of [
    [500, {}],
    [404, {}],
    [429, error(429, 'RESOURCE_EXHAUSTED')],
  ] as const) {
    peer.setNextResponse('/capabilities', status, body)
    assert.equal(await connector.capability!('01000000003'), 'unknown')
  }
  assert.equal(countQueries(), 5)
  peer.setNextResponse('/agentMessages', 404, error(404, 'NOT_FOUND'))
  await connector.submit(textTo('01000000004'))
  assert.equal(await connector.capability!('01000000004'), 'incapable')
  await connector.submit(textTo('01000000005'))
  assert.equal(await connector.capability!('01000000005'), 'capable')
  assert.equal(countQueries(), 5)
})

test('capability is not queried without the option, or if brands have their own agents', async (t) => {
  const off = await open(t, { capabilityCheck: false })
  assert.equal(await off.connector.capability!('01000000001'), 'unknown')
  const brands = await open(t, { agents: { 'BK.acme': 'brand_agent' } })
  assert.equal(await brands.connector.capability!('01000000001'), 'unknown')
  assert.equal(off.peer.requests.length + brands.peer.requests.length, 0)
})

test('a known capability expires', async (t) => {
  const { peer, connector } = await open(t, { incapableForMs: 1 })
  peer.setNextResponse('/capabilities', 404, error(404, 'NOT_FOUND'))
  assert.equal(await connector.capability!('01000000001'), 'incapable')
  await waitFor('its end', async () => (await connector.capability!('01000000001')) === 'capable')
})

test('the agent of the brand sends; a brand without one is refused', async (t) => {
  const { peer, connector } = await open(t, { agentId: undefined, agents: { 'BK.acme': 'brand_agent' } })
  assert.equal(kindOf(await connector.submit(textTo())), 'accepted')
  assert.equal(peer.requests[0]!.url.searchParams.get('agentId'), 'brand_agent')
  const body = { from: '15881234', to: '01012345678', formatId: 'SS000000', brandKey: 'BK.other' }
  const other = rcsSubmission({ ...body, content: { standalone: { text: 'x' } } })
  assert.equal(kindOf(await connector.submit(other)), 'unregistered-sender')
  assert.equal(peer.requests.length, 1)
})

test('refuses a brand without an agent instead of using the default agent', async (t) => {
  const { peer, connector } = await open(t, {
    agentId: 'shared_agent',
    agents: { 'BK.other': 'other_agent' },
  })
  assert.equal(kindOf(await connector.submit(textTo())), 'unregistered-sender')
  assert.equal(peer.requests.length, 0)
})

test('a file is uploaded once for all messages, and the message names it', async (t) => {
  const { peer, connector, record, opens } = await open(t)
  const outcomes = await Promise.all([connector.submit(cardWith(image)), connector.submit(cardWith(image))])
  assert.deepEqual(outcomes.map(kindOf), ['accepted', 'accepted'])
  assert.equal(kindOf(await connector.submit(cardWith(image))), 'accepted')
  const uploads = peer.requests.filter(({ url }) => url.pathname === '/upload/v1/files')
  assert.equal(uploads.length, 1)
  assert.deepEqual(opens, [image])
  const [{ url, headers, body }] = uploads as [(typeof uploads)[0]]
  assert.deepEqual(
    [url.search, headers['content-type'], body],
    ['?agentId=acme_agent', 'image/png', png.bytes],
  )
  assert.match(peer.requests.at(-1)!.body.toString(), /"uploadedRbmFile":\{"fileName":"files\/f1"\}/)
  assert.equal(record.events.filter((name) => name === 'file-uploaded').length, 1)
})

test('a file that cannot be uploaded ends the submission before the message is sent', async (t) => {
  const { peer, connector } = await open(t)
  const cases: readonly (readonly [number, object, string])[] = [
    [400, error(400, 'INVALID_ARGUMENT'), 'attachment'],
    [429, error(429, 'RESOURCE_EXHAUSTED'), 'throttled'],
    [500, error(500, 'INTERNAL'), 'unreachable'],
    [200, {}, 'unreachable'],
  ]
  for (const [status, body, expected] of cases) {
    peer.setNextResponse('/upload/', status, body)
    assert.equal(kindOf(await connector.submit(cardWith(image))), expected, String(status))
  }
  assert.equal(peer.received.length, 0)
  const bmp = await open(t, {}, { ...png, contentType: 'image/bmp' })
  const removed = await open(t, {}, null)
  for (const opened of [bmp, removed])
    assert.equal(kindOf(await opened.connector.submit(cardWith(image))), 'attachment')
  assert.equal(bmp.peer.requests.length + removed.peer.requests.length, 0)
})

test("a message is sent until its deadline when PostgreSQL's clock jumps ahead", async (t) => {
  const { peer, connector } = await open(t)
  const validUntil = new Date(Date.now() + 60_000)
  jumpClockAhead(t)
  assert.equal((await connector.submit(textTo('01012345678', { validUntil }))).kind, 'accepted')
  assert.equal(peer.requests.length, 1)
})
