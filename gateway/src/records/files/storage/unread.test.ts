import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { addCleanup } from '../../../../test/support/cleanup.ts'
import { createFileTestBed, newFile } from '../../../../test/support/files/test-bed.ts'
import { createMemoryLog } from '../../../../test/support/memory-log.ts'
import { testMetrics } from '../../../../test/support/silent-log.ts'
import { waitFor } from '../../../../test/support/wait.ts'
import { createServer } from '../../../edge/api/server/server.ts'
import { fileContentRoutes } from './content.ts'
import type { ContentLimits } from './open-contents.ts'
import { createPublicLookup } from '../public-lookup.ts'
import { insertPendingFile, markStored } from '../queries.ts'
import { computeRemovalTime } from './removal.ts'

const testBed = await createFileTestBed()
/** Exceeds the buffers of a connection. */
const content = Buffer.alloc(8 * 1024 * 1024, 'x')
const file = newFile({ serviceType: 'FRIENDTALK', kind: 'FW', bytes: content.length })
await insertPendingFile(testBed.database, file, computeRemovalTime(file))
await testBed.store.put(file.key, Readable.from([content]))
await markStored(testBed.database, file.key, computeRemovalTime(file))
const path = `/v1/file/content/${file.key}`

interface Options {
  readonly limits?: ContentLimits
  readonly silentMs?: number
}

async function listen({ limits, silentMs = 60_000 }: Options = {}) {
  const files = { opened: 0, open: 0 }
  const { log, lines } = createMemoryLog()
  const statuses: number[] = []
  const store = {
    ...testBed.store,
    async open(key: string) {
      const stream = await testBed.store.open(key)
      files.opened += 1
      files.open += 1
      stream.once('close', () => (files.open -= 1))
      return stream
    },
  }
  const lookup = createPublicLookup(testBed.lookup, testBed.keyMac)
  const server = createServer({
    log,
    metrics: testMetrics(),
    authenticate: (_request, _reply, done) => done(new Error('the image must not need a token')),
    open: [
      fileContentRoutes({
        lookup,
        store,
        getNetwork: networkOf,
        ...(limits === undefined ? {} : { limits }),
      }),
    ],
    authenticated: [],
    silentMs,
  })
  server.addHook('onSend', (_request, reply, _payload, done) => {
    statuses.push(reply.statusCode)
    done()
  })
  addCleanup(() => server.close())
  await server.listen({ host: '127.0.0.1', port: 0 })
  const { port } = server.server.address() as AddressInfo
  return { port, files, statuses, lines }
}

/** Reads the network of the client from a header that the tests set. */
const networkOf = ({ headers }: { readonly headers: Readonly<Record<string, unknown>> }): string =>
  headers['x-network'] === undefined ? 'one' : 'another'

/** Sends `times` requests and reads no response. */
async function requestUnread(port: number, times: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1').pause()
  socket.on('error', () => undefined)
  addCleanup(() => void socket.destroy())
  await once(socket, 'connect')
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`.repeat(times))
  return socket
}

async function read(
  port: number,
  from: Readonly<Record<string, string>> = {},
): Promise<{ status: number; bytes: number; code?: string }> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    headers: { connection: 'close', ...from },
  })
  const body = Buffer.from(await response.arrayBuffer())
  if (response.status === 200) return { status: 200, bytes: body.length }
  const { code } = JSON.parse(body.toString()) as { code: string }
  return { status: response.status, bytes: body.length, code }
}

test('a connection has few images open at a time; further requests get A920', async () => {
  const { port, files, statuses } = await listen()
  const socket = await requestUnread(port, 40)
  await waitFor('the responses', () => statuses.length === 40)
  assert.equal(files.opened, 8)
  assert.deepEqual([...new Set(statuses)].toSorted(), [200, 503])
  assert.deepEqual(await read(port), { status: 200, bytes: content.length })
  socket.destroy()
  await waitFor('the files to be closed', () => files.open === 0)
})

test('a connection with unread responses is closed, with its files', async () => {
  const { port, files, lines } = await listen({ silentMs: 2_000 })
  // A socket that does not read does not notice that it was closed, so it is resumed afterwards.
  const socket = await requestUnread(port, 4)
  await waitFor('the files to be open', () => files.opened === 4)
  await waitFor('the files to be closed', () => files.open === 0)
  socket.resume()
  if (!socket.closed) await once(socket, 'close')
  assert.deepEqual(lines, [])
})

test('hundreds of requests of one connection open few files, and the connection is closed', async () => {
  const { port, files } = await listen()
  const socket = await requestUnread(port, 700)
  socket.resume()
  await once(socket, 'close')
  assert.ok(files.opened <= 8, String(files.opened))
  await waitFor('the files to be closed', () => files.open === 0)
  assert.deepEqual(await read(port), { status: 200, bytes: content.length })
})

test('the process has a limited number of images open; further requests get A920', async () => {
  const { port, files } = await listen({ limits: { perConnection: 2, perProcess: 4, patienceMs: 600_000 } })
  const sockets = [await requestUnread(port, 2), await requestUnread(port, 2)]
  await waitFor('the files to be open', () => files.open === 4)
  const { status, code } = await read(port)
  assert.deepEqual([status, code], [503, 'A920'])
  sockets[0]!.destroy()
  await waitFor('two files to be closed', () => files.open === 2)
  assert.deepEqual(await read(port), { status: 200, bytes: content.length })
})

test('responses of the network with the most open images are cut off for other networks only', async () => {
  const { port, files } = await listen({ limits: { perConnection: 2, perProcess: 4, patienceMs: 600_000 } })
  for (let nth = 0; nth < 2; nth += 1) await requestUnread(port, 2)
  await waitFor('the files to be open', () => files.open === 4)
  assert.equal((await read(port)).status, 503)
  assert.deepEqual(await read(port, { 'x-network': 'another' }), { status: 200, bytes: content.length })
})

test('a response that is read too slowly is cut off to make room for others', async () => {
  const { port, files, lines } = await listen({ limits: { perConnection: 2, perProcess: 4, patienceMs: 0 } })
  const [first] = [await requestUnread(port, 2), await requestUnread(port, 2)]
  await waitFor('the files to be open', () => files.open === 4)
  assert.deepEqual(await read(port), { status: 200, bytes: content.length })
  await waitFor('the files of the first to be closed', () => files.open === 2)
  let received = 0
  first.on('data', (chunk: Buffer) => (received += chunk.length)).resume()
  if (!first.closed) await once(first, 'close')
  assert.ok(received < content.length, String(received))
  assert.deepEqual(lines, [])
})
