import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import {
  ConflictError,
  ConnectionError,
  InvalidRequestError,
  Postern,
  QueueFullError,
  RateLimitError,
  TimeoutError,
  UnavailableError,
  UnexpectedResponseError,
  type ClientOptions,
  type RequestLog,
} from './index.ts'
import { version } from './generated/version.ts'

interface RecordedRequest {
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: Headers
  readonly body: unknown
  readonly signal: AbortSignal
}

type Script = (request: RecordedRequest, index: number) => Response | Promise<Response>

const accepted = { code: 'A000', result: 'Success', msgKey: 'K1' }
const message = { from: '0212345678', to: '01000000001', text: 'Hello' }

function respond(status: number, body: object, headers: Record<string, string> = {}): Response {
  return Response.json(body, { status, headers })
}

function respondError(status: number, code: string, headers: Record<string, string> = {}): Response {
  return respond(status, { code, result: `result of ${code}` }, headers)
}

/** Never responds. */
function hang({ signal }: Pick<RecordedRequest, 'signal'>): Promise<Response> {
  return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)))
}

/** Creates a client whose `fetch` issues tokens valid for a day and passes all other requests to `script`. */
function createClient(script: Script, options: Partial<ClientOptions> = {}) {
  const calls: RecordedRequest[] = []
  let tokens = 0
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const { pathname, searchParams } = new URL(input)
    if (pathname === '/v1/auth/token') {
      tokens++
      const expired = new Date(Date.now() + 86_400_000).toISOString()
      const date = new Date().toUTCString()
      return respond(200, { ...accepted, data: { schema: 'Bearer', token: `T${tokens}`, expired } }, { date })
    }
    const recorded = {
      path: pathname,
      query: searchParams,
      headers: new Headers(init?.headers),
      body: init?.body,
      signal: init!.signal!,
    }
    calls.push(recorded)
    return script(recorded, calls.length - 1)
  }
  const client = new Postern({
    baseUrl: 'http://gateway.example/',
    credentials: { clientId: 'shop-1', password: 'secret' },
    retry: { delayMs: 1 },
    fetch,
    ...options,
  })
  return { client, calls, tokens: () => tokens }
}

test('a retried send keeps its key and bytes; another send has a new key', async () => {
  const { client, calls } = createClient((_, index) => {
    if (index === 0) throw new TypeError('connection reset')
    return index === 1 ? respondError(500, 'A999') : respond(200, accepted)
  })
  assert.equal((await client.send.sms(message)).msgKey, 'K1')
  await client.send.sms(message)
  const keys = calls.map(({ headers }) => headers.get('idempotency-key'))
  assert.equal(calls.length, 4)
  assert.equal(new Set(keys.slice(0, 3)).size, 1)
  assert.notEqual(keys[3], keys[0])
  assert.equal(new Set(calls.map(({ body }) => body)).size, 1)
})

test('a call that is not idempotent is retried after a rejection, not after a lost response', async () => {
  for (const headers of [{}, { 'message-accepted': 'perhaps' }]) {
    const unsure = createClient(() => respondError(503, 'A920', headers))
    await assert.rejects(
      unsure.client.send.sms(message, { idempotencyKey: null }),
      (error) => error instanceof UnavailableError && error.perhapsAccepted,
    )
    assert.equal(unsure.calls.length, 1)
  }
  const lost = createClient(() => Promise.reject(new TypeError('connection reset')))
  await assert.rejects(lost.client.webhooks.create({ url: 'https://shop.example/reports' }), ConnectionError)
  assert.equal(lost.calls.length, 1)
  const refused = createClient((_, index) =>
    index === 0 ? respondError(503, 'A920') : respond(200, { ...accepted, data: { webhookId: 'W1' } }),
  )
  await refused.client.webhooks.create({ url: 'https://shop.example/reports' })
  assert.equal(refused.calls.length, 2)
})

for (const status of [502, 503, 504]) {
  test(`a send with a key is retried after a ${status} of a proxy`, async () => {
    const script: Script = (_, index) =>
      index === 0 ? new Response('<html>', { status }) : respond(200, accepted)
    const keyed = createClient(script)
    assert.equal((await keyed.client.send.sms(message)).msgKey, 'K1')
    const keyless = createClient(script)
    await assert.rejects(
      keyless.client.send.sms(message, { idempotencyKey: null }),
      (error) => error instanceof UnexpectedResponseError && error.retryable,
    )
    assert.equal(keyless.calls.length, 1)
  })
}

test('a send without a key is retried only if nothing was accepted', async () => {
  const refused = createClient((_, index) =>
    index === 0 ? respondError(503, 'A920', { 'message-accepted': 'no' }) : respond(200, accepted),
  )
  await refused.client.send.sms(message, { idempotencyKey: null })
  assert.deepEqual(
    refused.calls.map(({ headers }) => headers.get('idempotency-key')),
    [null, null],
  )
  for (const headers of [{}, { 'message-accepted': 'perhaps' }]) {
    const unsure = createClient(() => respondError(503, 'A920', headers))
    await assert.rejects(
      unsure.client.send.sms(message, { idempotencyKey: null }),
      (error) => error instanceof UnavailableError && error.perhapsAccepted,
    )
    assert.equal(unsure.calls.length, 1)
  }
  const lost = createClient(() => Promise.reject(new TypeError('connection reset')))
  for (const call of [
    lost.client.send.sms(message, { idempotencyKey: null }),
    lost.client.call('sendSms', { body: message }),
  ])
    await assert.rejects(call, ConnectionError)
  assert.equal(lost.calls.length, 2)
  await assert.rejects(
    lost.client.call('sendSms', { body: message, headers: { 'Idempotency-Key': 'order-1' } }),
    ConnectionError,
  )
  // A request with a key is tried five times by default.
  assert.equal(lost.calls.length, 2 + 5)
})

test('a send without a response stays doubtful when a later attempt is refused', async () => {
  const { client } = createClient((_, index) => {
    if (index === 0) throw new TypeError('connection reset')
    return respondError(503, 'A920', { 'message-accepted': 'no' })
  })
  await assert.rejects(
    client.send.sms(message),
    (error) => error instanceof UnavailableError && error.perhapsAccepted,
  )
})

test('a dry run is retried after a lost response', async () => {
  const { client, calls } = createClient((_, index) => {
    if (index === 0) throw new TypeError('connection reset')
    return respond(200, accepted)
  })
  await client.send.dryRun('sms', message)
  assert.equal(calls.length, 2)
})

test('an omni send throws if every destination is rejected', async () => {
  const destination = (code: string) => ({ to: '010', msgKey: '', code, result: 'Invalid', field: 'to' })
  const send = (...codes: string[]) =>
    createClient(() =>
      respond(200, { ...accepted, data: { destinations: codes.map(destination) } }),
    ).client.send.omni({ destinations: [{ to: '010' }], messageFlow: [] })
  for (const codes of [['A306'], ['A306', 'A342']]) {
    await assert.rejects(send(...codes), (error) => {
      assert.ok(error instanceof InvalidRequestError)
      assert.deepEqual([error.code, error.field], ['A306', 'to'])
      assert.deepEqual(error.body.data, { destinations: codes.map(destination) })
      return true
    })
  }
  assert.equal((await send('A306', 'A000')).data.destinations.length, 2)
  // A920: the second may have been accepted.
  assert.equal((await send('A306', 'A920')).data.destinations.length, 2)
})

test('a call throws the last error after `attempts`', async () => {
  const { client, calls } = createClient(() => respondError(503, 'A920', { 'message-accepted': 'no' }), {
    retry: { attempts: 3, delayMs: 1 },
  })
  await assert.rejects(client.send.sms(message), (error) => {
    assert.ok(error instanceof UnavailableError)
    assert.deepEqual([error.code, error.status, error.perhapsAccepted], ['A920', 503, false])
    return true
  })
  assert.equal(calls.length, 3)
})

test('an error has the request ID and the field of the response', async () => {
  const { client } = createClient(() =>
    respond(400, { code: 'A306', result: 'Invalid', field: 'to' }, { 'request-id': 'R1' }),
  )
  await assert.rejects(client.send.sms(message), { code: 'A306', requestId: 'R1', field: 'to' })
  const proxied = createClient(() => new Response('<html>', { status: 404, headers: { 'request-id': 'R2' } }))
  await assert.rejects(proxied.client.send.sms(message), { code: 'unexpected-response', requestId: 'R2' })
})

test('every attempt is logged without query, text or credentials, even if `onLog` throws', async () => {
  const entries: RequestLog[] = []
  const { client } = createClient(
    (_, index) => {
      if (index === 0) throw new TypeError('connection reset')
      return respond(200, accepted, { 'request-id': 'R1' })
    },
    {
      onLog(entry) {
        entries.push(entry)
        throw new Error('disk full')
      },
    },
  )
  await client.send.sms(message, { sendAt: '2026-11-19T09:00:00+09:00' })
  assert.ok(entries.every(({ durationMs }) => durationMs >= 0))
  assert.deepEqual(
    entries.map((entry) => ({ ...entry, durationMs: 0 })),
    [
      {
        method: 'POST',
        path: '/v1/auth/token',
        status: 200,
        durationMs: 0,
        attempt: 1,
        requestId: undefined,
      },
      {
        method: 'POST',
        path: '/v1/send/sms',
        status: undefined,
        durationMs: 0,
        attempt: 1,
        requestId: undefined,
      },
      { method: 'POST', path: '/v1/send/sms', status: 200, durationMs: 0, attempt: 2, requestId: 'R1' },
    ],
  )
})

test('a request has the client version and the runtime as user agent', async () => {
  const { client, calls } = createClient(() => respond(200, accepted))
  await client.send.sms(message)
  assert.equal(calls[0]!.headers.get('user-agent'), `postern-client/${version} (${navigator.userAgent})`)
})

test('a message list continues after short and empty pages until there is no cursor', async () => {
  const pages = [
    { message: [{ msgKey: 'K3' }], cursor: 'C1' },
    { message: [], cursor: 'C2' },
    { message: [{ msgKey: 'K2' }, { msgKey: 'K1' }] },
  ]
  const { client, calls } = createClient((_, index) => respond(200, { ...accepted, data: pages[index] }))
  const keys: string[] = []
  for await (const { msgKey } of client.messages.list({ since: new Date(0), ref: 'order-1' }))
    keys.push(msgKey)
  assert.deepEqual(keys, ['K3', 'K2', 'K1'])
  assert.deepEqual(
    calls.map(({ body }) => JSON.parse(body as string) as object),
    [{}, { cursor: 'C1' }, { cursor: 'C2' }].map((cursor) => ({
      since: '1970-01-01T00:00:00.000Z',
      ref: 'order-1',
      limit: 200,
      ...cursor,
    })),
  )
})

test('a permanent error is thrown without a retry', async () => {
  const { client, calls } = createClient(() => respondError(400, 'A021'))
  await assert.rejects(client.send.sms(message), ConflictError)
  assert.equal(calls.length, 1)
})

test('a rejected token is renewed once for all calls that used it', async () => {
  const { client, calls, tokens } = createClient(({ headers }) =>
    headers.get('authorization') === 'Bearer T1' ? respondError(401, 'A001') : respond(200, accepted),
  )
  await Promise.all(Array.from({ length: 5 }, () => client.send.sms(message)))
  assert.equal(tokens(), 2)
  assert.equal(calls.length, 10)
})

test('a token is renewed in the background when a tenth of its lifetime is left', async () => {
  let now = 0
  const clock = mock.method(performance, 'now', () => now)
  try {
    const { client, calls, tokens } = createClient(() => respond(200, accepted))
    const used = async (at: number) => {
      now = at * 3_600_000
      await client.send.sms(message)
      return calls.at(-1)!.headers.get('authorization')
    }
    assert.deepEqual([await used(0), await used(21), tokens()], ['Bearer T1', 'Bearer T1', 1])
    assert.equal(await used(22), 'Bearer T1')
    await new Promise(setImmediate)
    assert.deepEqual([await used(22), tokens()], ['Bearer T2', 2])
    // The token has expired, so the call waits for a new one.
    assert.equal(await used(47), 'Bearer T3')
  } finally {
    clock.mock.restore()
  }
})

test('a rate limit delays only the calls of its family and throws no error', async () => {
  let refusedAt = 0
  let firstAfter = Infinity
  const { client, calls } = createClient(({ path }, index) => {
    if (index === 0) {
      refusedAt = performance.now()
      return respondError(429, 'A020', { 'retry-after': '1' })
    }
    if (path.startsWith('/v1/send')) firstAfter = Math.min(firstAfter, performance.now() - refusedAt)
    return respond(200, { ...accepted, data: { report: [] } })
  })
  const first = client.send.sms(message)
  while (calls.length === 0) await new Promise(setImmediate)
  await new Promise(setImmediate)
  const second = client.send.sms(message)
  await client.reports.get('K1')
  assert.equal(firstAfter, Infinity, 'the limit of sends must not delay reports')
  await Promise.all([first, second])
  assert.ok(firstAfter >= 990, `sent ${firstAfter} ms after the 429`)
  assert.equal(calls.length, 4)
})

test('a rate limit of suppression or conversion delays forms, not reports', async () => {
  for (const limited of ['/v1/suppression/search', '/v1/conversion']) {
    const { client, calls } = createClient(({ path }) =>
      path === limited
        ? respondError(429, 'A020', { 'retry-after': '5' })
        : respond(200, { ...accepted, data: { report: [] } }),
    )
    const stop = new AbortController()
    const options = { signal: stop.signal }
    const held =
      limited === '/v1/suppression/search'
        ? client.call('searchSuppression', { body: { to: '01000000001' } }, options)
        : client.call('reportConversion', { body: {} as never }, options)
    while (calls.length === 0) await new Promise(setImmediate)
    await new Promise(setImmediate)
    const form = client.forms.get('F1', options)
    await client.reports.get('K1', { deadlineMs: 1_000 })
    assert.deepEqual(
      calls.map(({ path }) => path),
      [limited, '/v1/report/inquiry/K1'],
    )
    stop.abort()
    await Promise.allSettled([held, form])
  }
})

test('a rate limit beyond the deadline throws', async () => {
  const { client, calls } = createClient(() =>
    respondError(429, 'A020', { 'retry-after': '3600', 'ratelimit-reason': 'too many' }),
  )
  await assert.rejects(client.send.sms(message), (error) => {
    assert.ok(error instanceof RateLimitError)
    assert.deepEqual([error.retryAfter, error.limit], [3600, 'too many'])
    return true
  })
  assert.equal(calls.length, 1)
})

test('a used-up rate limit throws if it exceeds the deadline or the queue is full', async () => {
  for (const reset of ['86400', 'Infinity', '1e300']) {
    const used = { 'ratelimit-limit': '1', 'ratelimit-remaining': '0', 'ratelimit-reset': reset }
    const { client, calls } = createClient(() => respond(200, accepted, used), { deadlineMs: 30_000 })
    await client.send.sms(message)
    await assert.rejects(client.send.sms(message, { signal: AbortSignal.timeout(500) }), (error) => {
      assert.ok(error instanceof RateLimitError)
      // The client never pauses longer than this after a successful response.
      assert.equal(error.retryAfter, 60)
      return true
    })
    assert.equal(calls.length, 1)
  }
  const soon = { 'ratelimit-limit': '1', 'ratelimit-remaining': '0', 'ratelimit-reset': '20' }
  const { client } = createClient(() => respond(200, accepted, soon), { maxQueued: 3 })
  await client.send.sms(message)
  const signal = AbortSignal.timeout(100)
  const waiting = await Promise.allSettled(
    Array.from({ length: 5 }, () => client.send.sms(message, { signal })),
  )
  const full = waiting.filter(
    (result) => result.status === 'rejected' && (result.reason as Error) instanceof QueueFullError,
  )
  assert.equal(full.length, 2)
})

test('at most `concurrency` requests run and at most `maxQueued` calls wait', async () => {
  let running = 0
  let most = 0
  const { client } = createClient(
    async () => {
      most = Math.max(most, ++running)
      await new Promise(setImmediate)
      running--
      return respond(200, accepted)
    },
    { concurrency: 3, maxQueued: 7 },
  )
  await client.send.sms(message)
  const results = await Promise.allSettled(Array.from({ length: 12 }, () => client.send.sms(message)))
  const refused = results.filter(({ status }) => status === 'rejected') as PromiseRejectedResult[]
  assert.equal(most, 3)
  assert.equal(refused.length, 2)
  assert.ok(refused.every(({ reason }) => reason instanceof QueueFullError))
})

test('a signal ends a waiting call with the reason of the caller', async () => {
  const reason = new Error('enough')
  const { client } = createClient(() => respondError(429, 'A020', { 'retry-after': '60' }))
  const controller = new AbortController()
  const call = client.send.sms(message, { signal: controller.signal })
  setImmediate(() => controller.abort(reason))
  await assert.rejects(call, reason)
})

test('a signal ends only its own call while a token is fetched', async () => {
  let issue: (response: Response) => void
  let requests = 0
  const { client } = createClient(() => respond(200, accepted), {
    fetch: (input) => {
      if (!(input as string).endsWith('/v1/auth/token')) return Promise.resolve(respond(200, accepted))
      requests++
      return new Promise((resolve) => (issue = resolve))
    },
  })
  const reason = new Error('enough')
  const controller = new AbortController()
  const ended = client.send.sms(message, { signal: controller.signal })
  const other = client.send.sms(message)
  while (requests === 0) await new Promise(setImmediate)
  controller.abort(reason)
  await assert.rejects(ended, reason)
  const expired = new Date(Date.now() + 86_400_000).toISOString()
  issue!(respond(200, { ...accepted, data: { schema: 'Bearer', token: 'T', expired } }))
  assert.equal((await other).msgKey, 'K1')
  assert.equal(requests, 1)
})

test('a call ends at its deadline while it waits for a token, slot or response', async () => {
  const withoutToken = createClient(hang, { fetch: (_, init) => hang({ signal: init!.signal! }) })
  const oneSlot = createClient(hang, { concurrency: 1 })
  const stop = new AbortController()
  const first = oneSlot.client.send.sms(message, { signal: stop.signal })
  for (const client of [withoutToken.client, oneSlot.client, createClient(hang).client]) {
    const from = performance.now()
    await assert.rejects(client.send.sms(message, { deadlineMs: 50 }), TimeoutError)
    assert.ok(performance.now() - from < 5_000)
  }
  stop.abort()
  await assert.rejects(first)
})

test('the stream waits longer than `timeoutMs` and `deadlineMs` for its next item', async () => {
  const { client } = createClient(
    ({ signal }) =>
      Promise.race([
        hang({ signal }),
        new Promise<Response>((resolve) =>
          setTimeout(() => resolve(respond(200, { ...accepted, data: { cursor: 'C1', report: [{}] } })), 100),
        ),
      ]),
    { timeoutMs: 20, deadlineMs: 20, retry: { attempts: 1 } },
  )
  for await (const { cursor } of client.reports.follow()) {
    assert.equal(cursor, 'C1')
    break
  }
})

test('a response of another server and a redirect throw', async () => {
  for (const response of [
    new Response('<html>'),
    new Response(null, { status: 302, headers: { location: '/' } }),
  ]) {
    const { client } = createClient(() => response.clone(), { retry: { attempts: 1 } })
    await assert.rejects(client.send.sms(message), UnexpectedResponseError)
  }
})

test('send.all reads the source only as fast as messages are accepted', async () => {
  let read = 0
  let done = 0
  function* source() {
    for (; read < 100;) {
      assert.ok(read - done <= 8, `${read} read, ${done} accepted`)
      read++
      yield { ...message, ref: String(read) }
    }
  }
  const { client } = createClient((_, index) => {
    done++
    return index % 10 === 9 ? respondError(400, 'A306') : respond(200, accepted)
  })
  let refused = 0
  const results = client.send.all('sms', source(), {
    concurrency: 8,
    idempotencyKey: ({ ref }) => `run-1-${ref}`,
  })
  for await (const { error } of results) if (error !== undefined) refused++
  assert.deepEqual([read, refused], [100, 10])
})
