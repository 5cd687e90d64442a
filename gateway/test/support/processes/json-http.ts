/**
 * Sends JSON over HTTP/1.1 with keep-alive and a maximum number of connections; further requests are queued.
 * Never retries, because only the caller knows what a missing response means.
 */
import { Agent, request } from 'node:http'

export interface HttpResponse<Body> {
  readonly httpStatus: number
  readonly headers: NodeJS.Dict<string | string[]>
  readonly body: Body
}

/** Thrown if there was no complete response, or one that is not JSON. */
export class NoResponseError extends Error {
  override readonly name = 'NoResponseError'
  /** True if the connection was refused, so the server has not seen the request. */
  readonly unsent: boolean

  constructor(cause: NodeJS.ErrnoException) {
    super(cause.message, { cause })
    this.unsent = cause.code === 'ECONNREFUSED'
  }
}

export interface HttpRequest {
  readonly headers?: Readonly<Record<string, string>>
  /** Sent unchanged. */
  readonly body?: string
}

export class JsonHttp {
  readonly #base: URL
  readonly #agent: Agent
  readonly #timeoutMs: number

  constructor(baseUrl: string, options: { readonly connections: number; readonly timeoutMs?: number }) {
    this.#base = new URL(baseUrl)
    this.#agent = new Agent({ keepAlive: true, maxSockets: options.connections, scheduling: 'fifo' })
    this.#timeoutMs = options.timeoutMs ?? 15_000
  }

  send<Body>(method: string, path: string, options: HttpRequest = {}): Promise<HttpResponse<Body>> {
    const { promise, resolve, reject } = Promise.withResolvers<HttpResponse<Body>>()
    const outgoing = request({
      agent: this.#agent,
      host: this.#base.hostname,
      port: this.#base.port,
      method,
      path,
      headers: {
        accept: 'application/json',
        ...(options.body === undefined ? {} : { 'content-length': Buffer.byteLength(options.body) }),
        ...options.headers,
      },
    })
    const timer = setTimeout(() => outgoing.destroy(new Error('response timed out')), this.#timeoutMs)
    const fail = (error: NodeJS.ErrnoException): void => {
      clearTimeout(timer)
      reject(new NoResponseError(error))
    }
    outgoing.on('error', fail)
    outgoing.on('response', (incoming) => {
      let text = ''
      incoming.setEncoding('utf8')
      incoming.on('data', (chunk: string) => (text += chunk))
      incoming.on('error', fail)
      incoming.on('end', () => {
        clearTimeout(timer)
        try {
          const body = JSON.parse(text) as Body
          resolve({ httpStatus: incoming.statusCode ?? 0, headers: incoming.headers, body })
        } catch {
          reject(new NoResponseError(new Error(`not JSON: ${method} ${path} answered ${text.slice(0, 200)}`)))
        }
      })
    })
    outgoing.end(options.body)
    return promise
  }

  close(): void {
    this.#agent.destroy()
  }
}
