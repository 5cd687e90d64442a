/** What is certainly not sent is told apart from what may have been, and connections are kept. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { createServer as createTcpServer, type AddressInfo, type Server } from 'node:net'
import { test, type TestContext } from 'node:test'
import { mm7Options } from '../../../test/support/mm7.ts'
import { HttpClient } from './http.ts'

const request = { headers: {}, body: Buffer.from('body') }

async function listen(t: TestContext, server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  return (server.address() as AddressInfo).port
}

function client(t: TestContext, address: string): HttpClient {
  const limits = { connectTimeoutMs: 1_000, responseTimeoutMs: 200 }
  const created = new HttpClient({ ...mm7Options({ dialect: 'lgu' }), ...limits, url: address })
  t.after(() => created.close())
  return created
}

async function serve(
  t: TestContext,
  listener: RequestListener,
): Promise<{ client: HttpClient; connections: () => number }> {
  const server = createServer(listener)
  let connections = 0
  server.on('connection', () => connections++)
  const port = await listen(t, server)
  t.after(() => server.closeAllConnections())
  return { client: client(t, `http://127.0.0.1:${port}/`), connections: () => connections }
}

test('keeps its connection from one request to the next', async (t) => {
  const opened = await serve(t, (incoming, response) => {
    incoming.resume().on('end', () => response.end('answer'))
  })
  for (let nth = 0; nth < 5; nth++) {
    const exchange = await opened.client.post(request)
    assert.ok(exchange.kind === 'answer')
    assert.equal(exchange.body.toString(), 'answer')
  }
  assert.equal(opened.connections(), 1)
})

test('a refused connection and a failed TLS handshake are not sent', async (t) => {
  const server = createTcpServer((socket) => socket.end('not TLS'))
  const port = await listen(t, server)
  const overTls = await client(t, `https://127.0.0.1:${port}/`).post(request)
  assert.ok(overTls.kind === 'failed' && !overTls.sent)
  const refused = await client(t, 'http://127.0.0.1:1/').post(request)
  assert.deepEqual(refused, { kind: 'failed', sent: false, code: 'ECONNREFUSED' })
})

test('an answer that is cut off, too long or late leaves it unknown; a redirect is not followed', async (t) => {
  const answers: Readonly<Record<string, RequestListener>> = {
    'answer-cut-off': (_, response) => {
      response.writeHead(200, { 'content-length': 100 })
      response.write('half', () => response.destroy())
    },
    'answer-too-long': (_, response) => response.end(Buffer.alloc(300_000)),
    'response-timeout': () => undefined,
  }
  for (const [code, listener] of Object.entries(answers))
    assert.deepEqual(await (await serve(t, listener)).client.post(request), {
      kind: 'failed',
      sent: true,
      code,
    })
  const { client: redirected } = await serve(t, (_, response) => {
    response.writeHead(302, { location: 'http://127.0.0.1:1/', 'retry-after': '7' }).end()
  })
  const exchange = await redirected.post(request)
  assert.ok(exchange.kind === 'answer')
  assert.deepEqual([exchange.status, exchange.retryAfterMs], [302, 7_000])
})
