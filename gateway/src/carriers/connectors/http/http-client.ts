/**
 * Sends HTTP requests of connectors over persistent connections, with limits on time, connections and response size. A
 * failure states whether the carrier can have received the request: it certainly has not if no connection was established or
 * if its server refused our certificate. Does not follow redirects.
 */
import http, { type ClientRequest } from 'node:http'
import https from 'node:https'
import { isIP } from 'node:net'
import { CarrierAddresses } from '../options/carrier-addresses.ts'
import type { SubmitOutcome } from '../connector.ts'
import { getErrorCode, exchange, type HttpFailure, type HttpResult } from './http-exchange.ts'

export type { HttpResponse, HttpFailure, HttpResult } from './http-exchange.ts'

export interface HttpClientOptions {
  /** Maximum connections per origin. Further requests wait for a connection; those that fail while waiting are not sent. */
  readonly connections: number
  /** Includes TCP and TLS. */
  readonly connectTimeoutMs: number
  /** Time limit from the call to the end of the response. */
  readonly timeoutMs: number
  readonly maxAnswerBytes: number
  /**
   * A connection is closed after a response that ends this long after its first one, so that a changed DNS address is used.
   * Defaults to 5 minutes.
   */
  readonly maxConnectionAgeMs?: number
  /** PEM strings. */
  readonly tls?: { readonly ca?: string; readonly cert?: string; readonly key?: string }
}

export interface HttpRequest {
  readonly method: string
  readonly url: string | URL
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Buffer | null
  /** Overrides the client's. */
  readonly timeoutMs?: number
  /** Overrides the client's. */
  readonly maxAnswerBytes?: number
  readonly signal?: AbortSignal
}

/**
 * Idle connections are closed after this time, below the 5 s of common servers with the shortest limit: a request over a
 * connection that the server has just closed has an unknown outcome.
 */
const idleMs = 4_000
/** The usual DNS lifetime of addresses of large services; Google requires clients to reconnect at least this often. */
const defaultConnectionAgeMs = 300_000
/** The User-Agent of every request to a carrier. */
export const userAgent = 'Postern/1'

export class HttpClient {
  readonly #options: HttpClientOptions
  readonly #plain: http.Agent
  readonly #secure: https.Agent
  readonly #addresses = new CarrierAddresses()
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
      lookup: this.#addresses.lookup,
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
      return Promise.resolve({ kind: 'not-sent', code: getErrorCode(error as Error) })
    }
    let abort!: (code: string) => void
    const result = new Promise<HttpResult>((resolve) => {
      abort = exchange(request, { ...this.#limits(given), body: given.body, signal: given.signal }, resolve)
    })
    this.#open.set(result, abort)
    return result.finally(() => this.#open.delete(result))
  }

  /** Aborts open requests and refuses new ones. Connectors wait for their requests before they call `stop`. */
  stop(): void {
    this.#stopped = true
    for (const abort of this.#open.values()) abort('stopped')
    this.#plain.destroy()
    this.#secure.destroy()
  }

  #limits(given: HttpRequest): Pick<HttpClientOptions, 'connectTimeoutMs' | 'timeoutMs' | 'maxAnswerBytes'> {
    const { connectTimeoutMs, timeoutMs, maxAnswerBytes } = this.#options
    return {
      connectTimeoutMs,
      timeoutMs: given.timeoutMs ?? timeoutMs,
      maxAnswerBytes: given.maxAnswerBytes ?? maxAnswerBytes,
    }
  }

  /** Throws if the URL, the method or a header is invalid. */
  #request({ method, url, headers, body }: HttpRequest): ClientRequest {
    const target = new URL(url)
    const isSecure = target.protocol === 'https:'
    const host = target.hostname.replace(/^\[|\]$/g, '')
    this.#addresses.requireAllowed(host)
    return (isSecure ? https : http).request(target, {
      method,
      agent: isSecure ? this.#secure : this.#plain,
      // Node.js would use the Host header. An IP address is not a valid TLS server name.
      ...(isSecure ? { servername: isIP(host) === 0 ? host : '' } : {}),
      headers: {
        'user-agent': userAgent,
        ...headers,
        ...(body === undefined || body === null ? {} : { 'content-length': Buffer.byteLength(body) }),
      },
    })
  }
}

/** Returns the outcome of a submission whose request failed. */
export function toFailureOutcome({ kind, code }: HttpFailure, prefix: string): SubmitOutcome {
  return kind === 'not-sent'
    ? { kind: 'unreachable', code: `${prefix}:${code}`, text: 'the carrier did not receive the request' }
    : { kind: 'unknown', code: `${prefix}:${code}`, text: 'no complete response from the carrier' }
}

/**
 * Closes pooled connections that are too old, so that a changed DNS address is used. Runs when a connection becomes idle: the
 * agent closes a socket for which `keepSocketAlive` returns false.
 */
function limitAge(agent: http.Agent, maxAgeMs: number): void {
  const firstKept = new WeakMap<object, number>()
  const keep = agent.keepSocketAlive.bind(agent) as (socket: object) => unknown
  agent.keepSocketAlive = (socket: object): unknown => {
    const now = performance.now()
    const since = firstKept.get(socket)
    if (since === undefined) firstKept.set(socket, now)
    return now - (since ?? now) < maxAgeMs && keep(socket)
  }
}
