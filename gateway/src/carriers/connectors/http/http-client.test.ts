/** The client distinguishes requests that were certainly not sent from those that possibly were. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { createServer as createTcpServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import type { TLSSocket } from 'node:tls'
import { selfSigned } from '../../../../test/support/engines/certificate.ts'
import { waitFor } from '../../../../test/support/wait.ts'
import { HttpClient, toFailureOutcome, type HttpClientOptions } from './http-client.ts'

const limits = { connections: 4, connectTimeoutMs: 60_000, timeoutMs: 60_000, maxAnswerBytes: 1_000 }
const serverCertificate = selfSigned('127.0.0.1')

function client(t: TestContext, options: Partial<HttpClientOptions> = {}): HttpClient {
  const created = new HttpClient({ ...limits, ...options })
  t.after(() => created.stop())
  return created
}

/** Listens until the end of the test. `connections` grows with each connection that is opened. */
async function listen(t: TestContext, listening: Server): Promise<{ port: number; connections: Socket[] }> {
  const connections: Socket[] = []
  listening.on('connection', (socket) => void connections.push(socket.on('error', () => undefined)))
  listening.listen(0, '127.0.0.1')
  await once(listening, 'listening')
  t.after(() => {
    for (const socket of connections) socket.destroy()
    listening.close()
  })
  return { port: (listening.address() as AddressInfo).port, connections }
}

async function serve(
  t: TestContext,
  listener: RequestListener,
): Promise<{ url: string; connections: Socket[] }> {
  const { port, connections } = await listen(t, createServer(listener))
  return { url: `http://127.0.0.1:${port}/`, connections }
}

const post = (url: string) => ({ method: 'POST', url, body: 'body' })

test('reuses connections up to the limit and sends content-length', async (t) => {
  const bodies: string[] = []
  const { url, connections } = await serve(t, (incoming, response) => {
    let body = ''
    incoming.on('data', (chunk: Buffer) => (body += chunk.toString()))
    incoming.on('end', () => {
      bodies.push(`${incoming.method} ${incoming.headers['content-length']} ${body}`)
      response.end('answer')
    })
  })
  const pool = client(t)
  for (const method of ['POST', 'GET', 'DELETE'])
    assert.equal((await pool.send({ method, url, body: '한' })).kind, 'answer')
  assert.deepEqual(bodies, ['POST 3 한', 'GET 3 한', 'DELETE 3 한'])
  assert.equal(connections.length, 1)
  const results = await Promise.all(Array.from({ length: 40 }, () => pool.send(post(url))))
  assert.ok(results.every((result) => result.kind === 'answer' && result.body.toString() === 'answer'))
  assert.equal(connections.length, 4)
})

test('a connection that is too old is closed after its response', async (t) => {
  const { url, connections } = await serve(t, (_, response) => response.end('answer'))
  const pool = client(t, { maxConnectionAgeMs: 0 })
  for (let nth = 0; nth < 3; nth++) assert.equal((await pool.send(post(url))).kind, 'answer')
  assert.equal(connections.length, 3)
})

test('a failed connection counts as not sent', async (t) => {
  const notTls = await listen(
    t,
    createTcpServer((socket) => socket.end('not TLS')),
  )
  const silent = await listen(t, createTcpServer())
  const secure = createSecureServer({ ...serverCertificate })
  secure.on('tlsClientError', () => undefined)
  const untrusted = await listen(t, secure)
  const pool = client(t)
  const impatient = client(t, { connectTimeoutMs: 100 })
  const sendTo = (url: string): Promise<unknown> => pool.send(post(url))
  assert.deepEqual(await sendTo('http://127.0.0.1:1/'), { kind: 'not-sent', code: 'ECONNREFUSED' })
  assert.equal(((await sendTo(`https://127.0.0.1:${notTls.port}/`)) as { kind: string }).kind, 'not-sent')
  assert.deepEqual(await impatient.send(post(`https://127.0.0.1:${silent.port}/`)), {
    kind: 'not-sent',
    code: 'connect-timeout',
  })
  assert.deepEqual(await sendTo(`https://127.0.0.1:${untrusted.port}/`), {
    kind: 'not-sent',
    code: 'DEPTH_ZERO_SELF_SIGNED_CERT',
  })
  assert.deepEqual(await sendTo('no address'), { kind: 'not-sent', code: 'ERR_INVALID_URL' })
  assert.deepEqual(await pool.send({ ...post('http://127.0.0.1:1/'), headers: { name: 'a\nb' } }), {
    kind: 'not-sent',
    code: 'ERR_INVALID_CHAR',
  })
  assert.deepEqual(toFailureOutcome({ kind: 'not-sent', code: 'ECONNREFUSED' }, 'x'), {
    kind: 'unreachable',
    code: 'x:ECONNREFUSED',
    text: 'the carrier did not receive the request',
  })
})

test('a request without a complete response counts as possibly received', async (t) => {
  const listeners: Readonly<Record<string, RequestListener>> = {
    'incomplete body': (_, response) => {
      response.writeHead(200, { 'content-length': 100 })
      response.write('half', () => response.destroy())
    },
    'incomplete chunk': (_, response) => void response.write('half', () => response.destroy()),
    'incomplete switch of protocols': (_, response) =>
      response.socket!.end('HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n'),
    'ECONNRESET without an answer': (_, response) => response.socket!.destroy(),
    HPE_INVALID_CONSTANT: (_, response) => response.socket!.end('nonsense\r\n\r\n'),
  }
  for (const [name, listener] of Object.entries(listeners)) {
    const { url } = await serve(t, listener)
    assert.deepEqual(await client(t).send(post(url)), { kind: 'no-answer', code: name.split(' ')[0] }, name)
  }
  assert.equal(toFailureOutcome({ kind: 'no-answer', code: 'timeout' }, 'x').kind, 'unknown')
})

test('a request whose response is late or incomplete counts as possibly received', async (t) => {
  const { url } = await serve(t, ({ url: path }, response) => {
    if (path === '/answered') return void response.end()
    if (path === '/silent') return
    const timer = setInterval(() => response.write(' '), 20)
    response.on('close', () => clearInterval(timer))
  })
  const pool = client(t)
  for (const path of ['silent', 'slow']) {
    // The second request is sent immediately over the connection of the first one.
    assert.equal((await pool.send(post(`${url}answered`))).kind, 'answer')
    const result = await pool.send({ ...post(`${url}${path}`), timeoutMs: 100 })
    assert.deepEqual(result, { kind: 'no-answer', code: 'timeout' }, path)
  }
})

test('a response is truncated at its limit, ends with its connection, and is never redirected', async (t) => {
  const answers: Readonly<Record<string, RequestListener>> = {
    long: (_, response) => response.writeHead(404).end(Buffer.alloc(100_000, 'x')),
    closed: (_, response) => response.socket!.end('HTTP/1.1 200 OK\r\n\r\nto the end'),
    moved: (_, response) => {
      response.writeHead(302, { location: 'http://127.0.0.1:1/', 'retry-after': '99999' }).end()
    },
  }
  const read = async (name: string): Promise<unknown> => {
    const result = await client(t).send(post((await serve(t, answers[name]!)).url))
    assert.ok(result.kind === 'answer')
    return [result.status, result.body.toString(), result.retryAfterMs]
  }
  assert.deepEqual(await read('long'), [404, 'x'.repeat(1_000), null])
  assert.deepEqual(await read('closed'), [200, 'to the end', null])
  assert.deepEqual(await read('moved'), [302, '', 3_600_000])
})

test('an early response releases the connection although the body is unread', async (t) => {
  const early = createTcpServer((socket) => {
    socket.once('data', () => {
      socket.pause()
      socket.write('HTTP/1.1 413 Content Too Large\r\nContent-Length: 0\r\n\r\n')
    })
  })
  const { port } = await listen(t, early)
  const pool = client(t, { connections: 1, timeoutMs: 5_000 })
  const request = { ...post(`http://127.0.0.1:${port}/`), body: Buffer.alloc(16 * 1024 * 1024) }
  for (let nth = 0; nth < 2; nth++) {
    const result = await pool.send(request)
    assert.ok(result.kind === 'answer' && result.status === 413, JSON.stringify(result))
  }
})

test('over TLS, a request that waited for a kept connection counts as sent', async (t) => {
  let requests = 0
  const secure = createSecureServer({ ...serverCertificate }, (_, response) => {
    // Responds to the first request only.
    if (++requests === 1) response.end()
  })
  const { port, connections } = await listen(t, secure)
  const pool = client(t, { connections: 1, tls: { ca: serverCertificate.cert } })
  const first = pool.send(post(`https://127.0.0.1:${port}/`))
  const second = pool.send(post(`https://127.0.0.1:${port}/`))
  assert.equal((await first).kind, 'answer')
  await waitFor('the second request', () => requests === 2)
  pool.stop()
  assert.deepEqual(await second, { kind: 'no-answer', code: 'stopped' })
  assert.equal(connections.length, 1)
})

test('checks the certificate against the URL host, not the Host header', async (t) => {
  for (const host of ['localhost', '127.0.0.1']) {
    const certificate = selfSigned(host)
    const names: unknown[] = []
    const secure = createSecureServer(certificate, ({ socket }, response) => {
      names.push((socket as TLSSocket).servername)
      response.end()
    })
    const { port } = await listen(t, secure)
    const request = { ...post(`https://${host}:${port}/`), headers: { host: 'evil.example' } }
    assert.equal((await client(t, { tls: { ca: certificate.cert } }).send(request)).kind, 'answer')
    assert.deepEqual(names, [host === 'localhost' ? host : false])
    const evil = selfSigned('evil.example')
    secure.setSecureContext(evil)
    assert.deepEqual(await client(t, { tls: { ca: evil.cert } }).send(request), {
      kind: 'not-sent',
      code: 'ERR_TLS_CERT_ALTNAME_INVALID',
    })
  }
})

test('presents its certificate', async (t) => {
  const clientCertificate = selfSigned('client.test')
  const secure = createSecureServer(
    { ...serverCertificate, requestCert: true, ca: clientCertificate.cert },
    (_, response) => response.end(),
  )
  const { port } = await listen(t, secure)
  const pool = client(t, { tls: { ca: serverCertificate.cert, ...clientCertificate } })
  assert.equal((await pool.send(post(`https://127.0.0.1:${port}/`))).kind, 'answer')
})

// Node's server closes such a connection without an alert; OpenSSL's sends one, as carriers' servers do.
test('a request counts as not sent if the server refuses the client certificate or gets none', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'postern-tls-'))
  t.after(() => rmSync(folder, { recursive: true }))
  for (const [name, text] of Object.entries(serverCertificate))
    writeFileSync(join(folder, name), text as string)
  const args = '-accept 127.0.0.1:0 -key key -cert cert -CAfile cert -Verify 1 -verify_return_error -www'
  const openssl = spawn('openssl', ['s_server', ...args.split(' ')], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  t.after(() => openssl.kill())
  let output = ''
  openssl.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const port = await waitFor('the port', () => /ACCEPT \S+:(\d+)/.exec(output)?.[1])
  for (const clientCertificate of [{}, selfSigned('other.test')]) {
    const pool = client(t, { tls: { ca: serverCertificate.cert, ...clientCertificate } })
    const result = await pool.send(post(`https://127.0.0.1:${port}/`))
    assert.ok(result.kind === 'not-sent', JSON.stringify(result))
    assert.match(result.code, /ALERT/)
  }
})

test('a stop ends open requests, and later ones are not sent', async (t) => {
  const waiting: (() => void)[] = []
  const { url, connections } = await serve(t, (_, response) => void waiting.push(() => response.end()))
  const pool = client(t)
  const sent = [pool.send(post(url)), pool.send(post(url))]
  await waitFor('both requests', () => waiting.length === 2)
  pool.stop()
  assert.deepEqual(await pool.send(post(url)), { kind: 'not-sent', code: 'stopped' })
  for (const result of await Promise.all(sent))
    assert.deepEqual(result, { kind: 'no-answer', code: 'stopped' })
  await waitFor('closed connections', () => connections.every((socket) => socket.closed))
})

test('a signal ends a request', async (t) => {
  const { url, connections } = await serve(t, () => undefined)
  const pool = client(t, { connections: 1 })
  const ending = new AbortController()
  const [sent, waiting] = [
    pool.send({ ...post(url), signal: ending.signal }),
    pool.send({ ...post(url), signal: ending.signal }),
  ]
  await waitFor('the connection', () => connections.length === 1 && connections[0]!.bytesRead > 0)
  ending.abort()
  assert.deepEqual(await sent, { kind: 'no-answer', code: 'aborted' })
  assert.deepEqual(await waiting, { kind: 'not-sent', code: 'aborted' })
  assert.deepEqual(await pool.send({ ...post(url), signal: ending.signal }), {
    kind: 'not-sent',
    code: 'aborted',
  })
})
