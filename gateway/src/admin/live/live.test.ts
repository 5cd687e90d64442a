/**
 * Viewers share one reading per second, delay nothing else, and are disconnected when their operator is disabled.
 */
import assert from 'node:assert/strict'
import { createServer, get, type IncomingMessage } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { addTestOperator, createTestAdmin } from '../../../test/support/http/admin.ts'
import { silentLog } from '../../../test/support/silent-log.ts'
import { waitFor, withTimeout } from '../../../test/support/wait.ts'
import { listOperators, updateOperator } from '../../identity/operators/queries.ts'
import { LiveFeed, liveTimes } from './feed.ts'
import { Viewer } from './viewer.ts'

const admin = await createTestAdmin()
const { database, keys, server } = admin
await server.listen({ port: 0, host: '127.0.0.1' })
const { port } = server.server.address() as AddressInfo

interface Stream {
  readonly response: IncomingMessage
  /** Everything that has arrived. */
  text(): string
  readonly ended: Promise<unknown>
}

async function watch(key: string, toPort = port): Promise<Stream> {
  const headers = { authorization: `Bearer ${key}` }
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get({ port: toPort, path: '/admin/v1/live', headers, agent: false }, resolve).on('error', reject)
  })
  let text = ''
  response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
  response.on('error', () => undefined)
  const ended = new Promise((resolve) => response.once('close', resolve))
  after(() => response.destroy())
  return { response, text: () => text, ended }
}

const parseEvents = (
  text: string,
  event: string,
): { readonly id: string | undefined; readonly data: unknown }[] =>
  text.split('\n\n').flatMap((block) => {
    const fields = new Map(block.split('\n').map((line) => line.split(/: (.*)/s) as [string, string]))
    if (fields.get('event') !== event) return []
    return [{ id: fields.get('id'), data: JSON.parse(fields.get('data')!) as unknown }]
  })

test('the stream has the figures of GET /now every second, with growing IDs, unbuffered', async () => {
  const stream = await watch(keys.viewer)
  const { statusCode, headers } = stream.response
  assert.deepEqual([statusCode, headers['content-type']], [200, 'text/event-stream; charset=utf-8'])
  assert.deepEqual([headers['x-accel-buffering'], headers['cache-control']], ['no', 'no-store'])
  await waitFor('two events', () => parseEvents(stream.text(), 'now').length >= 2)
  const [first, second] = parseEvents(stream.text(), 'now')
  assert.ok(Number(second!.id) > Number(first!.id))
  const now = await admin.get<object>('viewer', '/admin/v1/now')
  assert.deepEqual(Object.keys(first!.data as object), Object.keys(now))
  stream.response.destroy()
})

test('all viewers get the same reading', async () => {
  const streams = await Promise.all([watch(keys.viewer), watch(keys.admin)])
  await waitFor('events', () => streams.every((stream) => parseEvents(stream.text(), 'now').length >= 2))
  const [one, other] = streams.map((stream) => parseEvents(stream.text(), 'now').at(-1)!)
  assert.deepEqual(one, other)
  for (const { response } of streams) response.destroy()
})

test('an operator has at most eight streams, which occupy none of its request slots', async () => {
  const key = await addTestOperator(database, 'tabs', 'viewer')
  const streams = await Promise.all(Array.from({ length: 8 }, () => watch(key)))
  assert.ok(streams.every(({ response }) => response.statusCode === 200))
  assert.equal((await watch(key)).response.statusCode, 429)
  assert.equal((await admin.callWith(key, 'GET', '/admin/v1/me')).status, 200)
  streams[0]!.response.destroy()
  await waitFor('a place', async () => {
    const again = await watch(key)
    return again.response.statusCode === 200
  })
  for (const { response } of streams) response.destroy()
})

test('a stream ends within seconds after the operator is disabled, with the reason', async () => {
  const key = await addTestOperator(database, 'leaving', 'viewer')
  const stream = await watch(key)
  await waitFor('an event', () => parseEvents(stream.text(), 'now').length > 0)
  const { id } = (await listOperators(database)).find(({ name }) => name === 'leaving')!
  await updateOperator(database, null, id, { disabled: true })
  await withTimeout('the end of the stream', stream.ended)
  assert.equal((parseEvents(stream.text(), 'end')[0]!.data as { code: string }).code, 'unauthenticated')
})

test('a stream requires a key', async () => {
  assert.equal((await watch('nothing')).response.statusCode, 401)
})

test('a reader that consumes nothing is disconnected, and its events are not buffered', async () => {
  const padding = 'x'.repeat(1_000_000)
  const times = { ...liveTimes, everyMs: 5, maxBlockedMs: 300 }
  let maxBuffered = 0
  const feed = new LiveFeed({ event: 'now', read: () => Promise.resolve({ padding }) }, silentLog, times)
  const http = createServer((_request, response) => {
    feed.add(new Viewer(response, 'slow', () => Promise.resolve(), 'request'))
    const sample = setInterval(() => (maxBuffered = Math.max(maxBuffered, response.writableLength)), 5)
    response.once('close', () => clearInterval(sample))
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const socket = connect((http.address() as AddressInfo).port, '127.0.0.1').pause()
  socket.on('error', () => undefined)
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
  await waitFor('a viewer', () => feed.viewers === 1)
  await waitFor('the end of the slow viewer', () => feed.viewers === 0)
  assert.ok(maxBuffered < 2 * padding.length, `${maxBuffered} bytes were kept`)
  socket.destroy()
  await feed.stop()
  http.close()
})

test('stopping the process ends every stream', async () => {
  const other = await createTestAdmin()
  await other.server.listen({ port: 0, host: '127.0.0.1' })
  const stream = await watch(other.keys.viewer, (other.server.server.address() as AddressInfo).port)
  await waitFor('an event', () => parseEvents(stream.text(), 'now').length > 0)
  await withTimeout('the stop', other.server.close())
  await withTimeout('the end of the stream', stream.ended)
  assert.equal((parseEvents(stream.text(), 'end')[0]!.data as { code: string }).code, 'stopping')
})
