import type { IncomingMessage, ServerResponse } from 'node:http'
import type { PeerBehaviour, CarrierPeer, PeerHarness, ReceivedSubmission } from './peer.ts'
import { PeerServer } from './peer-server.ts'

const webhookToken = 'token-of-the-statuses'

interface Variant {
  readonly kind: 'maap' | 'maap-kt'
  readonly codes: Readonly<Partial<Record<PeerBehaviour, string>>>
  /** Status code of a failed message. */
  readonly failure: string
}

export const peerVariants: readonly Variant[] = [
  { kind: 'maap', codes: { throttle: '50201', refuse: '55818', fail: '50100' }, failure: '54002' },
  { kind: 'maap-kt', codes: { throttle: '72104', refuse: '72103', fail: '72100' }, failure: '75007' },
]

interface Message {
  readonly clientMsgId?: string
  readonly userContact?: string
  readonly common?: { readonly msgId: string; readonly userContact: string }
}

/**
 * Opens a MaaP host controlled by tests, as a carrier or as the relay of KT with its envelope. It shares no
 * code with the connector.
 */
export async function openMaapPeer(
  harness: PeerHarness,
  { kind, codes, failure }: Variant,
): Promise<CarrierPeer> {
  const isRelay = kind === 'maap-kt'
  const received: ReceivedSubmission[] = []
  let behaviour: PeerBehaviour = 'accept'
  let secret = 'secret08'
  let tokens = 0
  let hostile: ((response: ServerResponse) => void) | undefined

  function respond(response: ServerResponse, body: object, status = 200): void {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  }
  function respondError(response: ServerResponse, code: string): void {
    respond(response, { status: '400', error: { code, message: 'text' } }, 400)
  }
  function login(body: string, response: ServerResponse): void {
    const credentials = JSON.parse(body) as { readonly clientSecret?: string; readonly rcsSecret?: string }
    if ((isRelay ? credentials.rcsSecret : credentials.clientSecret) !== secret)
      return respondError(response, isRelay ? '70008' : '50008')
    const tokenInfo = { accessToken: `${secret}.${++tokens}`, expiresIn: '6000' }
    respond(response, { status: '200', data: { tokenInfo } })
  }
  function submit(request: IncomingMessage, body: string, response: ServerResponse): void {
    if (!request.headers.authorization?.startsWith(`Bearer ${secret}.`))
      return respondError(response, isRelay ? '70003' : '50003')
    const { clientMsgId = '', userContact = '', common } = JSON.parse(body) as Message
    received.push({ id: common?.msgId ?? clientMsgId, to: common?.userContact ?? userContact })
    if (hostile !== undefined) {
      hostile(response)
      hostile = undefined
      return
    }
    if (behaviour === 'hang-up') return void request.socket.destroy()
    if (behaviour === 'silent') return
    const code = codes[behaviour]
    if (code === undefined) respond(response, { status: '200', data: {} })
    else respondError(response, code)
  }

  const server = await PeerServer.open((request, response, octets) => {
    const body = octets.toString()
    if (request.url === '/base/token') login(body, response)
    else if (request.url === '/base/message') submit(request, body, response)
    else response.writeHead(404).end()
  })
  const url = `${server.url}/base`
  const optionsWith = (clientSecret: string): Readonly<Record<string, unknown>> => ({
    ...(isRelay
      ? { url, rcsId: 'client', rcsSecret: clientSecret }
      : { carriers: { kt: { url, clientId: 'client', clientSecret } }, agencyId: 'agency' }),
    agencyKey: 'AK.agency',
    webhookToken,
    window: 5,
    throttleRetryMs: 10,
    connectTimeoutMs: 2_000,
    responseTimeoutMs: 2_000,
    stopTimeoutMs: 2_000,
    reconnectMinMs: 10,
    reconnectMaxMs: 50,
    loginPauseMs: 50,
  })

  return {
    options: optionsWith(secret),
    setBehaviour(next) {
      behaviour = next
    },
    received,
    async sendReceipt({ id, to }, result) {
      const status = { delivered: 'success', failed: 'fail', pending: 'sent' }[result]
      const element = {
        [isRelay ? 'msgId' : 'clientMsgId']: id,
        userContact: to,
        mnoInfo: 'KT',
        status,
        ...(result === 'failed' ? { error: { code: failure, message: 'text' } } : {}),
        timestamp: '2026-11-15T13:04:27.123+09',
      }
      const body = Buffer.from(JSON.stringify([element]))
      const path = isRelay ? `/${webhookToken}` : `/${webhookToken}/KT`
      return (await harness.inbound({ path, body })).status === 200
    },
    refuseConnections: () => server.refuseConnections(),
    freeze: () => server.freeze(),
    resume: () => server.resume(),
    rotateCredentials() {
      secret = 'another8'
      return optionsWith(secret)
    },
    hostileResponses: {
      'a message of 100,000 characters': respondWith(
        JSON.stringify({ status: '400', error: { code: '55802', message: 'x'.repeat(100_000) } }),
      ),
      'a code of 100,000 digits': respondWith(
        JSON.stringify({ status: '400', error: { code: '5'.repeat(100_000) } }),
      ),
      'JSON without an end': respondWith('['.repeat(200_000)),
      'a code that is a property name of every object': respondWith(
        '{"status":"__proto__","error":{"code":"constructor"}}',
      ),
      'a page of HTML': () => {
        hostile = (response) => response.writeHead(502).end('<html>Bad Gateway')
      },
      'something that is not HTTP': () => {
        hostile = (response) => response.socket?.end('\0\0\0\x10\x80\0\0\x04')
      },
    },
    close: () => server.refuseConnections(),
  }

  function respondWith(body: string): () => void {
    return () => {
      hostile = (response) => response.writeHead(200, { 'content-type': 'application/json' }).end(body)
    }
  }
}
