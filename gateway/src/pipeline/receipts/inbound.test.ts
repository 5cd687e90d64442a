/**
 * Requests of a carrier over HTTP: verified by its connector, durable before the response, limited in size. A
 * route of another carrier is not reachable, and while the broker is unavailable the carrier repeats the
 * request.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import { createTestBroker } from '../../../test/support/engines/broker.ts'
import { addCleanup } from '../../../test/support/cleanup.ts'
import { testRoute } from '../../../test/support/routes.ts'
import { sendThroughQueue } from '../../../test/support/pipeline/settle.ts'
import { sumCounter, silentLog, testMetrics } from '../../../test/support/silent-log.ts'
import { createServer } from '../../edge/api/server/server.ts'
import type { Receipt } from '../../carriers/connectors/connector.ts'
import {
  maxInboundBytes,
  maxInboundReceipts,
  type Inbound,
  type InboundRequest,
} from '../../carriers/connectors/options/kind.ts'
import type { ReceiptJob } from '../../jobs/jobs.ts'
import type { Route } from '../../carriers/routes/route.ts'
import { inboundRoutes, type InboundRoutesOptions } from './inbound.ts'
import { createReceiptSink, type ReceiptSink } from './receipts.ts'

const testBroker = await createTestBroker()
const { broker, topology } = testBroker
const metrics = testMetrics()

const receipt = (id: string): Receipt => ({
  carrierId: id,
  result: 'delivered',
  cause: 'delivered',
  code: 'OK',
  recipient: '01012345678',
  sender: '',
  at: null,
})

const requests: InboundRequest[] = []
/** Reads one receipt id per line; the header `x-key` authenticates the carrier. */
const byLines: Inbound = (request) => {
  requests.push(request)
  if (request.headers['x-key'] !== 'hush') return { receipts: [], response: { status: 401 } }
  const ids = request.body.toString().split('\n').filter(Boolean)
  if (ids.includes('crash')) throw new Error('cannot read')
  const receipts = ids.filter((id) => id !== 'reply').map(receipt)
  const events = ids.filter((id) => id === 'reply')
  return { receipts, events, response: { status: 200, contentType: 'application/json', body: '{"ok":true}' } }
}

function open(overrides: Partial<InboundRoutesOptions> = {}) {
  const server = createServer({
    log: silentLog,
    metrics,
    authenticate: (_request, _reply, done) => done(new Error('a carrier has no token')),
    open: [
      inboundRoutes({
        routes: { loaded: true, value: [testRoute('http', { protocol: 'lines' }), testRoute('mute')] },
        createInbound: (protocol) => (protocol === 'lines' ? byLines : undefined),
        onReceipt: createReceiptSink(sendThroughQueue(broker.publisher, topology), metrics),
        onReply: () => Promise.resolve(),
        metrics,
        log: silentLog,
        ...overrides,
      }),
    ],
    authenticated: [],
  })
  addCleanup(() => server.close())
  return { server }
}

function serve(onReceipt?: ReceiptSink) {
  const { server } = open(onReceipt === undefined ? {} : { onReceipt })
  return (
    payload: string,
    url = '/inbound/http/status?a=1',
    headers: Record<string, string> = { 'x-key': 'hush' },
  ) => server.inject({ method: 'POST', url, payload, headers: { 'content-type': 'text/csv', ...headers } })
}

const post = serve()

test('receipts are in the queue of settle when the carrier gets its response', async () => {
  const { statusCode, body, headers } = await post('one\ntwo\n')
  assert.deepEqual([statusCode, body], [200, '{"ok":true}'])
  assert.match(String(headers['content-type']), /^application\/json/)
  // Published together, as one message of the broker.
  assert.equal(await broker.depth(topology.receipts), 1)
  const jobs = (await testBroker.drain(topology.receipts, 2)) as ReceiptJob[]
  assert.deepEqual(jobs.map(({ routeId, carrierId }) => [routeId, carrierId]).sort(), [
    ['http', 'one'],
    ['http', 'two'],
  ])
  const { path, query, method, body: bytes } = requests.at(-1)!
  assert.deepEqual([path, query.get('a'), method, bytes.toString()], ['/status', '1', 'POST', 'one\ntwo\n'])
})

test('unauthenticated requests, routes without callbacks and unknown routes store nothing', async () => {
  assert.equal((await post('one', '/inbound/http', {})).statusCode, 401)
  assert.equal((await post('one', '/inbound/mute/x')).statusCode, 404)
  assert.equal((await post('one', '/inbound/none/x')).statusCode, 404)
  assert.equal((await post('crash')).statusCode, 500)
  assert.equal(await broker.depth(topology.receipts), 0)
})

test('other events are counted and dropped', async () => {
  assert.equal((await post('reply\n')).statusCode, 200)
  assert.equal(await sumCounter(metrics.connectorEvents, { route: 'http', event: 'reply' }), 1)
  assert.equal(await broker.depth(topology.receipts), 0)
})

test('a body or a list of receipts above the limit is refused', async () => {
  assert.equal((await post('x'.repeat(maxInboundBytes + 1))).statusCode, 413)
  const tooMany = Array.from({ length: maxInboundReceipts + 1 }, (_, n) => n)
  assert.equal((await post(tooMany.join('\n'))).statusCode, 413)
  assert.equal(await broker.depth(topology.receipts), 0)
})

test('the carrier gets status 503 if a receipt cannot be stored', async () => {
  const failing = serve(() => Promise.reject(new Error('the broker is unavailable')))
  assert.equal((await failing('one')).statusCode, 503)
})

test('a path is cut after an encoded route id and otherwise kept', async () => {
  assert.equal((await post('one\n', '/inbound/%68ttp/a%2Fb/c?x=1')).statusCode, 200)
  assert.equal(requests.at(-1)!.path, '/a%2Fb/c')
  assert.equal((await post('two\n', '/inbound/%68ttp')).statusCode, 200)
  assert.equal(requests.at(-1)!.path, '/')
  await testBroker.drain(topology.receipts, 2)
})

test('invented ids create no metric series and get responses before their bodies arrive', async () => {
  const table = { loaded: false, value: [] as Route[] }
  const ownMetrics = testMetrics()
  const { server } = open({ routes: table, metrics: ownMetrics })
  const status = async (url: string, payload = 'x'): Promise<number> =>
    (await server.inject({ method: 'POST', url, payload, headers: { 'content-type': 'text/csv' } }))
      .statusCode
  assert.equal(await status('/inbound/invented-1'), 503)
  Object.assign(table, { loaded: true, value: [testRoute('http', { protocol: 'lines' })] })
  assert.equal(await status('/inbound/invented-2', 'x'.repeat(maxInboundBytes + 1)), 404)
  assert.equal(await status('/inbound/http', 'x'.repeat(maxInboundBytes + 1)), 413)
  assert.equal(await status('/inbound/http'), 401)
  const { values } = await ownMetrics.inboundRequests.get()
  assert.deepEqual([...new Set(values.map(({ labels }) => labels['route']))], ['http'])
})

test('unreadable options are read and logged once and affect no other route', async () => {
  let readings = 0
  const lines: string[] = []
  const { server } = open({
    routes: {
      loaded: true,
      value: [testRoute('broken', { protocol: 'none' }), testRoute('http', { protocol: 'lines' })],
    },
    createInbound: (protocol) => {
      if (protocol === 'lines') return byLines
      readings++
      throw new Error('cannot read /run/secrets/key')
    },
    log: pino({ level: 'warn' }, { write: (line: string) => lines.push(line) }),
  })
  const status = async (id: string): Promise<number> =>
    (await server.inject({ method: 'POST', url: `/inbound/${id}`, headers: { 'x-key': 'hush' } })).statusCode
  const statuses = await Promise.all(Array.from({ length: 20 }, () => status('broken')))
  assert.deepEqual(statuses, Array(20).fill(500))
  assert.deepEqual([readings, lines.length], [1, 1])
  assert.equal(await status('http'), 200)
})
