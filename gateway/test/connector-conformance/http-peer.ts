/** An HTTP carrier that the conformance suite can command, with a profile of its own. */
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Behaviour, CarrierPeer, Harness, ReceivedSubmission } from './peer.ts'

/** What a behaviour answers. */
const answers: Readonly<Partial<Record<Behaviour, readonly [status: number, body: object]>>> = {
  throttle: [429, { error: 'slow down' }],
  refuse: [400, { error: 'bad-destination' }],
  fail: [503, { error: 'not-accepted' }],
}
const words = { delivered: 'DELIVERED', failed: 'FAILED', pending: 'SENT' } as const

const profile = {
  auth: { header: { name: 'authorization', value: 'Bearer {token}' } },
  send: {
    url: 'http://{host}/messages',
    fields: { to: '{to|digits}', from: '{from}', text: '{text}', ref: '{reference}' },
  },
  answer: {
    rules: [
      { if: { status: '2..', '/id': '.+' }, outcome: 'accepted' },
      { if: { status: '503', '/error': 'not-accepted' }, outcome: 'unreachable' },
    ],
    id: { pointer: '/id' },
    code: ['/error'],
  },
  receipt: {
    list: '/receipts',
    id: ['/id'],
    status: ['/status'],
    values: { DELIVERED: 'delivered', FAILED: 'failed', SENT: 'pending' },
    recipient: ['/to'],
  },
  verify: { by: 'header', header: 'x-token', key: 'callbackToken' },
}

export async function openHttpPeer(harness: Harness): Promise<CarrierPeer> {
  const received: ReceivedSubmission[] = []
  const sockets = new Set<Socket>()
  let behaviour: Behaviour = 'accept'
  let token = 'first'
  let frozen = false
  let hostile: ((response: ServerResponse) => void) | undefined

  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      if (frozen) return
      if (request.headers.authorization !== `Bearer ${token}`) return send(response, 401, { error: 'login' })
      const { to } = JSON.parse(Buffer.concat(chunks).toString()) as { readonly to: string }
      const id = `id-${received.length}`
      received.push({ id, to })
      if (hostile !== undefined) {
        const answer = hostile
        hostile = undefined
        return answer(response)
      }
      if (behaviour === 'hang-up') return void request.socket.destroy()
      if (behaviour === 'silent') return
      send(response, ...(answers[behaviour] ?? ([200, { id }] as const)))
    })
  })
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const closeAll = (): void => sockets.forEach((socket) => socket.destroy())
  const optionsWith = (secret: string): Readonly<Record<string, unknown>> => ({
    ...profile,
    values: { host: `127.0.0.1:${port}` },
    secrets: { token: secret, callbackToken: 'callback' },
    ...{ window: 5, connectTimeoutMs: 2_000, responseTimeoutMs: 2_000, throttleRetryMs: 10, reconnectMs: 20 },
    ...{ loginPauseMs: 100, stopTimeoutMs: 2_000, maxAnswerBytes: 4_096 },
  })

  return {
    options: optionsWith(token),
    received,
    behave(next) {
      behaviour = next
    },
    async sendReceipt({ id, to }, result) {
      const body = Buffer.from(JSON.stringify({ receipts: [{ id, to, status: words[result] }] }))
      const forged = await harness.inbound({ body, headers: { 'x-token': 'wrong' } })
      if (forged.status !== 401) throw new Error('a forged callback was accepted')
      return (await harness.inbound({ body, headers: { 'x-token': 'callback' } })).status === 200
    },
    async refuseConnections() {
      server.close()
      closeAll()
      await once(server, 'close')
    },
    freeze() {
      frozen = true
    },
    async resume() {
      frozen = false
      if (server.listening) return
      server.listen(port, '127.0.0.1')
      await once(server, 'listening')
    },
    rotate() {
      token = 'second'
      return optionsWith(token)
    },
    hostileAnswers: {
      'an id of 3,000 characters': () => {
        hostile = (response) => send(response, 200, { id: 'x'.repeat(3_000) })
      },
      'a body longer than allowed': () => {
        hostile = (response) => response.writeHead(200).end(`{"id":"${'x'.repeat(1_000_000)}"}`)
      },
      'a page of HTML': () => {
        hostile = (response) => response.writeHead(200).end('<html>')
      },
      'an error text of 3,000 characters': () => {
        hostile = (response) => send(response, 400, { error: 'e'.repeat(3_000) })
      },
      'half of a body': () => {
        hostile = (response) => {
          response.writeHead(200, { 'content-length': '100' }).write('{"id":')
          setImmediate(() => response.destroy())
        }
      },
      'no HTTP at all': () => {
        hostile = (response) => response.socket!.end('\0\0\0\x10 hello\r\n\r\n')
      },
      'a redirect': () => {
        hostile = (response) => response.writeHead(302, { location: `http://127.0.0.1:${port}/x` }).end()
      },
    },
    async close() {
      if (!server.listening) return
      server.close()
      closeAll()
      await once(server, 'close')
    },
  }
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
