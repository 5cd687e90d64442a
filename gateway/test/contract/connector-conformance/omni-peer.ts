import type { IncomingMessage, ServerResponse } from 'node:http'
import type { PeerBehaviour, CarrierPeer, ReceivedSubmission } from './peer.ts'
import { PeerServer } from './peer-server.ts'

export interface OmniPeerRequest {
  readonly method: string
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: Record<string, unknown>
}

export interface OmniPeer extends CarrierPeer {
  readonly url: string
  /** All requests with a valid token, except reads of results. */
  readonly requests: readonly OmniPeerRequest[]
  readonly tokenRequests: number
  /** Rejects all tokens issued so far with A001. */
  expireTokens(): void
  /** Sets the response to the next request whose path starts with `path`. */
  setNextResponse(path: string, status: number, body: object, headers?: Record<string, string>): void
  /** Offers a batch. Resolves with false if it was read again before it was acknowledged. */
  offer(reports: readonly unknown[]): Promise<boolean>
}

interface OfferedBatch {
  readonly id: string
  readonly reports: readonly unknown[]
  readonly settle: (acknowledged: boolean) => void
  reads: number
}

const codes = { delivered: '10000', failed: '23001', pending: '' } as const
const rejections: Readonly<
  Partial<Record<PeerBehaviour, readonly [number, object, Record<string, string>?]>>
> = {
  throttle: [429, { code: 'A020', result: 'Rate limit exceeded' }],
  refuse: [400, { code: 'A327', result: 'Sender not registered' }],
  fail: [503, { code: 'A920', result: 'Service busy' }, { 'message-accepted': 'no' }],
}

/** Opens a service with the API of the gateway, controlled by tests. It shares no code with the gateway. */
export async function openOmniPeer(): Promise<OmniPeer> {
  const received: ReceivedSubmission[] = []
  const refs = new Map<string, string>()
  /** Requests that were not rejected, by idempotency key. */
  const keys = new Map<string, { id: string; to: string; path: string; body: string }>()
  const requests: OmniPeerRequest[] = []
  const batches: OfferedBatch[] = []
  const scripted: { path: string; status: number; body: object; headers: Record<string, string> }[] = []
  let tokens = new Set<string>()
  let tokenRequests = 0
  let behaviour: PeerBehaviour = 'accept'
  let password = 'secret08'
  let hostile: ((response: ServerResponse) => void) | undefined

  const json = (response: ServerResponse, status: number, body: object, headers = {}): void => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
  }
  const success = { code: 'A000', result: 'Success' }

  /** Responds to a request with a used key; returns false if the key is unused. Rejected requests use no key. */
  function respondToRepeat(key: string, body: Record<string, unknown>, response: ServerResponse): boolean {
    const known = keys.get(key)
    if (known === undefined) return false
    if (known.body !== JSON.stringify(body)) json(response, 400, { code: 'A021', result: 'key used before' })
    else respondAccepted(known.path, known.to, known.id, String(body.ref), response)
    return true
  }

  function respondAccepted(
    path: string,
    to: string,
    id: string,
    ref: string,
    response: ServerResponse,
  ): void {
    if (path !== '/v1/send/omni') return json(response, 200, { ...success, msgKey: id, ref })
    json(response, 200, { ...success, ref, data: { destinations: [{ to, msgKey: id, ...success }] } })
  }

  function send(path: string, body: Record<string, unknown>, response: ServerResponse, key?: string): void {
    if (key !== undefined && respondToRepeat(key, body, response)) return
    const [destination] = (body.destinations ?? []) as { to: string }[]
    const to = destination?.to ?? String(body.to)
    const ref = String(body.ref)
    const id = `20261115000000000PEERSM${String(received.length).padStart(9, '0')}`
    received.push({ id, to })
    refs.set(id, ref)
    if (key !== undefined && rejections[behaviour] === undefined)
      keys.set(key, { id, to, path, body: JSON.stringify(body) })
    if (hostile !== undefined) {
      const respond = hostile
      hostile = undefined
      return respond(response)
    }
    if (behaviour === 'silent') return
    if (behaviour === 'hang-up') return void response.socket?.destroy()
    const rejection = rejections[behaviour]
    if (rejection !== undefined) return json(response, ...rejection)
    respondAccepted(path, to, id, ref, response)
  }

  function readResults(path: string, response: ServerResponse): void {
    const [batch] = batches
    if (batch !== undefined && batch.reads++ > 0) {
      batches.shift()
      batch.settle(false)
    }
    const current = batches[0]
    if (current !== batch && current !== undefined) current.reads++
    const report = current?.reports ?? []
    const data = path.startsWith('/v1/report/polling')
      ? { reportId: current?.id ?? '', report }
      : { cursor: current?.id ?? 'start', report }
    json(response, 200, { ...success, data })
  }

  function acknowledge(id: string, response: ServerResponse): void {
    const [batch] = batches
    if (batch?.id !== id) return json(response, 400, { code: 'A805', result: 'Invalid Report ID(Pull API)' })
    batches.shift()
    batch.settle(true)
    json(response, 200, success)
  }

  function handle(request: IncomingMessage, response: ServerResponse, octets: Buffer): void {
    const path = request.url ?? ''
    const method = request.method ?? ''
    const next = scripted.findIndex((one) => path.startsWith(one.path))
    // A request with an invalid token uses no script.
    const takeScript = (): (typeof scripted)[number] | undefined =>
      next === -1 ? undefined : scripted.splice(next, 1)[0]
    if (path === '/v1/auth/token') {
      tokenRequests++
      const script = takeScript()
      if (script !== undefined) return json(response, script.status, script.body, script.headers)
      if (request.headers['x-svc-client-passwd'] !== password)
        return json(response, 401, { code: 'A100', result: 'Invalid authentication information' })
      const token = `token-${tokenRequests}`
      tokens.add(token)
      return json(response, 200, { ...success, data: { schema: 'Bearer', token, expired: '' } })
    }
    if (!tokens.has((request.headers.authorization ?? '').replace(/^Bearer /, '')))
      return json(response, 401, { code: 'A001', result: 'Expired token' })
    const script = takeScript()
    const text = octets.toString('latin1')
    const isJson = request.headers['content-type'] === 'application/json'
    const body = isJson ? (JSON.parse(octets.toString()) as Record<string, unknown>) : { raw: text }
    if (method !== 'GET') requests.push({ method, path, headers: request.headers, body })
    if (script !== undefined) return json(response, script.status, script.body, script.headers)
    if (method === 'GET') return readResults(path, response)
    if (path.startsWith('/v1/report/polling/')) return acknowledge(path.split('/')[4]!, response)
    if (path.startsWith('/v1/report/stream/')) return acknowledge(String(body.cursor), response)
    if (path.startsWith('/v1/file/')) {
      const key = `FILE${requests.length}`
      const references = { fileKey: key, media: `maapfile://${key}`, imgUrl: `https://peer.example/${key}` }
      return json(response, 200, { ...success, data: { ...references, expired: '2099-01-01 00:00:00' } })
    }
    send(path, body, response, request.headers['idempotency-key'] as string | undefined)
  }

  const server = await PeerServer.open(handle)
  const options = {
    url: server.url,
    clientId: 'acme',
    password,
    window: 5,
    responseTimeoutMs: 2_000,
    pollIntervalMs: 10,
    reconnectMinMs: 10,
    reconnectMaxMs: 50,
    loginPauseMs: 50,
    throttleRetryMs: 10,
    stopTimeoutMs: 2_000,
  }

  function offer(reports: readonly unknown[]): Promise<boolean> {
    return new Promise((settle) => batches.push({ id: `B${Math.random()}`, reports, settle, reads: 0 }))
  }

  return {
    options,
    received,
    requests,
    url: options.url,
    offer,
    get tokenRequests() {
      return tokenRequests
    },
    setBehaviour(next) {
      behaviour = next
    },
    expireTokens() {
      tokens = new Set()
    },
    setNextResponse(path, status, body, headers = {}) {
      scripted.push({ path, status, body, headers })
    },
    sendReceipt: ({ id }, result) => offer([createPeerReport(id, refs.get(id) ?? '', codes[result])]),
    refuseConnections: () => server.refuseConnections(),
    freeze: () => server.freeze(),
    resume: () => server.resume(),
    rotateCredentials() {
      password = 'another8'
      tokens = new Set()
      return { ...options, password }
    },
    hostileResponses: {
      'a msgKey of 10,000 characters': () => {
        hostile = (response) => json(response, 200, { ...success, msgKey: 'x'.repeat(10_000) })
      },
      'a page of HTML': () => {
        hostile = (response) => response.writeHead(502).end('<html>Bad Gateway</html>')
      },
      'a page that was not found': () => {
        hostile = (response) => response.writeHead(404).end('<html>')
      },
      'a result of 1 MB, and a code that is an object': () => {
        hostile = (response) => json(response, 400, { code: {}, result: 'y'.repeat(1_000_000) })
      },
      '10 MB': () => {
        hostile = (response) => response.writeHead(200).end(' '.repeat(10_000_000))
      },
      'nested arrays': () => {
        hostile = (response) => response.writeHead(200).end('['.repeat(100_000))
      },
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

export function createPeerReport(msgKey: string, ref: string, reportCode: string): object {
  const times = { sendTime: '2026-11-15T12:00:00+09:00', reportTime: '2026-11-15T12:00:01+09:00' }
  const kind = { serviceType: 'SMS', msgType: 'SM', reportType: '0', reportText: '', carrier: '10001' }
  return { msgKey, ref, reportCode, ...times, ...kind }
}
