import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { test } from 'node:test'
import type { FastifyPluginCallback } from 'fastify'
import { addCleanup } from '../../../../test/support/cleanup.ts'
import { account } from '../../../../test/support/files/test-bed.ts'
import { silentLog, testMetrics } from '../../../../test/support/silent-log.ts'
import { waitFor } from '../../../../test/support/wait.ts'
import { limitConnections } from './connections.ts'
import { createServer, type ServerOptions } from './server.ts'

/** More than the buffers of a connection hold. */
const pageBytes = 8 * 1024 * 1024
const page = { code: 'A000', result: 'x'.repeat(pageBytes) }

type Limits = Pick<ServerOptions, 'silentMs' | 'unreadLimits' | 'bodyMemoryBytes'>

async function listen(options: Limits = {}, maxConnections = 100) {
  const counts = { sends: 0, polls: 0, answers: [] as number[] }
  const release = Promise.withResolvers<undefined>()
  const routes: FastifyPluginCallback = (server, _options, done) => {
    server.post('/send', async () => {
      counts.sends += 1
      await release.promise
      return { code: 'A000', result: 'Success' }
    })
    server.get('/poll', () => {
      counts.polls += 1
      return Promise.resolve(page)
    })
    server.get('/late', async () => {
      counts.polls += 1
      await release.promise
      return page
    })
    done()
  }
  const server = createServer({
    log: silentLog,
    metrics: testMetrics(),
    authenticate: (request, _reply, done) => {
      request.account = { ...account, id: Number(request.headers['account'] ?? 1) }
      done()
    },
    open: [],
    authenticated: [routes],
    ...options,
  })
  server.addHook('onSend', (_request, reply, _payload, done) => {
    counts.answers.push(reply.statusCode)
    done()
  })
  addCleanup(() => server.close())
  limitConnections(server.server, maxConnections, silentLog)
  await server.listen({ host: '127.0.0.1', port: 0 })
  const { port } = server.server.address() as AddressInfo
  const connections = (): Promise<number> =>
    new Promise((resolve, reject) =>
      server.server.getConnections((error, count) => (error === null ? resolve(count) : reject(error))),
    )
  return { port, counts, connections, release: () => release.resolve(undefined) }
}

async function open(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1').pause()
  socket.on('error', () => undefined)
  addCleanup(() => void socket.destroy())
  await once(socket, 'connect')
  return socket
}

/** Longer than any test, so nothing is cut off unless the test changes the time. */
const patient = { patienceMs: 600_000 }
const post = 'POST /send HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n'
const poll = 'GET /poll HTTP/1.1\r\nHost: x\r\n\r\n'
const pollOf = (id: number): string => poll.replace('Host: x', `Host: x\r\nAccount: ${id}`)

const pollAs = async (port: number, id: number): Promise<number> => {
  const headers = { account: String(id), connection: 'close' }
  const response = await fetch(`http://127.0.0.1:${port}/poll`, { headers })
  await response.arrayBuffer()
  return response.status
}

test('a connection with more than 64 concurrent requests is closed and no longer processed', async () => {
  const { port, counts, release } = await listen()
  const withinLimit = await open(port)
  withinLimit.write(post.repeat(64))
  await waitFor('the sends', () => counts.sends === 64)
  const flooding = await open(port)
  flooding.write(post.repeat(500))
  flooding.resume()
  await once(flooding, 'close')
  assert.equal(counts.sends, 128)
  assert.equal(await pollAs(port, 2), 200)
  release()
  let answers = ''
  withinLimit.on('data', (chunk: Buffer) => (answers += chunk.toString())).resume()
  await waitFor('all answers', () => answers.split('A000').length === 65)
  // Completed requests do not count.
  answers = ''
  withinLimit.write(post.repeat(64))
  await waitFor('all answers', () => answers.split('A000').length === 65)
  assert.equal(counts.sends, 192)
})

test('a connection without traffic is closed', async () => {
  const { port, counts, connections } = await listen({ silentMs: 2_000 })
  const socket = await open(port)
  socket.write(poll)
  await waitFor('the request', () => counts.polls === 1)
  await waitFor('the connection to be closed', async () => (await connections()) === 0)
})

test('a new connection is closed at once while the process has its maximum', async () => {
  const { port } = await listen({}, 2)
  const sockets = [await open(port), await open(port)]
  const refused = await open(port)
  await once(refused.resume(), 'close')
  sockets[0]!.destroy()
  await waitFor('room', async () => (await pollAs(port, 1).catch(() => 0)) === 200)
})

const createHead = (path: string): string =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 50000\r\n\r\n`

/** A server with memory for bodies of 64 KiB, of which an incomplete upload of another client takes `bytes`. */
async function listenWithUpload(bytes: number, path = '/nothing') {
  const { port, release } = await listen({ bodyMemoryBytes: 64 * 1024 })
  const upload = await open(port)
  upload.write(createHead(path) + '1'.repeat(bytes))
  // The response to a later request shows that the upload has arrived.
  await pollAs(port, 2)
  const finishUpload = async (): Promise<void> => {
    release()
    upload.write('1'.repeat(50_000 - bytes))
    let answer = ''
    upload.on('data', (chunk: Buffer) => (answer += chunk.toString())).resume()
    await waitFor('the answer', () => /^HTTP\/1.1 (404|200)/.test(answer))
  }
  return { port, finishUpload }
}

for (const [description, path] of [
  ['an anonymous request', '/nothing'],
  ['an account', '/send'],
])
  test(`the largest incomplete body of ${description} is cut off when bodies exceed their memory`, async () => {
    const { port, finishUpload } = await listenWithUpload(30_000, path)
    const larger = await open(port)
    larger.write(createHead(path!) + '1'.repeat(40_000))
    await once(larger.resume(), 'close')
    await finishUpload()
  })

test('a body in chunks of one byte counts with the memory of its chunks', async () => {
  const { port, finishUpload } = await listenWithUpload(30_000)
  const socket = await open(port)
  const head = createHead('/nothing').replace('Content-Length: 50000', 'Transfer-Encoding: chunked')
  socket.write(head + '1\r\n1\r\n'.repeat(300))
  await once(socket.resume(), 'close')
  await finishUpload()
})

test('the body of a GET request does not count, because it is not read', async () => {
  const { port, finishUpload } = await listenWithUpload(40_000)
  const socket = await open(port)
  socket.write(createHead('/nothing').replace('POST', 'GET') + '1'.repeat(30_000))
  await once(socket.resume(), 'data')
  await finishUpload()
})

test('an account gets A920 above its limit of unread response bytes', async () => {
  const limits = { ...patient, accountBytes: 3 * pageBytes, processBytes: 100 * pageBytes }
  const { port, counts } = await listen({ unreadLimits: limits })
  const sockets: Socket[] = []
  for (let nth = 0; nth < 4; nth += 1) {
    const socket = await open(port)
    socket.write(poll)
    sockets.push(socket)
  }
  await waitFor('the answers', () => counts.answers.length === 4)
  assert.deepEqual(counts.answers.toSorted(), [200, 200, 503, 503])
  assert.equal(await pollAs(port, 1), 503)
  assert.equal(await pollAs(port, 2), 200)
  for (const socket of sockets) socket.destroy()
  await waitFor('room', async () => (await pollAs(port, 1)) === 200)
})

test('all accounts together get A920 above the limit of unread response bytes', async () => {
  const limits = { ...patient, accountBytes: 100 * pageBytes, processBytes: 2 * pageBytes }
  const { port, counts } = await listen({ unreadLimits: limits })
  const socket = await open(port)
  socket.write(poll)
  await waitFor('the answer', () => counts.answers.length === 1)
  assert.equal(await pollAs(port, 2), 503)
  socket.destroy()
  await waitFor('room', async () => (await pollAs(port, 2)) === 200)
})

test('responses queued on a closed connection are released', async () => {
  const limits = { ...patient, accountBytes: 5 * pageBytes, processBytes: 100 * pageBytes }
  const { port, counts, connections } = await listen({ unreadLimits: limits })
  for (let round = 1; round <= 2; round += 1) {
    const socket = await open(port)
    // The send is answered later.
    socket.write(post + poll.repeat(4))
    await waitFor('the answers', () => counts.answers.length === 4 * round)
    socket.resetAndDestroy()
    await waitFor('the connection to be closed', async () => (await connections()) === 0)
  }
  assert.deepEqual(new Set(counts.answers), new Set([200]))
})

test('responses to a closed connection are not held', async () => {
  const limits = { ...patient, accountBytes: 3 * pageBytes, processBytes: 100 * pageBytes }
  const { port, counts, connections, release } = await listen({ unreadLimits: limits })
  const socket = await open(port)
  socket.write(poll.replace('/poll', '/late').repeat(2))
  await waitFor('the requests', () => counts.polls === 2)
  socket.destroy()
  await waitFor('the connection to be closed', async () => (await connections()) === 0)
  release()
  await waitFor('the answers', () => counts.answers.length === 2)
  assert.equal(await pollAs(port, 1), 200)
})

// Accounts 1, 2 and 2 have one response each; `cutOff` is the index of the one that is cut off.
for (const { description, patienceMs, cutOff } of [
  { description: 'the oldest response of the account that holds most', patienceMs: 0, cutOff: 1 },
  {
    description: 'a response older than patienceMs, not a newer one of the account that holds most,',
    ...patient,
    cutOff: 0,
  },
])
  test(`${description} is cut off when all accounts together hold too much`, async (context) => {
    const limits = { accountBytes: 3 * pageBytes, processBytes: 4 * pageBytes, patienceMs }
    const { port, counts, connections } = await listen({ unreadLimits: limits })
    const received: number[] = []
    const sockets: Socket[] = []
    for (const [nth, id] of [1, 2, 2].entries()) {
      const socket = await open(port)
      received.push(0)
      socket.on('data', (chunk: Buffer) => (received[nth]! += chunk.length)).pause()
      socket.write(pollOf(id))
      await waitFor('the answer', () => counts.answers.length === nth + 1)
      sockets.push(socket)
      // The first response becomes older than `patienceMs`.
      if (nth === 0) {
        const real = performance.now.bind(performance)
        context.mock.method(performance, 'now', () => real() + patienceMs)
      }
    }
    assert.equal(await pollAs(port, 3), 200)
    await waitFor('the connection to be closed', async () => (await connections()) === 2)
    for (const socket of sockets) socket.resume()
    await once(sockets[cutOff]!, 'close')
    assert.ok(received[cutOff]! < pageBytes, String(received[cutOff]))
    await waitFor('the other answers', () =>
      received.every((bytes, nth) => nth === cutOff || bytes > pageBytes),
    )
    assert.deepEqual(counts.answers, [200, 200, 200, 200])
  })
