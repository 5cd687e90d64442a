import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readdirSync, readlinkSync } from 'node:fs'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import { addCleanup } from '../../../test/support/cleanup.ts'
import { silentLog, testMetrics } from '../../../test/support/silent-log.ts'
import { waitFor } from '../../../test/support/wait.ts'
import { createServer } from '../../edge/api/server/server.ts'
import { makeJpeg } from '../../../test/support/files/images.ts'
import { multipartBody, multipartType, partHead } from '../../../test/support/files/multipart.ts'
import { account, createFileTestBed, filesBelow, rowCount } from '../../../test/support/files/test-bed.ts'

type FileTestBed = Awaited<ReturnType<typeof createFileTestBed>>

let requests = 0

async function listen(files: FileTestBed): Promise<number> {
  const server = createServer({
    log: silentLog,
    metrics: testMetrics(),
    authenticate: (incoming, _reply, done) => {
      requests++
      incoming.account = account
      done()
    },
    open: [],
    authenticated: [files.routes],
  })
  addCleanup(() => server.close())
  await server.listen({ host: '127.0.0.1', port: 0 })
  return (server.server.address() as AddressInfo).port
}

const testBed = await createFileTestBed()
const port = await listen(testBed)
/** Large enough that the response is read before the connection is reset, because both ends run in this process. */
const discard = { bytes: 8 * 1024 * 1024, ms: 200 }
const impatient = await createFileTestBed({ discard })
const impatientPort = await listen(impatient)

async function connectTo(target: number): Promise<Socket & { received: string }> {
  const socket = Object.assign(connect(target, '127.0.0.1'), { received: '' })
  socket.setEncoding('latin1')
  socket.on('data', (text: string) => (socket.received += text))
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  return socket
}

/** Resolves on a reset as well, which a disconnected client sees. */
const closing = (socket: Socket): Promise<void> =>
  new Promise((resolve) => socket.once('close', () => resolve()))

const head = (contentLength: number | 'chunked', path = 'MMS'): string =>
  `POST /v1/file/${path} HTTP/1.1\r\nHost: x\r\nContent-Type: ${multipartType}\r\n` +
  (contentLength === 'chunked' ? 'Transfer-Encoding: chunked' : `Content-Length: ${contentLength}`) +
  '\r\n\r\n'

/** Counts the uploads in progress in this process, whose files are open and unlinked. */
function openSpools(folder: string): number {
  return readdirSync('/proc/self/fd').filter((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`).startsWith(folder)
    } catch {
      return false
    }
  }).length
}

async function leftBehind(where: FileTestBed): Promise<unknown[]> {
  return [
    await rowCount(where.database),
    await filesBelow(where.storeFolder),
    await filesBelow(where.spoolFolder),
  ]
}

const body = multipartBody({ content: makeJpeg(800, 600, 100_000) })
const cuts: [where: string, bytes: number][] = [
  ['before the body', 0],
  ['in the head of the part', 40],
  ['in the middle of the file', 50_000],
  ['before the closing boundary', body.length - 30],
]
const linux = { skip: process.platform !== 'linux' && 'needs /proc' }
for (const [where, bytes] of cuts) {
  test(`a connection closed ${where} leaves nothing behind`, linux, async () => {
    const socket = await connectTo(port)
    socket.write(head(body.length))
    socket.write(body.subarray(0, bytes))
    await waitFor('the upload to be received', () => openSpools(testBed.spoolFolder) === 1)
    socket.destroy()
    await waitFor('the upload to be abandoned', () => openSpools(testBed.spoolFolder) === 0)
    assert.deepEqual(await leftBehind(testBed), [0, [], []])
  })
}

test('a connection closed before its upload is read leaves nothing behind', linux, async () => {
  const before = requests
  for (let nth = 0; nth < 20; nth++) {
    const socket = await connectTo(port)
    socket.write(head(body.length))
    socket.write(body.subarray(0, 1_000), () => socket.destroy())
  }
  await waitFor('the requests', () => requests === before + 20)
  await waitFor('the uploads to be abandoned', () => openSpools(testBed.spoolFolder) === 0)
  assert.deepEqual(await leftBehind(testBed), [0, [], []])
})

test('a declared size over the limit is refused with A200, and the connection closed', async () => {
  const socket = await connectTo(impatientPort)
  socket.write(head(10_000_000_000))
  socket.write(partHead({ content: '' }))
  await closing(socket)
  assert.match(socket.received, /^HTTP\/1.1 400 [^]*"code":"A200"/)
})

test('an endless upload gets A200 and is disconnected', async () => {
  const socket = await connectTo(impatientPort)
  let sent = 0
  const piece = Buffer.alloc(65_536, 0x11)
  const send = (bytes: Buffer): void => {
    sent += bytes.length
    socket.write(`${bytes.length.toString(16)}\r\n`)
    socket.write(bytes)
    socket.write('\r\n')
  }
  socket.write(head('chunked'))
  send(partHead({ content: '' }))
  const closed = closing(socket)
  const pump = (): void => {
    while (!socket.destroyed && socket.writableLength < 1_000_000) send(piece)
  }
  socket.on('drain', pump)
  pump()
  await closed
  assert.match(socket.received, /^HTTP\/1.1 400 [^]*"code":"A200"/)
  // The limit, the discarded bytes, and the kernel buffers on both sides.
  assert.ok(sent < 32 * 1024 * 1024, `${sent} bytes went`)
  assert.deepEqual(await leftBehind(impatient), [0, [], []])
})

test('a client that sends a whole oversized photo gets the error and can reuse its connection', async () => {
  const socket = await connectTo(port)
  const uploads: [path: string, content: Buffer, code: string][] = [
    ['MMS', makeJpeg(800, 600, 8_000_000), 'A200'],
    ['NOWHERE', makeJpeg(800, 600, 8_000_000), 'A219'],
    ['MMS', makeJpeg(800, 600), 'A000'],
  ]
  for (const [path, content, code] of uploads) {
    socket.received = ''
    const payload = multipartBody({ content })
    socket.write(head(payload.length, path))
    socket.write(payload)
    await waitFor(`the response ${code}`, () => socket.received.includes(`"code":"${code}"`))
  }
  socket.destroy()
})

test('ten concurrent uploads are ten files with their own bytes', async () => {
  const images = Array.from({ length: 10 }, (_, nth) => makeJpeg(500 + nth, 400, 200_000 + nth))
  const keys = await Promise.all(
    images.map(async (image) => {
      const socket = await connectTo(port)
      const payload = multipartBody({ content: image })
      socket.write(head(payload.length))
      socket.write(payload)
      const response = await waitFor('the response', () => /"fileKey":"(\w+)"/.exec(socket.received))
      socket.destroy()
      return response[1]!
    }),
  )
  assert.equal(new Set(keys).size, 10)
  for (const [nth, key] of keys.entries()) {
    assert.ok(images[nth]!.equals(await buffer(await testBed.store.open(key))))
    assert.equal((await testBed.lookup.find(key))!.width, 500 + nth)
  }
})
