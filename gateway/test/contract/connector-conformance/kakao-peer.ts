import type { IncomingMessage, ServerResponse } from 'node:http'
import type { PeerBehaviour, CarrierPeer, ReceivedSubmission } from './peer.ts'
import { PeerServer } from './peer-server.ts'

interface Batch {
  readonly id: number
  readonly response: object
  readonly settle: (completed: boolean) => void
  polls: number
}

export interface KakaoPeer extends CarrierPeer {
  /** Bodies of send requests. */
  readonly sends: readonly Record<string, unknown>[]
  readonly uploads: readonly { readonly path: string; readonly body: string }[]
  readonly polls: number
  /** Sets the response to the next request whose path ends with `path`. A string body is sent unchanged. */
  setNextResponse(path: string, status: number, body: object | string): void
  /** Offers a batch. Resolves with false if it was polled again before it was completed. */
  offer(response: object): Promise<boolean>
}

const responses: Readonly<Partial<Record<PeerBehaviour, readonly [number, string]>>> = {
  accept: [200, '0000'],
  throttle: [429, '9998'],
  refuse: [200, '3016'],
  fail: [200, '9998'],
}
const codes = { delivered: '0000', failed: '3019', pending: '3005' } as const
const receivedAt = '2026-11-15 13:04:27'

/**
 * Opens a Kakao BizMessage server controlled by tests, for a route with this response method for alimtalk. It shares no
 * code with the gateway.
 */
export async function openKakaoPeer(method: 'realtime' | 'push' | 'polling'): Promise<KakaoPeer> {
  const received: ReceivedSubmission[] = []
  const sends: Record<string, unknown>[] = []
  const uploads: { path: string; body: string }[] = []
  const batches: Batch[] = []
  const scripted: { path: string; status: number; body: object | string }[] = []
  let polls = 0
  let lastBatch = 0
  let behaviour: PeerBehaviour = 'accept'
  let partnerKey = 'partner-key'
  let hostile: ((response: ServerResponse) => void) | undefined

  const json = (response: ServerResponse, status: number, body: object | string): void => {
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    response.writeHead(status, { 'content-type': 'application/json' }).end(text)
  }
  const reply = (response: ServerResponse, status: number, code: string): void =>
    json(response, status, { code, received_at: receivedAt, message: '' })

  function send(body: Record<string, unknown>, response: ServerResponse): void {
    sends.push(body)
    received.push({ id: String(body['serial_number']), to: String(body['phone_number']) })
    if (hostile !== undefined) {
      const respond = hostile
      hostile = undefined
      return respond(response)
    }
    if (behaviour === 'hang-up') return void response.socket?.destroy()
    const statusAndCode = responses[behaviour]
    if (statusAndCode !== undefined) reply(response, ...statusAndCode)
  }

  function poll(response: ServerResponse): void {
    polls++
    if (batches[0] !== undefined && batches[0].polls++ > 0) batches.shift()!.settle(false)
    const [batch] = batches
    const none = { success: [], fail: [] }
    json(response, 200, { code: '0000', response_id: batch?.id ?? 0, response: batch?.response ?? none })
  }

  function complete(id: number, response: ServerResponse): void {
    if (batches[0]?.id !== id) return reply(response, 200, '4000')
    batches.shift()!.settle(true)
    reply(response, 200, '0000')
  }

  function handle(request: IncomingMessage, response: ServerResponse, octets: Buffer): void {
    const [, version, key, ...rest] = (request.url ?? '').split('/')
    const path = rest.join('/')
    if (key !== partnerKey) return reply(response, 401, '1002')
    const next = scripted.findIndex((one) => path.endsWith(one.path))
    const [script] = next === -1 ? [] : scripted.splice(next, 1)
    if (path.startsWith('image/')) {
      uploads.push({ path: `${version}/${path}`, body: octets.toString('latin1') })
      const image = `https://mud-kage.kakao.com/dn/${uploads.length}/img.jpg`
      return script === undefined
        ? json(response, 200, { code: '0000', image })
        : json(response, script.status, script.body)
    }
    if (script !== undefined) return json(response, script.status, script.body)
    if (path === 'responseAll') return poll(response)
    const completed = /^response\/(\d+)\/complete$/.exec(path)?.[1]
    if (completed !== undefined) return complete(Number(completed), response)
    send(JSON.parse(octets.toString()) as Record<string, unknown>, response)
  }

  const server = await PeerServer.open(handle)
  const { url } = server
  const options = {
    url,
    uploadUrl: url,
    partnerKey,
    channelKey: 'channel',
    brandPath: 'brand/path',
    window: 5,
    results: { AT: method, AI: method },
    connectTimeoutMs: 2_000,
    responseTimeoutMs: 2_000,
    pollIntervalMs: 10,
    loginPauseMs: 50,
    throttleRetryMs: 10,
    stopTimeoutMs: 2_000,
  }

  const offer = (response: object): Promise<boolean> =>
    new Promise((settle) => batches.push({ id: ++lastBatch, response, settle, polls: 0 }))

  const hostileJson = (status: number, body: object) => (): void => {
    hostile = (response) => json(response, status, body)
  }
  const hostileText = (status: number, body: string) => (): void => {
    hostile = (response) => response.writeHead(status).end(body)
  }

  return {
    options,
    received,
    sends,
    uploads,
    offer,
    get polls() {
      return polls
    },
    setNextResponse(path, status, body) {
      scripted.push({ path, status, body })
    },
    setBehaviour(next) {
      behaviour = next
    },
    sendReceipt({ id }, result) {
      const code = codes[result]
      const entry = { serial_number: id, status: code, received_at: receivedAt }
      return offer(code === '0000' ? { success: [entry], fail: [] } : { success: [], fail: [entry] })
    },
    refuseConnections: () => server.refuseConnections(),
    freeze: () => server.freeze(),
    resume: () => server.resume(),
    rotateCredentials() {
      partnerKey = 'another-key'
      return { ...options, partnerKey }
    },
    hostileResponses: {
      'a code of 100,000 digits': hostileJson(200, {
        code: '1'.repeat(100_000),
        message: 'x'.repeat(100_000),
      }),
      'a code that is an object': hostileJson(200, { code: {}, message: [], received_at: 1 }),
      'a time out of range': hostileJson(200, { code: '0000', received_at: '9999-99-99 99:99:99' }),
      'a code that is a property name of every object': hostileJson(200, { code: 'constructor' }),
      'a page of HTML': hostileText(502, '<html>Bad Gateway</html>'),
      'nested arrays': hostileText(200, '['.repeat(100_000)),
      '10 MB': hostileText(200, ' '.repeat(10_000_000)),
      'half of a response': () => {
        hostile = (response) => {
          response.writeHead(200, { 'content-length': '100' }).write('{"code":')
          setImmediate(() => response.destroy())
        }
      },
    },
    close: () => server.refuseConnections(),
  }
}
