/**
 * HTTP requests of connectors over kept connections, with limits on time, connections and the answer. A failure says
 * whether the carrier can have received the request: only a connection that was never established shows that it has not.
 * Redirects are not followed.
 */
import http, { type ClientRequest } from 'node:http'
import https from 'node:https'
import { isIP } from 'node:net'
import { CarrierAddresses } from './carrier-addresses.ts'
import { limitAge } from './connection-age.ts'
import type { SubmitOutcome } from './connector.ts'
import { codeOf, exchange, type HttpFailure, type HttpResult } from './http-exchange.ts'

export type { HttpAnswer, HttpFailure, HttpResult } from './http-exchange.ts'

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

/**
 * An idle connection is closed after this time, below the 5 s of the usual servers with the shortest limit: a request
 * over a connection that the server just closed has an unknown outcome.
 */
const idleMs = 4_000
/** How long addresses of large services are valid in DNS; Google asks its clients to keep no connection for longer. */
const defaultConnectionAgeMs = 300_000
/** Of every request to a carrier. */
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
      return Promise.resolve({ kind: 'not-sent', code: codeOf(error as Error) })
    }
    let abort!: (code: string) => void
    const result = new Promise<HttpResult>((resolve) => {
      abort = exchange(request, { ...this.#limits(given), body: given.body, signal: given.signal }, resolve)
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

  #limits(given: HttpRequest): Pick<HttpClientOptions, 'connectTimeoutMs' | 'timeoutMs' | 'maxAnswerBytes'> {
    const { connectTimeoutMs, timeoutMs, maxAnswerBytes } = this.#options
    return {
      connectTimeoutMs,
      timeoutMs: given.timeoutMs ?? timeoutMs,
      maxAnswerBytes: given.maxAnswerBytes ?? maxAnswerBytes,
    }
  }

  /** Throws for an address, a method or headers that cannot be sent. */
  #request({ method, url, headers, body }: HttpRequest): ClientRequest {
    const address = new URL(url)
    const isSecure = address.protocol === 'https:'
    const host = address.hostname.replace(/^\[|\]$/g, '')
    this.#addresses.requireAllowed(host)
    return (isSecure ? https : http).request(address, {
      method,
      agent: isSecure ? this.#secure : this.#plain,
      // Node.js would take it from a header of the name Host. An address is no name of a server in TLS.
      ...(isSecure ? { servername: isIP(host) === 0 ? host : '' } : {}),
      headers: {
        'user-agent': userAgent,
        ...headers,
        ...(body === undefined || body === null ? {} : { 'content-length': Buffer.byteLength(body) }),
      },
    })
  }
}

/** The outcome of a submission whose request failed. */
export function outcomeOfFailure({ kind, code }: HttpFailure, prefix: string): SubmitOutcome {
  return kind === 'not-sent'
    ? { kind: 'unreachable', code: `${prefix}:${code}`, text: 'the carrier cannot be reached' }
    : { kind: 'unknown', code: `${prefix}:${code}`, text: 'the carrier did not answer' }
}
