/**
 * The kit with providers and modules that misbehave: a submission that may have been accepted is neither refused nor
 * repeated, a submission that was not sent is not unknown, and no result is lost.
 */
import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { suite, test, type TestContext } from 'node:test'
import { PeerServer } from '../../../../../test/contract/connector-conformance/peer-server.ts'
import { recorded, submission, type Recorded } from '../../../../../test/support/smpp/fixtures.ts'
import { waitFor } from '../../../../../test/support/wait.ts'
import type { Connector, Submission } from '../../connector.ts'
import type { InboundRequest } from '../../options/kind.ts'
import { createConnector, createInbound, registerProvider } from '../../registry.ts'
import {
  accepted,
  apiUrl,
  at,
  defineProvider,
  getRequest,
  jsonRequest,
  listAt,
  refused,
  secret,
  standardOutcome,
  textAt,
  type ProviderResponse,
} from './index.ts'
import type { Provider, ProviderEvents, ProviderUpload } from './provider.ts'

const apiKey = 'SECRET-API-KEY'
const token = 'callback-token-0001'

/** A correct module; each test replaces a part of it. */
const correct = defineProvider({
  name: 'correct',
  summary: 'A provider of a test.',
  channels: ['sms', 'mms'],
  sources: [],
  checked: '2026-11-18',
  account: { url: apiUrl('http://127.0.0.1'), apiKey: secret('Key.') },
  example: { apiKey },
  login: ({ url }) => [url],
  authorize: (_request, { account }) => ({ authorization: account.apiKey }),
  send: ({ to, message }, { account }, files) =>
    jsonRequest(at(account.url)`/send`, { to, text: textAt(message, 'content', 'text'), files }),
  parseResponse(answer) {
    const id = textAt(answer.json, 'id')
    if (answer.isSuccess && id !== '') return accepted(id)
    return standardOutcome(answer, { code: textAt(answer.json, 'code'), text: textAt(answer.json, 'text') })
  },
  callback: { verify: 'path', read: (body) => toEvents(body) },
  lookup: {
    by: 'carrierId',
    request: ({ carrierId }, { account }) => getRequest(at(account.url)`/lookup/${carrierId!}`),
    read: (answer) => (answer.isSuccess ? { result: 'delivered', code: 'ok' } : null),
  },
})

const upload: ProviderUpload<unknown> = {
  request: (file, { account }) =>
    jsonRequest(at((account as { url: string }).url)`/upload`, { name: file.name }),
  read(answer) {
    const reference = textAt(answer.json, 'file')
    if (reference !== '') return { kind: 'uploaded', reference }
    return standardOutcome(answer)
  },
  lifetimeMs: 60_000,
}

function toEvents(body: unknown): ProviderEvents | null {
  if (body === undefined) return null
  return {
    receipts: listAt(body, 'receipts').map((each) => ({
      id: textAt(each, 'id'),
      result: 'delivered',
      code: 'ok',
    })),
    replies: listAt(body, 'replies').map(() => ({ from: '01012345678', to: '15880000', text: 'STOP' })),
  }
}

type Handle = (response: ServerResponse, path: string, body: string) => void

let providerCount = 0

function register(parts: object): string {
  const name = `test-${++providerCount}`
  registerProvider({ ...correct, ...parts, name })
  return name
}

interface TestBed {
  readonly connector: Connector
  readonly record: Recorded
  /** The paths of the requests that reached the provider. */
  readonly paths: string[]
  /** Sets the responses of the provider from now on. */
  respondWith(handle: Handle): void
}

async function open(
  t: TestContext,
  parts: object = {},
  {
    options = {},
    record = recorded(),
    handle = accept,
  }: { options?: object; record?: Recorded; handle?: Handle } = {},
): Promise<TestBed> {
  const paths: string[] = []
  let current = handle
  const server = await PeerServer.open((request, response, body) => {
    paths.push(request.url!)
    current(response, request.url!, body.toString())
  })
  const timing = { responseTimeoutMs: 500, reconnectMs: 20, loginPauseMs: 20, stopTimeoutMs: 500 }
  const connector = createConnector(
    register(parts),
    { url: server.url, apiKey, ...timing, ...options },
    record.context,
  )
  connector.start()
  t.after(async () => {
    await connector.stop(100)
    await server.refuseConnections()
  })
  return { connector, record, paths, respondWith: (next) => (current = next) }
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status).end(JSON.stringify(body))
}
const accept: Handle = (response) => send(response, 200, { id: 'm1', file: 'f1', token: 't1' })
const message = (overrides: Partial<Submission> = {}): Submission => submission({ part: null, ...overrides })
const withFile = { files: [{ key: 'file-1' }] as unknown as Submission['files'] }
const openFile = (key: string) =>
  Promise.resolve({ key, bytes: Buffer.from('x'), contentType: 'image/jpeg', name: `${key}.jpg` })
const fail = (): never => {
  throw new Error('an error of the module')
}

suite('a module that fails before it sends a request', () => {
  for (const [name, parts, kind] of [
    ['send throws', { send: fail }, 'refused'],
    ['send returns nothing', { send: () => undefined }, 'refused'],
    ['send returns no URL', { send: () => ({ method: 'POST', headers: {}, body: null }) }, 'unreachable'],
    ['authorize throws', { authorize: fail }, 'unreachable'],
    ['upload.request throws', { upload: { ...upload, request: fail } }, 'refused'],
  ] as const)
    test(`sends nothing, and the outcome is certain: ${name}`, async (t) => {
      const record = recorded()
      const context = { ...record.context, openFile }
      const { connector, paths } = await open(t, parts, { record: { ...record, context } })
      assert.equal((await connector.submit(message(withFile))).kind, kind)
      assert.deepEqual(paths, [])
    })
})

suite('a module that fails on the response to a submission', () => {
  for (const [name, parseResponse] of [
    ['throws', fail],
    ['returns nothing', () => undefined],
    ['returns no known kind', () => ({ kind: 'delivered' })],
    ['returns an id that is not a string', () => ({ kind: 'accepted', carrierId: { id: 1 } })],
  ] as const)
    test(`leaves the outcome unknown: parseResponse ${name}`, async (t) => {
      const { connector, paths } = await open(t, { parseResponse })
      assert.equal((await connector.submit(message())).kind, 'unknown')
      assert.equal(paths.length, 1)
    })
})

suite('an unusable response', () => {
  const answers: Readonly<Record<string, readonly [Handle, kind: string]>> = {
    'of 1 MB': [(response) => response.end(`{"id":"${'x'.repeat(1_000_000)}"}`), 'unknown'],
    'of HTML': [(response) => response.end('<html>'), 'unknown'],
    'that is half a body': [
      (response) => {
        response.writeHead(200, { 'content-length': '100' }).write('{"id":')
        setImmediate(() => response.destroy())
      },
      'unknown',
    ],
    'that never arrives': [() => undefined, 'unknown'],
    'that is a redirect': [
      (response) => response.writeHead(302, { location: '/elsewhere' }).end(),
      'unreachable',
    ],
  }
  for (const [name, [handle, kind]] of Object.entries(answers))
    test(`${name} has the outcome ${kind}, and nothing is sent again`, async (t) => {
      const { connector, paths } = await open(t, {}, { handle })
      assert.equal((await connector.submit(message())).kind, kind)
      assert.deepEqual(paths, ['/send'])
    })
})

suite('tokens', () => {
  const tokens = {
    request: ({ account }: { account: { url: string } }) => jsonRequest(at(account.url)`/login`, {}),
    read: (answer: { json: unknown; status: number }) =>
      textAt(answer.json, 'token') === ''
        ? { kind: 'no-token', code: String(answer.status), isLoginRefused: answer.status === 401 }
        : { kind: 'token', authorization: textAt(answer.json, 'token'), lifetimeMs: null },
    refusal: (answer: { status: number }) => (answer.status === 403 ? 'token' : null),
    lifetimeMs: 60_000,
  }

  test('a token refused twice is not used again and the message counts as unsent', async (t) => {
    const bed = await open(t, { tokens })
    await waitFor('the link', () => bed.connector.linked)
    bed.respondWith((response, path) =>
      path === '/login' ? accept(response, path, '') : send(response, 403, {}),
    )
    assert.equal((await bed.connector.submit(message())).kind, 'unreachable')
    assert.equal(bed.paths.filter((path) => path === '/send').length, 2)
    assert.ok(bed.record.events.includes('token-renewed'))
  })

  test('a login that fails repeatedly opens no link, and no message is sent', async (t) => {
    const handle: Handle = (response) => send(response, 500, {})
    const { connector, paths } = await open(t, { tokens }, { handle, options: { reconnectMs: 200 } })
    await waitFor('two logins', () => paths.length === 2)
    assert.equal(connector.linked, false)
    assert.equal((await connector.submit(message())).kind, 'unreachable')
    assert.deepEqual(new Set(paths), new Set(['/login']))
  })

  for (const part of ['request', 'read'] as const)
    test(`no error of tokens.${part} ends the process, and the link stays down`, async (t) => {
      const { connector, record } = await open(t, { tokens: { ...tokens, [part]: fail } })
      await waitFor('the error', () => record.lines.some(({ text }) => text === 'login failed'))
      assert.equal(connector.linked, false)
    })
})

suite('uploads', () => {
  async function submitWithFile(t: TestContext, handle: Handle, parts: object = upload) {
    const record = recorded()
    const context = { ...record.context, openFile }
    const bed = await open(t, { upload: parts }, { record: { ...record, context }, handle })
    return { outcome: await bed.connector.submit(message(withFile)), bed, record }
  }

  test('a file is uploaded before its message', async (t) => {
    const { outcome, bed, record } = await submitWithFile(t, accept)
    assert.deepEqual(outcome, { kind: 'accepted', carrierId: 'm1' })
    assert.deepEqual(bed.paths, ['/upload', '/send'])
    assert.deepEqual(record.events, ['file-uploaded'])
  })

  for (const [name, handle, parts, kind] of [
    ['without a response', () => undefined, upload, 'unreachable'],
    ['with a server error as response', (response) => send(response, 500, {}), upload, 'unreachable'],
    ['refused', (response) => send(response, 400, {}), upload, 'refused'],
    ['whose response the module cannot read', accept, { ...upload, read: fail }, 'refused'],
  ] as const satisfies readonly (readonly [string, Handle, object, string])[])
    test(`an upload ${name} submits no message, and its outcome is ${kind}`, async (t) => {
      const { outcome, bed } = await submitWithFile(t, handle, parts)
      assert.equal(outcome.kind, kind)
      assert.deepEqual(bed.paths, ['/upload'])
    })
})

test('a file that the provider has removed is uploaded once more', async (t) => {
  const record = recorded()
  const context = { ...record.context, openFile }
  const parseResponse = (answer: ProviderResponse) =>
    answer.isSuccess ? accepted('m1') : refused('attachment', 'gone', 'no such file')
  const bed = await open(t, { upload, parseResponse }, { record: { ...record, context } })
  await bed.connector.submit(message(withFile))
  let isGone = true
  bed.respondWith((response, path) => {
    if (path !== '/send' || !isGone) return accept(response, path, '')
    isGone = false
    return send(response, 400, {})
  })
  assert.equal((await bed.connector.submit(message(withFile))).kind, 'accepted')
  assert.deepEqual(bed.paths, ['/upload', '/send', '/send', '/upload', '/send'])
})

test('submits nothing after the deadline, although the file was uploaded', async (t) => {
  const record = recorded()
  const context = { ...record.context, openFile }
  const { connector, paths } = await open(t, { upload }, { record: { ...record, context } })
  const validUntil = new Date(Date.now() - 1_000)
  assert.equal((await connector.submit(message({ ...withFile, validUntil }))).kind, 'unreachable')
  assert.deepEqual(paths, ['/upload'])
})

test('a refusal without a code pauses the link and refuses no message', async (t) => {
  const parseResponse = (answer: ProviderResponse) => standardOutcome(answer)
  const { connector, record } = await open(
    t,
    { parseResponse },
    { handle: (response) => send(response, 403, {}) },
  )
  assert.equal((await connector.submit(message())).kind, 'unreachable')
  assert.ok(record.events.includes('account-refused'))
})

suite('polling', () => {
  const poll = {
    everyMs: 100,
    start: () => '0',
    request: (cursor: string, { account }: { account: { url: string } }) =>
      getRequest(at(account.url)`/poll/${cursor}`),
    read: (answer: { json: unknown; isSuccess: boolean }, cursor: string) =>
      answer.isSuccess
        ? { ...toEvents(answer.json), cursor: String(Number(cursor) + 1), hasMore: false }
        : null,
  }
  const page = { receipts: [{ id: 'm1' }], replies: [{}] }
  const options = { poll: true, pollIntervalMs: 100 }

  for (const part of ['start', 'request', 'read'] as const)
    test(`no error of poll.${part} ends the process, and polling continues`, async (t) => {
      const { connector, record } = await open(t, { poll: { ...poll, [part]: fail } }, { options })
      await waitFor('two failures', () => record.events.filter((event) => event === 'poll-failed').length > 1)
      assert.equal((await connector.submit(message())).kind, 'accepted')
    })

  test('results that cannot be stored are requested again', async (t) => {
    let failures = 2
    const record = recorded(() => (failures-- > 0 ? Promise.reject(new Error('full')) : Promise.resolve()))
    const bed = await open(t, { poll }, { options, record, handle: (response) => send(response, 200, page) })
    await waitFor('the next page', () => bed.paths.includes('/poll/1'))
    assert.equal(bed.paths.filter((path) => path === '/poll/0').length, 3)
    assert.ok(record.replies.length > 0 && record.events.includes('reply'))
  })

  test('results whose acknowledgement is lost are stored once more, and none is lost', async (t) => {
    const read = (answer: { json: unknown }) => ({
      ...toEvents(answer.json),
      cursor: '0',
      hasMore: true,
      acknowledge: { ...jsonRequest(`${url}/acknowledge`, {}) },
    })
    let url = ''
    const request = (_cursor: string, { account }: { account: { url: string } }) => {
      url = account.url
      return getRequest(at(account.url)`/poll`)
    }
    let acknowledged = 0
    const bed = await open(
      t,
      { poll: { ...poll, request, read } },
      {
        options,
        handle(response, path) {
          if (path === '/poll') return send(response, 200, acknowledged > 1 ? {} : page)
          if (++acknowledged === 1) return void response.destroy()
          return send(response, 200, {})
        },
      },
    )
    await waitFor('the second acknowledgement', () => acknowledged > 1)
    assert.deepEqual(
      bed.record.receipts.map(({ carrierId }) => carrierId),
      ['m1', 'm1'],
    )
  })

  test('a poll whose acknowledgement is refused counts as failed', async (t) => {
    const read = (_answer: object, cursor: string, _now: Date, route: { account: { url: string } }) => ({
      cursor,
      hasMore: true,
      acknowledge: jsonRequest(at(route.account.url)`/acknowledge`, {}),
    })
    const handle: Handle = (response, path) => send(response, path === '/acknowledge' ? 500 : 200, {})
    const { record } = await open(t, { poll: { ...poll, read } }, { options, handle })
    await waitFor('a failure', () => record.events.includes('poll-failed'))
  })

  test('a stop ends even if there is always another page of results', async (t) => {
    const read = (answer: object, cursor: string) => ({
      ...poll.read(answer as never, cursor),
      hasMore: true,
    })
    const bed = await open(t, { poll: { ...poll, read } }, { options })
    await waitFor('many pages', () => bed.paths.length > 20)
    await bed.connector.stop(100)
    const { length } = bed.paths
    assert.equal((await bed.connector.submit(message())).kind, 'unreachable')
    assert.equal(bed.paths.length, length)
  })

  test('requests a page without progress only after the pause', async (t) => {
    const read = () => ({ cursor: '0', hasMore: true })
    const bed = await open(
      t,
      { poll: { ...poll, read } },
      { options: { ...options, pollIntervalMs: 60_000 } },
    )
    await waitFor('a page', () => bed.paths.length > 0)
    assert.equal((await bed.connector.submit(message())).kind, 'accepted')
    assert.deepEqual(bed.paths, ['/poll/0', '/send'])
  })
})

suite('callbacks', () => {
  function receive(parts: object, request: Partial<InboundRequest>) {
    const options = {
      apiKey,
      callbackUrl: 'https://sms.example.com/inbound/r',
      callbackToken: token,
      previousCallbackToken: 'callback-token-0000',
    }
    const inbound = createInbound(register(parts), 'callback' in parts ? { apiKey } : options)!
    return inbound({
      method: 'POST',
      path: `/${token}`,
      query: new URLSearchParams(),
      headers: { 'content-type': 'application/json' },
      body: Buffer.from('{"receipts":[{"id":"m1"}]}'),
      ...request,
    })
  }
  const callback = { verify: () => true, read: toEvents }

  for (const [path, status] of [
    [`/${token}`, 200],
    ['/callback-token-0000', 200],
    ['/callback-token-0002', 401],
    ['/%', 401],
    ['/', 401],
  ] as const)
    test(`a callback to the path ${path} gets ${status}`, () => {
      const { receipts, response } = receive({}, { path })
      assert.deepEqual([receipts.length, response.status], [status === 200 ? 1 : 0, status])
    })

  test('rejects a callback of another content type and names the expected one', () => {
    const headers = { 'content-type': 'application/xml' }
    const { receipts, response } = receive({}, { headers, body: Buffer.from('<receipt/>') })
    assert.deepEqual([receipts, response.status], [[], 415])
    assert.ok(response.body!.includes('application/json'))
  })

  for (const [name, parts, status] of [
    ['verify throws', { verify: fail }, 401],
    ['verify returns nothing', { verify: () => undefined }, 401],
    ['verify returns a promise', { verify: () => Promise.resolve(true) }, 401],
    ['read throws', { read: fail }, 400],
    ['read returns nothing', { read: () => undefined }, 400],
    ['read returns no list', { read: () => ({ receipts: 7 }) }, 400],
    ['read returns an empty receipt', { read: () => ({ receipts: [null] }) }, 400],
  ] as const)
    test(`an error of the module causes ${status}, so that nothing is lost: ${name}`, () => {
      const { receipts, response } = receive({ callback: { ...callback, ...parts } }, {})
      assert.deepEqual([receipts, response.status], [[], status])
    })

  test('a callback with too many receipts keeps one more than allowed, so that the API refuses it', () => {
    const read = () => ({ receipts: Array(100_000).fill({ id: 'm1', result: 'delivered', code: 'ok' }) })
    assert.equal(receive({ callback: { ...callback, read } }, {}).receipts.length, 1_001)
  })

  test('a callback without a receipt or a reply is counted and acknowledged', () => {
    const { events, response } = receive({}, { body: Buffer.from('{}') })
    assert.deepEqual([events, response.status], [['not-a-receipt'], 200])
  })
})

suite('lookups', () => {
  const queried = {
    reference: 'r',
    carrierId: 'm/1',
    from: '0215880000',
    to: '01012345678',
    given: message().given,
    submittedAt: new Date(),
  }

  test('a result is found, with our reference', async (t) => {
    const { connector, paths } = await open(t)
    const found = await connector.lookup!.find(queried)
    assert.equal(found.kind === 'found' && found.receipt?.result, 'delivered')
    assert.deepEqual(paths, ['/lookup/m%2F1'])
  })

  for (const part of ['request', 'read'] as const)
    test(`an error of lookup.${part} is a failed lookup`, async (t) => {
      const lookup = { ...correct.lookup!, [part]: fail }
      const { connector } = await open(t, { lookup })
      assert.equal((await connector.lookup!.find(queried)).kind, 'failed')
    })

  test('a result of another message is a failed lookup', async (t) => {
    const read = () => ({ id: 'another', result: 'delivered', code: 'ok' })
    const { connector } = await open(t, { lookup: { ...correct.lookup!, read } })
    assert.equal((await connector.lookup!.find(queried)).kind, 'failed')
  })

  test('a submission without an id is not queried', async (t) => {
    const { connector, paths } = await open(t)
    assert.equal((await connector.lookup!.find({ ...queried, carrierId: null })).kind, 'failed')
    assert.deepEqual(paths, [])
  })
})

suite('an account that the provider refuses', () => {
  const refuse = (response: ServerResponse, text = 'No funds'): void =>
    send(response, 402, { code: '20100', text })

  test('takes the link down with the text of the provider, without the secret', async (t) => {
    const handle: Handle = (response) => refuse(response, `No funds for key ${apiKey}`)
    const { connector, record } = await open(t, {}, { handle, options: { loginPauseMs: 60_000 } })
    assert.equal((await connector.submit(message())).kind, 'unreachable')
    assert.deepEqual(record.links.at(-1), {
      up: false,
      reason: 'the provider refuses the account: 20100 No funds for key ***',
    })
    assert.deepEqual(record.events, ['account-refused'])
    assert.ok(!JSON.stringify(record.lines).includes(apiKey))
  })

  test('is tried by one submission at a time after the pause, until it is accepted', async (t) => {
    const responses: ServerResponse[] = []
    const next = async (): Promise<ServerResponse> => {
      await waitFor('a request', () => responses.length > 0)
      return responses.shift()!
    }
    const handle: Handle = (response) => void responses.push(response)
    const options = { responseTimeoutMs: 5_000 }
    const { connector } = await open(t, {}, { handle, options })
    const first = connector.submit(message())
    refuse(await next())
    await first
    for (const isToppedUp of [false, true]) {
      await waitFor('the link', () => connector.linked)
      const outcomes = Promise.all([1, 2, 3].map(() => connector.submit(message())))
      const probe = await next()
      assert.equal(responses.length, 0)
      if (!isToppedUp) refuse(probe)
      else for (const response of [probe, next(), next()]) accept(await response, '', '')
      const kind = isToppedUp ? 'accepted' : 'unreachable'
      assert.deepEqual(
        (await outcomes).map((outcome) => outcome.kind),
        [kind, kind, kind],
      )
    }
  })

  test('does not make waiting messages unknown if the response to the probe cannot be read', async (t) => {
    let broken = false
    const parseResponse: Provider['parseResponse'] = (answer, given) =>
      broken ? fail() : correct.parseResponse(answer, given)
    const bed = await open(t, { parseResponse }, { handle: (response) => refuse(response) })
    await bed.connector.submit(message())
    await waitFor('the link', () => bed.connector.linked)
    const responses: ServerResponse[] = []
    bed.respondWith((response) => void responses.push(response))
    const outcomes = Promise.all([1, 2].map(() => bed.connector.submit(message())))
    await waitFor('the probe', () => responses.length > 0)
    broken = true
    send(responses[0]!, 200, {})
    await waitFor('the next probe', () => responses.length > 1)
    broken = false
    accept(responses[1]!, '', '')
    assert.deepEqual(
      (await outcomes).map((outcome) => outcome.kind),
      ['unknown', 'accepted'],
    )
  })
})
