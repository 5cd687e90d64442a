import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { after, before, test } from 'node:test'
import { HttpServer } from './http-server.ts'
import type { HttpOutcome, HttpRequest } from './http-server.ts'
import { until } from '../testing/peer.ts'

const seen: HttpRequest[] = []
let server: HttpServer

function answer(request: HttpRequest): HttpOutcome {
  seen.push(request)
  if (request.path === '/hang') return 'hang'
  if (request.path === '/disconnect') return 'disconnect'
  return { status: 200, body: `${request.body.length}` }
}

before(async () => {
  server = new HttpServer({ host: '127.0.0.1', port: 0, maxBodyBytes: 1000, handler: answer })
  await server.listen()
})

after(() => server.close())

const url = (path: string): string => `http://127.0.0.1:${server.port}${path}`

async function raw(text: string): Promise<string> {
  const socket = connect(server.port, '127.0.0.1')
  let reply = ''
  socket.on('data', (chunk) => (reply += chunk.toString()))
  socket.on('error', () => undefined)
  socket.write(text)
  await once(socket, 'close')
  return reply
}

test('passes method, path, query and the whole body', async () => {
  const response = await fetch(url('/a/b?c=1'), { method: 'POST', body: 'x'.repeat(1000) })
  assert.equal(await response.text(), '1000')
  const request = seen.at(-1)!
  assert.deepEqual([request.method, request.path, request.query.get('c')], ['POST', '/a/b', '1'])
})

test('refuses a body above the limit, declared or not, before the handler', async () => {
  const seenBefore = seen.length
  const declared = await raw(`POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 1001\r\n\r\n`)
  assert.match(declared, /^HTTP\/1.1 413 [^]*1000 bytes/)
  const chunk = `3e9\r\n${'x'.repeat(1001)}\r\n0\r\n\r\n`
  const chunked = await raw(`POST / HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n${chunk}`)
  assert.match(chunked, /^HTTP\/1.1 413 /)
  assert.equal(seen.length, seenBefore)
})

test('refuses headers above the limit and requests other than HTTP', async () => {
  assert.match(
    await raw(`GET / HTTP/1.1\r\nhost: x\r\nlong: ${'x'.repeat(20_000)}\r\n\r\n`),
    /^HTTP\/1.1 431 /,
  )
  assert.match(await raw('hello\r\n\r\n'), /^HTTP\/1.1 400 /)
})

test('drops the connection or leaves the request unanswered on demand', async () => {
  assert.equal(await raw('GET /disconnect HTTP/1.1\r\nhost: x\r\n\r\n'), '')
  const hanging = fetch(url('/hang'), { signal: AbortSignal.timeout(50) })
  await assert.rejects(hanging, /timeout/i)
})

test('answers nothing while paused and everything afterwards', async () => {
  server.pause()
  const seenBefore = seen.length
  const response = fetch(url('/'))
  await assert.rejects(fetch(url('/'), { signal: AbortSignal.timeout(30) }))
  assert.equal(seen.length, seenBefore)
  server.resume()
  assert.equal((await response).status, 200)
})

test('close() answers requests in progress, drops hanging ones and leaves no connection', async () => {
  const waiting: (() => void)[] = []
  const other = new HttpServer({
    host: '127.0.0.1',
    port: 0,
    maxBodyBytes: 10,
    handler: async ({ path }) => {
      if (path === '/hang') return 'hang'
      await new Promise<void>((resolve) => waiting.push(resolve))
      return { status: 200, body: 'done' }
    },
  })
  await other.listen()
  const base = `http://127.0.0.1:${other.port}`
  const slow = fetch(`${base}/slow`)
  const hanging = fetch(`${base}/hang`)
  hanging.catch(() => undefined)
  await until(() => waiting.length === 1 && other.counters.requests === 2, 'both requests')
  const closed = other.close()
  waiting[0]!()
  assert.equal(await (await slow).text(), 'done')
  await assert.rejects(hanging)
  await closed
})
