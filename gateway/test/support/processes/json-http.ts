/**
 * JSON over HTTP/1.1 with keep-alive and a maximum number of connections; further requests are queued. Never repeats a
 * request: only the caller can decide what a missing answer means.
 */
import { Agent, request } from 'node:http'

export interface HttpAnswer<Body> {
  readonly httpStatus: number
  readonly headers: NodeJS.Dict<string | string[]>
  readonly body: Body
}

/** There was no complete answer. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer'
  /** True when the connection was refused, so the server has not seen the request. */
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

  send<Body>(method: string, path: string, options: HttpRequest = {}): Promise<HttpAnswer<Body>> {
    const { promise, resolve, reject } = Promise.withResolvers<HttpAnswer<Body>>()
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
    const timer = setTimeout(() => outgoing.destroy(new Error('no answer in time')), this.#timeoutMs)
    const fail = (error: NodeJS.ErrnoException): void => {
      clearTimeout(timer)
      reject(new NoAnswer(error))
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
          reject(new NoAnswer(new Error(`not JSON: ${method} ${path} answered ${text.slice(0, 200)}`)))
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
