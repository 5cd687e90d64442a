/**
 * HTTP requests of connectors over kept connections, with limits on time, connections and the answer. A failure says
 * whether the carrier can have received the request: only a connection that was never established shows that it has not.
 * Redirects are not followed.
 */
import http, { type ClientRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import https from 'node:https'
import type { Socket } from 'node:net'
import { clock } from '../platform/clock.ts'
import { readRetryAfter } from '../platform/retry-after.ts'
import { maxRetryAfterMs } from './bounds.ts'
import { limitAge } from './connection-age.ts'
import type { SubmitOutcome } from './connector.ts'

export interface HttpClientOptions {
  /** To one origin. Further requests wait for a connection; what fails meanwhile is not sent. */
  readonly connections: number
  /** For TCP and TLS together. */
  readonly connectTimeoutMs: number
  /** From the call to the end of the answer. */
  readonly timeoutMs: number
  readonly maxAnswerBytes: number
  /** An older connection is closed after its answer, so that a changed address is found. 5 minutes unless given. */
  readonly maxConnectionAgeMs?: number
  /** PEM texts. */
  readonly tls?: { readonly ca?: string; readonly cert?: string; readonly key?: string }
}

export interface HttpRequest {
  readonly method: string
  readonly url: string | URL
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Buffer | null
  /** Instead of the client's. */
  readonly timeoutMs?: number
  /** Instead of the client's. */
  readonly maxAnswerBytes?: number
  readonly signal?: AbortSignal
}

export interface HttpAnswer {
  readonly kind: 'answer'
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** Cut at `maxAnswerBytes`: JSON or XML that is cut does not parse, and the status remains. */
  readonly body: Buffer
  readonly retryAfterMs: number | null
}

export interface HttpFailure {
  /** `not-sent`: certainly not received. `no-answer`: possibly received. */
  readonly kind: 'not-sent' | 'no-answer'
  /** Of this client (`timeout`, `connect-timeout`, `incomplete`, `aborted`, `stopped`) or of Node.js. */
  readonly code: string
}

export type HttpResult = HttpAnswer | HttpFailure

/**
 * An idle connection is closed after this time, below the 5 s of the usual servers with the shortest limit: a request
 * over a connection that the server just closed has an unknown outcome.
 */
const idleMs = 4_000
/** How long addresses of large services are valid in DNS; Google asks its clients to keep no connection for longer. */
const defaultConnectionAgeMs = 300_000
/**
 * Alerts of a server that does not accept the client's certificate. In TLS 1.3 they arrive after the client's side of the
 * handshake; the server has then read nothing of the request.
 */
const certificateAlert =
  /^ERR_SSL_\w*ALERT_(?:CERTIFICATE_\w+|BAD_CERTIFICATE|UNSUPPORTED_CERTIFICATE|UNKNOWN_CA)$/

/** Of every request to a carrier. */
export const userAgent = 'Postern/1'

export class HttpClient {
  readonly #options: HttpClientOptions
  readonly #plain: http.Agent
  readonly #secure: https.Agent
  readonly #open = new Map<Promise<HttpResult>, (code: string) => void>()
  #stopped = false

  constructor(options: HttpClientOptions) {
    this.#options = options
    const { connections, maxConnectionAgeMs = defaultConnectionAgeMs } = options
    const settings = {
      keepAlive: true,
      maxSockets: connections,
      maxFreeSockets: connections,
      timeout: idleMs,
    }
    this.#plain = new http.Agent(settings)
    this.#secure = new https.Agent({ ...settings, ...options.tls })
    for (const agent of [this.#plain, this.#secure]) limitAge(agent, maxConnectionAgeMs)
  }

  /** Never rejects. */
  send(given: HttpRequest): Promise<HttpResult> {
    if (this.#stopped) return Promise.resolve({ kind: 'not-sent', code: 'stopped' })
    if (given.signal?.aborted === true) return Promise.resolve({ kind: 'not-sent', code: 'aborted' })
    let request: ClientRequest
    try {
      request = this.#request(given)
    } catch (error) {
      return Promise.resolve({ kind: 'not-sent', code: codeOf(error as Error) })
    }
    let abort!: (code: string) => void
    const result = new Promise<HttpResult>((resolve) => {
      abort = this.#exchange(request, given, resolve)
    })
    this.#open.set(result, abort)
    return result.finally(() => this.#open.delete(result))
  }

  /** Ends open requests, which a connector has waited for. New ones are not sent. */
  stop(): void {
    this.#stopped = true
    for (const abort of this.#open.values()) abort('stopped')
    this.#plain.destroy()
    this.#secure.destroy()
  }

  /** Throws for an address, a method or headers that cannot be sent. */
  #request({ method, url, headers, body }: HttpRequest): ClientRequest {
    const address = new URL(url)
    const isSecure = address.protocol === 'https:'
    return (isSecure ? https : http).request(address, {
      method,
      agent: isSecure ? this.#secure : this.#plain,
      headers: {
        'user-agent': userAgent,
        ...headers,
        ...(body === undefined || body === null ? {} : { 'content-length': Buffer.byteLength(body) }),
      },
    })
  }

  /** Returns what ends it early. */
  #exchange(
    request: ClientRequest,
    { body, timeoutMs, maxAnswerBytes = this.#options.maxAnswerBytes, signal }: HttpRequest,
    resolve: (result: HttpResult) => void,
  ): (code: string) => void {
    const { connectTimeoutMs } = this.#options
    let sent = false
    let ended = false
    let connecting: NodeJS.Timeout | undefined
    const end = (result: HttpResult): void => {
      if (ended) return
      ended = true
      clearTimeout(limit)
      clearTimeout(connecting)
      signal?.removeEventListener('abort', aborted)
      if (!request.writableFinished) setImmediate(destroyUnread, request)
      resolve(result)
    }
    const fail = (code: string): void => {
      // After its end a request has given its connection to the next one.
      if (ended) return
      const received = sent && !(certificateAlert.test(code) && !request.reusedSocket)
      end({ kind: received ? 'no-answer' : 'not-sent', code })
      request.destroy()
    }
    const aborted = (): void => fail('aborted')
    const limit = setTimeout(fail, timeoutMs ?? this.#options.timeoutMs, 'timeout')
    signal?.addEventListener('abort', aborted, { once: true })
    request.on('socket', (socket) => {
      if (!isConnecting(socket)) {
        sent = true
        return
      }
      connecting = setTimeout(fail, connectTimeoutMs, 'connect-timeout')
      socket.once('encrypted' in socket ? 'secureConnect' : 'connect', () => {
        sent = true
        clearTimeout(connecting)
      })
    })
    let response: IncomingMessage | undefined
    request.on('response', (incoming) => {
      response = incoming
      readBody(incoming, maxAnswerBytes, end)
      incoming.on('close', () => fail('incomplete'))
    })
    request.on('error', (error) => fail(codeOf(error)))
    // A switch of protocols that nobody asked for ends the request without an error.
    request.on('close', () => {
      if (response === undefined) fail('incomplete')
    })
    request.end(body ?? undefined)
    return fail
  }
}

/**
 * Asked of the connection, because `reusedSocket` is not set for a request that waited in the pool and got a connection
 * that another one had just left.
 */
function isConnecting(socket: Socket): boolean {
  return socket.connecting || (socket as { readonly secureConnecting?: boolean }).secureConnecting === true
}

/**
 * The carrier has answered before it has read the body; it may never read it, and the connection would wait. Called after
 * the events of this turn: the end of a long body may be reported after the answer to it.
 */
function destroyUnread(request: ClientRequest): void {
  if (!request.writableFinished) request.destroy()
}

function readBody(response: IncomingMessage, maxBytes: number, end: (answer: HttpAnswer) => void): void {
  const chunks: Buffer[] = []
  let bytes = 0
  const answered = (): void =>
    end({
      kind: 'answer',
      status: response.statusCode ?? 0,
      headers: response.headers,
      body: Buffer.concat(chunks).subarray(0, maxBytes),
      retryAfterMs: readRetryAfter(response.headers['retry-after'], clock.now(), maxRetryAfterMs),
    })
  response.on('data', (chunk: Buffer) => {
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes <= maxBytes) return
    answered()
    response.destroy()
  })
  response.on('end', answered)
  // Its close follows, and fails the request.
  response.on('error', () => undefined)
}

/** The outcome of a submission whose request failed. */
export function outcomeOfFailure({ kind, code }: HttpFailure, prefix: string): SubmitOutcome {
  return kind === 'not-sent'
    ? { kind: 'unreachable', code: `${prefix}:${code}`, text: 'the carrier cannot be reached' }
    : { kind: 'unknown', code: `${prefix}:${code}`, text: 'the carrier did not answer' }
}

function codeOf(error: NodeJS.ErrnoException): string {
  const inner = error instanceof AggregateError ? (error.errors[0] as NodeJS.ErrnoException) : error
  return inner.code ?? inner.name
}
