import { createHmac } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { serviceAccount } from '../../support/carriers/rbm.ts'
import type { PeerBehaviour, CarrierPeer, PeerHarness, ReceivedSubmission } from './peer.ts'
import { PeerServer } from './peer-server.ts'

export interface RbmPeerRequest {
  readonly method: string
  readonly url: URL
  readonly headers: IncomingMessage['headers']
  readonly body: Buffer
}

export interface RbmPeer extends CarrierPeer {
  /** All requests with a valid token. */
  readonly requests: readonly RbmPeerRequest[]
  readonly tokenRequests: number
  /** Rejects all tokens issued so far with 401. */
  expireTokens(): void
  /** Sets the lifetime of new tokens. */
  setTokenLifetime(seconds: number): void
  /** Sets the response to the next request whose path contains `path`. */
  setNextResponse(path: string, status: number, body: object, headers?: Record<string, string>): void
}

const errors: Readonly<Partial<Record<PeerBehaviour, readonly [number, string]>>> = {
  throttle: [429, 'RESOURCE_EXHAUSTED'],
  refuse: [404, 'NOT_FOUND'],
  fail: [403, 'PERMISSION_DENIED'],
}
const eventTypes = {
  delivered: 'DELIVERED',
  failed: 'TTL_EXPIRATION_REVOKED',
  pending: 'TTL_EXPIRATION_REVOKE_FAILED',
}
const clientToken = 'client-token'

/** Opens an RBM server controlled by tests. It shares no code with the connector. */
export async function openRbmPeer(harness: PeerHarness): Promise<RbmPeer> {
  const received: ReceivedSubmission[] = []
  const requests: RbmPeerRequest[] = []
  const scripted: { path: string; status: number; body: object; headers: Record<string, string> }[] = []
  let tokens = new Set<string>()
  let tokenRequests = 0
  let lifetime = 3600
  let account = 'agent@acme.example'
  let behaviour: PeerBehaviour = 'accept'
  let hostile: ((response: ServerResponse) => void) | undefined

  const json = (response: ServerResponse, status: number, body: object, headers = {}): void => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
  }
  const error = (response: ServerResponse, code: number, status: string): void =>
    json(response, code, { error: { code, status, message: `${status} by the peer` } })

  function issueToken(body: string, response: ServerResponse): void {
    tokenRequests++
    const claims = (new URLSearchParams(body).get('assertion') ?? '').split('.')[1] ?? ''
    const { iss } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as { iss: string }
    if (iss !== account) return json(response, 400, { error: 'invalid_grant' })
    const token = `token-${tokenRequests}`
    tokens.add(token)
    json(response, 200, { access_token: token, expires_in: lifetime, token_type: 'Bearer' })
  }

  function send(to: string, url: URL, body: object, response: ServerResponse): void {
    const id = url.searchParams.get('messageId') ?? ''
    received.push({ id, to })
    if (hostile !== undefined) {
      const respond = hostile
      hostile = undefined
      return respond(response)
    }
    if (behaviour === 'silent') return
    if (behaviour === 'hang-up') return void response.socket?.destroy()
    const rejection = errors[behaviour]
    if (rejection !== undefined) return error(response, ...rejection)
    json(response, 200, { ...body, name: `phones/${to}/agentMessages/${id}` })
  }

  function handle(request: IncomingMessage, response: ServerResponse, body: Buffer): void {
    const url = new URL(request.url ?? '', 'http://peer')
    const next = scripted.findIndex(({ path }) => url.pathname.includes(path))
    const [script] = next === -1 ? [] : scripted.splice(next, 1)
    if (url.pathname === '/token') {
      if (script === undefined) return issueToken(body.toString(), response)
      tokenRequests++
      return json(response, script.status, script.body, script.headers)
    }
    if (!tokens.has((request.headers.authorization ?? '').replace(/^Bearer /, '')))
      return error(response, 401, 'UNAUTHENTICATED')
    requests.push({ method: request.method ?? '', url, headers: request.headers, body })
    if (script !== undefined) return json(response, script.status, script.body, script.headers)
    if (url.pathname.startsWith('/upload/')) return json(response, 200, { name: `files/f${requests.length}` })
    const to = url.pathname.split('/')[3] ?? ''
    if (url.pathname.endsWith('/capabilities'))
      return json(response, 200, { features: ['RICHCARD_STANDALONE'] })
    send(to, url, JSON.parse(body.toString()) as object, response)
  }

  const server = await PeerServer.open(handle)
  const { url } = server
  const keyFile = (): string => serviceAccount({ client_email: account, token_uri: `${url}/token` })
  const options = {
    url,
    agentId: 'acme_agent',
    clientToken,
    serviceAccount: keyFile(),
    window: 5,
    connectTimeoutMs: 2_000,
    responseTimeoutMs: 2_000,
    stopTimeoutMs: 2_000,
    throttleRetryMs: 10,
    reconnectMaxMs: 50,
    loginPauseMs: 50,
  }

  return {
    options,
    received,
    requests,
    get tokenRequests() {
      return tokenRequests
    },
    setBehaviour(next) {
      behaviour = next
    },
    expireTokens() {
      tokens = new Set()
    },
    setTokenLifetime(seconds) {
      lifetime = seconds
    },
    setNextResponse(path, status, body, headers = {}) {
      scripted.push({ path, status, body, headers })
    },
    async sendReceipt({ id, to }, result) {
      const event = { senderPhoneNumber: to, eventType: eventTypes[result], eventId: 'e1', messageId: id }
      const data = Buffer.from(JSON.stringify({ ...event, agentId: 'acme_agent' }))
      const { status } = await harness.inbound({
        headers: { 'x-goog-signature': createHmac('sha512', clientToken).update(data).digest('base64') },
        body: Buffer.from(JSON.stringify({ message: { data: data.toString('base64'), messageId: '1' } })),
      })
      return status === 200
    },
    refuseConnections: () => server.refuseConnections(),
    freeze: () => server.freeze(),
    resume: () => server.resume(),
    rotateCredentials() {
      account = 'another@acme.example'
      tokens = new Set()
      return { ...options, serviceAccount: keyFile() }
    },
    hostileResponses: {
      'a name of 10,000 characters': () => {
        hostile = (response) => json(response, 200, { name: 'x'.repeat(10_000) })
      },
      'the name of another message': () => {
        hostile = (response) =>
          json(response, 200, { name: 'phones/+1/agentMessages/00000000-0000-0000-0000-000000000000' })
      },
      'a page of HTML': () => {
        hostile = (response) => response.writeHead(502).end('<html>Bad Gateway</html>')
      },
      'a page that was not found': () => {
        hostile = (response) => response.writeHead(404).end('<html>')
      },
      'a message of 1 MB, and a status that is an object': () => {
        hostile = (response) => json(response, 400, { error: { status: {}, message: 'y'.repeat(1_000_000) } })
      },
      'a status of 10,000 characters': () => {
        hostile = (response) => json(response, 400, { error: { status: 'A'.repeat(10_000), message: 'y' } })
      },
      '10 MB': () => {
        hostile = (response) => response.writeHead(200).end(' '.repeat(10_000_000))
      },
      'nested arrays': () => {
        hostile = (response) => response.writeHead(200).end('['.repeat(100_000))
      },
      'half of a response': () => {
        hostile = (response) => {
          response.writeHead(200, { 'content-length': '100' }).write('{"name":')
          setImmediate(() => response.destroy())
        }
      },
    },
    close: () => server.refuseConnections(),
  }
}
