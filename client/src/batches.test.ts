import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConnectionError, NotFoundError, Postern, type ClientOptions } from './index.ts'

interface RecordedRequest {
  readonly method: string
  readonly path: string
  readonly headers: Headers
  readonly body: string
}

const batch = { batchId: 'B1', state: 'running', counts: { open: 0 } }

/** Creates a client with an API key. Its requests are recorded, and `script` responds to them. */
function createClient(script: (request: RecordedRequest) => Response, options: Partial<ClientOptions> = {}) {
  const calls: RecordedRequest[] = []
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const request = new Request(input, init)
    const { pathname, search } = new URL(request.url)
    const recorded = {
      method: request.method,
      path: pathname + search,
      headers: request.headers,
      body: await request.text(),
    }
    calls.push(recorded)
    return script(recorded)
  }
  const settings = { baseUrl: 'http://gateway.example', credentials: { apiKey: 'postern_x' } }
  const { batches } = new Postern({ ...settings, retry: { delayMs: 1 }, fetch, ...options })
  return { batches, calls }
}

const respond = (data: object): Response => Response.json({ code: 'A000', result: 'Success', data })

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const collected: Item[] = []
  for await (const item of items) collected.push(item)
  return collected
}

/** Counts the lines of an upload as the gateway does. */
function store({ body, headers }: RecordedRequest): Response {
  const lines = body.trimEnd().split('\n').length - (headers.get('content-type') === 'text/csv' ? 1 : 0)
  return respond({ batchId: 'B1', part: 1, lines })
}

async function* stream(...chunks: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const chunk of chunks) yield await Promise.resolve(new TextEncoder().encode(chunk))
}

test('recipients are uploaded as NDJSON in parts of 10,000, and a repeated upload has the same parts', async () => {
  const { batches, calls } = createClient(store)
  const recipients = Array.from({ length: 20_001 }, (_, index) => ({ to: `010${10_000_000 + index}` }))
  assert.deepEqual(await batches.upload('B1', recipients), { parts: 3, lines: 20_001 })
  assert.deepEqual(
    calls.map(({ method, path }) => [method, path]),
    [1, 2, 3].map((part) => ['PUT', `/v1/batch/B1/recipients/${part}`]),
  )
  assert.equal(calls[2]!.body, '{"to":"01010020000"}\n')
  assert.equal(calls[0]!.headers.get('content-type'), 'application/x-ndjson')
  await batches.upload('B1', recipients)
  assert.deepEqual(
    calls.slice(3).map(({ body }) => body),
    calls.slice(0, 3).map(({ body }) => body),
  )
})

test('each part of a CSV file has its header line, and line breaks in quotes do not divide a line', async () => {
  const { batches, calls } = createClient(store)
  const rows = Array.from({ length: 10_000 }, (_, index) => `0101${1_000_000 + index},Kim\r\n`)
  const last = '01099999999,"Lee\n""Sun"" Å"'
  const file = `to,name\r\n${rows.join('')}${last}`
  // Chunks end within a line, within quotes and within a character.
  const bytes = new TextEncoder().encode(file)
  const chunks = [bytes.slice(0, 50), bytes.slice(50, -16), bytes.slice(-16, -2), bytes.slice(-2)]
  assert.equal((await batches.uploadFile('B1', chunks, { format: 'csv', firstPart: 4 })).parts, 2)
  assert.deepEqual(
    calls.map(({ path }) => path),
    ['/v1/batch/B1/recipients/4', '/v1/batch/B1/recipients/5'],
  )
  assert.equal(calls[0]!.body, `to,name\r\n${rows.join('')}`)
  assert.equal(calls[1]!.body, `to,name\r\n${last}`)
})

test('an upload is retried with the same bytes, and reads the source only as fast as parts are accepted', async () => {
  let failures = 1
  const { batches, calls } = createClient((request) => {
    if (failures-- > 0) throw new TypeError('connection reset')
    return store(request)
  })
  let read = 0
  async function* lines(): AsyncGenerator<string> {
    for (; read < 20_000; read++) yield await Promise.resolve(`{"to":"${read}"}\n`)
    // When the source ends, both attempts of the first part are complete.
    assert.equal(calls.length, 2)
  }
  assert.deepEqual(await batches.uploadFile('B1', lines(), { format: 'ndjson' }), { parts: 2, lines: 20_000 })
  assert.equal(calls.length, 3)
  assert.equal(calls[0]!.body, calls[1]!.body)
})

test('a batch is created once: every attempt has the same key', async () => {
  let failures = 1
  const { batches, calls } = createClient(() => {
    if (failures-- > 0) throw new TypeError('connection reset')
    return respond(batch)
  })
  await batches.create({ messageFlow: [{ sms: { from: '0212345678', text: 'Hello' } }] })
  const keys = calls.map(({ headers }) => headers.get('idempotency-key'))
  assert.equal(keys.length, 2)
  assert.equal(keys[0], keys[1])
})

test('results are read from CSV as they arrive', async () => {
  const text = [
    'part,line,ref,msgKey,code,reportCode,sentAt,reportedAt,parts\r\n1,1,"a,""b""\nc",K1,A000,10000,2026-11-19T13:00:00+09:00,',
    '2026-11-19T13:00:01+09:00,2\r\n1,2,,,A306,,,,\r\n',
  ]
  const headers = { 'content-type': 'text/csv; charset=utf-8' }
  const { batches } = createClient(() => new Response(ReadableStream.from(stream(...text)), { headers }))
  const results = await collect(batches.results('B1'))
  const times = { sentAt: '2026-11-19T13:00:00+09:00', reportedAt: '2026-11-19T13:00:01+09:00' }
  const none = { sentAt: undefined, reportedAt: undefined, parts: undefined }
  assert.deepEqual(results, [
    {
      part: 1,
      line: 1,
      ref: 'a,"b"\nc',
      msgKey: 'K1',
      code: 'A000',
      reportCode: '10000',
      ...times,
      parts: 2,
    },
    { part: 1, line: 2, ref: undefined, msgKey: undefined, code: 'A306', reportCode: undefined, ...none },
  ])
})

test('a download that breaks or stops throws, and an error response has its code', async () => {
  const headers = { 'content-type': 'text/csv' }
  const respondStream = (pull: (controller: ReadableStreamDefaultController) => void | Promise<void>) =>
    createClient(() => new Response(new ReadableStream({ pull }), { headers }), { timeoutMs: 50 })
  const broken = respondStream((controller) => controller.error(new TypeError('terminated')))
  await assert.rejects(collect(broken.batches.results('B1')), ConnectionError)
  const stopped = respondStream(() => new Promise(() => undefined))
  await assert.rejects(collect(stopped.batches.results('B1')), { code: 'timeout' })
  const unknown = createClient(() =>
    Response.json({ code: 'A350', result: 'Unknown batch' }, { status: 404 }),
  )
  await assert.rejects(collect(unknown.batches.results('B1')), NotFoundError)
})

test('all pages of the list are read', async () => {
  const { batches, calls } = createClient(({ path }) =>
    respond(path.includes('after=B1') ? { batches: [{ batchId: 'B0' }] } : { batches: [batch], next: 'B1' }),
  )
  const found = await collect(batches.list({ state: 'running' }))
  assert.deepEqual(
    found.map(({ batchId }) => batchId),
    ['B1', 'B0'],
  )
  assert.deepEqual(
    calls.map(({ path }) => path),
    ['/v1/batch?state=running', '/v1/batch?state=running&after=B1'],
  )
})

test('a wait ends with the batch, or with the reports of a cancelled one', async () => {
  const wait = async (states: readonly (readonly [state: string, open: number])[]) => {
    const left = [...states]
    const { batches, calls } = createClient(() => {
      const [state, open] = left.shift()!
      return respond({ ...batch, state, counts: { open } })
    })
    const { state } = await batches.waitUntilEnded('B1', { intervalMs: 1 })
    return [state, calls.length]
  }
  const running = ['running', 5] as const
  assert.deepEqual(await wait([running, ['paused', 5], running, ['ended', 0]]), ['ended', 4])
  assert.deepEqual(await wait([running, ['cancelled', 2], ['cancelled', 0]]), ['cancelled', 3])
  const { batches } = createClient(() => respond(batch))
  await assert.rejects(batches.waitUntilEnded('B1', { signal: AbortSignal.timeout(20) }), {
    name: 'TimeoutError',
  })
})
