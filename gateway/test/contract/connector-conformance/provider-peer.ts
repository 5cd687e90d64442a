/** HTTP provider controlled by tests. Importing this module registers the protocol `conformance`. */
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import {
  accepted,
  apiUrl,
  at,
  defineProvider,
  getHeader,
  isSameSecret,
  jsonRequest,
  listAt,
  secret,
  standardOutcome,
  textAt,
  type ProviderReceipt,
} from '../../../src/carriers/connectors/providers/kit/index.ts'
import { registerProvider } from '../../../src/carriers/connectors/registry.ts'
import type { PeerBehaviour, CarrierPeer, PeerHarness, ReceivedSubmission } from './peer.ts'

const rejections: Readonly<Partial<Record<PeerBehaviour, readonly [status: number, body: object]>>> = {
  throttle: [429, { error: 'slow down' }],
  refuse: [400, { error: 'bad-destination' }],
  fail: [503, { error: 'not-accepted' }],
}
const statuses = { delivered: 'DELIVERED', failed: 'FAILED', pending: 'SENT' } as const

const results: Readonly<Record<string, ProviderReceipt['result']>> = {
  DELIVERED: 'delivered',
  FAILED: 'failed',
  SENT: 'pending',
}

const provider = defineProvider({
  name: 'conformance',
  summary: 'A provider of the tests.',
  channels: ['sms', 'international'],
  sources: [],
  checked: '2026-11-18',
  account: {
    url: apiUrl('http://127.0.0.1:1'),
    token: secret('Token.'),
    callbackSecret: secret('Secret of callbacks.'),
  },
  example: {},
  login: ({ url }) => [url],
  authorize: (_request, { account }) => ({ authorization: `Bearer ${account.token}` }),
  send: ({ from, to, reference }, { account, number }) =>
    jsonRequest(at(account.url)`/messages`, { to: number(to, 'international'), from, reference }),
  parseResponse(response) {
    const id = textAt(response.json, 'id')
    if (response.isSuccess && id !== '') return accepted(id)
    const code = textAt(response.json, 'error')
    return code === 'not-accepted'
      ? { kind: 'unreachable', code, text: '' }
      : standardOutcome(response, { code })
  },
  callback: {
    verify: (request, { account }) => isSameSecret(getHeader(request, 'x-token'), account.callbackSecret),
    read: (body) => ({
      receipts: listAt(body, 'receipts').map((receipt) => ({
        id: textAt(receipt, 'id'),
        result: results[textAt(receipt, 'status')] ?? 'pending',
        code: textAt(receipt, 'status'),
        recipient: textAt(receipt, 'to'),
      })),
    }),
  },
})
registerProvider(provider)

export async function openProviderPeer(harness: PeerHarness): Promise<CarrierPeer> {
  const received: ReceivedSubmission[] = []
  const sockets = new Set<Socket>()
  let behaviour: PeerBehaviour = 'accept'
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
        const respond = hostile
        hostile = undefined
        return respond(response)
      }
      if (behaviour === 'hang-up') return void request.socket.destroy()
      if (behaviour === 'silent') return
      send(response, ...(rejections[behaviour] ?? ([200, { id }] as const)))
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
  const optionsWith = (currentToken: string): Readonly<Record<string, unknown>> => ({
    url: `http://127.0.0.1:${port}`,
    token: currentToken,
    callbackSecret: 'callback',
    window: 5,
    connectTimeoutMs: 2_000,
    responseTimeoutMs: 2_000,
    throttleRetryMs: 10,
    reconnectMs: 20,
    loginPauseMs: 100,
    stopTimeoutMs: 2_000,
    maxAnswerBytes: 4_096,
  })

  return {
    options: optionsWith(token),
    received,
    setBehaviour(next) {
      behaviour = next
    },
    async sendReceipt({ id, to }, result) {
      const body = Buffer.from(JSON.stringify({ receipts: [{ id, to, status: statuses[result] }] }))
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
    rotateCredentials() {
      token = 'second'
      return optionsWith(token)
    },
    hostileResponses: {
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
