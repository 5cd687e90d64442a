import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test, type TestContext } from 'node:test'
import { relayOptions } from '../../../../test/support/carriers/maap.ts'
import { recorded, type Recorded } from '../../../../test/support/smpp/fixtures.ts'
import { waitFor } from '../../../../test/support/wait.ts'
import { createConnector } from '../registry.ts'

interface Query {
  readonly number: number
  readonly again: boolean
}

type Respond = (query: Query) => object | string

const error = (code: string): object => ({ status: '400', error: { code } })
const batch = (...statusInfo: object[]): object => ({ status: '200', data: { statusInfo, moreToSend: 0 } })
const result = { msgId: '20261115000000000C00A00000000001-1-1-1', status: 'success' }

/** Starts a relay that responds to queries with `respond`, and a link that polls it. */
async function poll(
  t: TestContext,
  respond: Respond,
  record: Recorded = recorded(),
  pollIntervalMs = 10,
): Promise<{ queries: Query[]; record: Recorded }> {
  const queries: Query[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      if (request.url === '/token') {
        const tokenInfo = { accessToken: 't', expiresIn: '6000' }
        return void response.end(JSON.stringify({ status: '200', data: { tokenInfo } }))
      }
      const { queryId, retryYn } = JSON.parse(body) as { queryId: string; retryYn: string }
      const query = { number: Number(queryId.split('-').at(-1)), again: retryYn === 'Y' }
      queries.push(query)
      const answer = respond(query)
      response.end(typeof answer === 'string' ? answer : JSON.stringify(answer))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const times = { pollIntervalMs, reconnectMaxMs: 10 }
  const options = relayOptions({ url, queryUrl: url, results: 'polling', ...times })
  const connector = createConnector('maap-kt', { ...options }, record.context)
  t.after(async () => {
    await connector.stop(100)
    server.close()
    server.closeAllConnections()
  })
  connector.start()
  return { queries, record }
}

/** Codes of the relay for a query. */
const codes = { retriesSpent: '79001', used: '79007', unused: '79011' } as const

/** Numbers below `used` were used earlier; `old` is the response to a repeat of one, by default an empty batch. */
function relayWith(used: number, old: object = batch()): Respond {
  return ({ number, again }) => {
    if (number < used) return again ? old : error(codes.used)
    return again ? error(codes.unused) : batch(result)
  }
}

const failuresOf = ({ events }: Recorded): number => events.filter((event) => event === 'poll-failed').length
const levels = ({ lines }: Recorded): string[] => lines.map(({ level }) => level)

test('finds the last used number after a restart in few queries', async (t) => {
  const { queries, record } = await poll(t, relayWith(300_000_000))
  await waitFor('a result', () => record.receipts.length > 0)
  const first = queries.findIndex(({ number }) => number >= 300_000_000)
  assert.ok(queries.length < 70, `${queries.length} queries, ${first} before the first unused number`)
})

test('numbers that another reader has used are skipped by doubling the step', async (t) => {
  let used = 0
  const { queries, record } = await poll(t, (query) => relayWith(used)(query))
  await waitFor('a result', () => record.receipts.length > 0)
  used = 1_000_000
  queries.length = 0
  await waitFor('a number beyond', () => queries.some(({ number, again }) => number === used && !again))
  assert.ok(queries.length < 60, `${queries.length} queries`)
})

test('a relay without further results is queried at the interval', async (t) => {
  const started = performance.now()
  const { queries } = await poll(t, relayWith(0), recorded(), 40)
  await waitFor('some queries', () => queries.some(({ number }) => number === 5))
  assert.ok(performance.now() - started >= 5 * 39)
})

for (const code of [codes.retriesSpent, codes.used])
  test(`numbers whose batches are not returned again (${code}) count as used`, async (t) => {
    const { record } = await poll(t, relayWith(5, error(code)))
    await waitFor('a result', () => record.receipts.length > 0)
  })

test('logs a lost batch that is not returned again and continues', async (t) => {
  const { record } = await poll(t, ({ number, again }) => {
    if (number === 0 && !again) return 'not JSON'
    if (number === 0) return error(failuresOf(record) === 0 ? codes.unused : codes.retriesSpent)
    return again ? error(codes.unused) : batch(result)
  })
  await waitFor('a result', () => record.receipts.length > 0)
  assert.deepEqual(levels(record), ['warn', 'info', 'error'])
  assert.ok(record.events.includes('batch-lost') && record.events.includes('poll-failed'))
})

test('abandons an unreadable id with an error when other ids succeed', async (t) => {
  for (const bad of [{ status: '200', data: { statusInfo: Array(10_001).fill(1) } }, 'not JSON']) {
    let isUsed = false
    const { record } = await poll(t, ({ number, again }) => {
      // Number 0 is unreadable once it is used; before, the relay does not know it.
      if (number > 0 || (again && !isUsed)) return again ? error(codes.unused) : batch(result)
      isUsed = true
      return bad
    })
    await waitFor('a result', () => record.receipts.length > 0)
    assert.equal(levels(record).filter((level) => level === 'error').length, 1)
    assert.equal(record.events.filter((event) => event === 'batch-lost').length, 1)
  }
})

test('abandons no id while the relay is down and logs the outage once', async (t) => {
  let isDown = true
  const { queries, record } = await poll(t, (query) => (isDown ? 'not here' : relayWith(0)(query)))
  await waitFor('many failures', () => failuresOf(record) > 12)
  assert.deepEqual(levels(record), ['warn'])
  isDown = false
  await waitFor('a result', () => record.receipts.length > 0)
  assert.deepEqual(levels(record), ['warn', 'info'])
  assert.equal(queries.filter(({ again }) => !again)[0]!.number, 0)
})

test('queries that are refused as too many (79005) are repeated, and no id is abandoned', async (t) => {
  let refusals = 12
  const { record } = await poll(t, (query) =>
    query.number === 0 && !query.again && refusals-- > 0 ? error('79005') : relayWith(0)(query),
  )
  await waitFor('a result', () => record.receipts.length > 0)
  assert.ok(refusals < 0 && !record.events.includes('batch-lost'))
})

test('a response without statuses counts as an empty batch', async (t) => {
  const { record } = await poll(t, (query) =>
    query.number < 3 && !query.again ? { status: '200', data: { moreToSend: 0 } } : relayWith(0)(query),
  )
  await waitFor('a result', () => record.receipts.length > 0)
  assert.deepEqual(record.lines, [])
})

test('keeps a batch that cannot be stored instead of requesting it again', async (t) => {
  let failures = 0
  const record = recorded(() =>
    failures++ < 20 ? Promise.reject(new Error('unavailable')) : Promise.resolve(),
  )
  const { queries } = await poll(t, relayWith(0), record)
  await waitFor('the next number', () => queries.some(({ number }) => number === 1))
  assert.equal(
    queries.filter(({ number }) => number === 0).length,
    3,
    'the search of today, the search of yesterday, then the batch',
  )
})
