/**
 * HTTP server of the simulated carriers. Limits header size, body size, connections and request time. Can
 * pause, leave a request unanswered or drop its connection. Closes gracefully: requests in progress have a
 * second to be answered.
 */
import { createServer } from 'node:http'
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

export interface HttpRequest {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  /** Path and query as received; request signatures cover them. */
  readonly target: string
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

export interface HttpResponse {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body: string | Buffer
}

/**
 * `hang` leaves the request unanswered and the connection open; `disconnect` closes it without a response.
 */
export type HttpOutcome = HttpResponse | 'hang' | 'disconnect'
export type HttpHandler = (request: HttpRequest) => HttpOutcome | Promise<HttpOutcome>

export interface HttpServerOptions {
  readonly host: string
  readonly port: number
  readonly maxBodyBytes: number
  readonly handler: HttpHandler
}

export interface HttpCounters {
  requests: number
  /** Requests refused before the handler: too large, too slow or not HTTP. Some broken connections count as well. */
  malformed: number
  /** Requests that failed because of an error in the simulator. */
  errors: number
}

const MAX_HEADER_BYTES = 16_384
const MAX_CONNECTIONS = 10_000
const REQUEST_TIMEOUT_MS = 30_000
const CLOSE_GRACE_MS = 1000

export function json(status: number, body: unknown): HttpResponse {
  return {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8' },
    body: JSON.stringify(body),
  }
}

/** Reads the request body. Returns undefined if it exceeds `maxBytes`, without reading the rest. */
async function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer | undefined> {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) return undefined
  const chunks: Buffer[] = []
  let size = 0
  const isTooLarge = await new Promise<boolean>((resolve, reject) => {
    request.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size <= maxBytes) return void chunks.push(chunk)
      request.pause()
      resolve(true)
    })
    request.once('end', () => resolve(false))
    request.once('error', reject)
  })
  return isTooLarge ? undefined : Buffer.concat(chunks)
}

export class HttpServer {
  readonly counters: HttpCounters = { requests: 0, malformed: 0, errors: 0 }
  readonly #options: HttpServerOptions
  readonly #sockets = new Set<Socket>()
  readonly #hanging = new Set<Socket>()
  readonly #server
  #paused: Promise<void> | undefined
  #unpause: () => void = () => undefined
  #closing = false

  constructor(options: HttpServerOptions) {
    this.#options = options
    this.#server = createServer({ maxHeaderSize: MAX_HEADER_BYTES, requestTimeout: REQUEST_TIMEOUT_MS })
    this.#server.maxConnections = MAX_CONNECTIONS
    this.#server.on('connection', (socket) => this.#track(socket))
    this.#server.on('request', (request, response) => void this.#serve(request, response))
    this.#server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
      this.counters.malformed++
      const status =
        error.code === 'HPE_HEADER_OVERFLOW' ? '431 Request Header Fields Too Large' : '400 Bad Request'
      if (socket.writable) socket.end(`HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`)
      else socket.destroy()
    })
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  get paused(): boolean {
    return this.#paused !== undefined
  }

  listen(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject)
      this.#server.listen(this.#options.port, this.#options.host, () => {
        this.#server.off('error', reject)
        resolve()
      })
    })
  }

  resetCounters(): void {
    Object.assign(this.counters, { requests: 0, malformed: 0, errors: 0 })
  }

  /** Accepts requests but answers none of them until resume(). */
  pause(): void {
    this.#paused ??= new Promise((resolve) => (this.#unpause = resolve))
  }

  resume(): void {
    this.#paused = undefined
    this.#unpause()
  }

  /** Closes all connections, including those with a request in progress, and returns their number. */
  disconnect(): number {
    const { size } = this.#sockets
    for (const socket of this.#sockets) socket.destroy()
    return size
  }

  async close(): Promise<void> {
    this.#closing = true
    this.resume()
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()))
    for (const socket of this.#hanging) socket.destroy()
    this.#server.closeIdleConnections()
    const cut = setTimeout(() => this.#server.closeAllConnections(), CLOSE_GRACE_MS)
    await closed
    clearTimeout(cut)
  }

  #track(socket: Socket): void {
    this.#sockets.add(socket)
    socket.once('close', () => {
      this.#sockets.delete(socket)
      this.#hanging.delete(socket)
    })
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const body = await readBody(request, this.#options.maxBodyBytes)
      if (body === undefined) return this.#refuse(request, response)
      await this.#paused
      this.counters.requests++
      const url = URL.parse(request.url ?? '/', 'http://localhost')
      const answer: HttpOutcome =
        url === null
          ? json(400, { error: 'request target must be a URL' })
          : await this.#options.handler({
              method: request.method ?? 'GET',
              path: url.pathname,
              query: url.searchParams,
              target: request.url ?? '/',
              headers: request.headers,
              body,
            })
      this.#answer(request, response, answer)
    } catch (error) {
      // The client disconnected while sending its body.
      if (request.destroyed && !request.complete) return
      this.counters.errors++
      process.stderr.write(
        `simulator error: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
      )
      if (!response.headersSent)
        this.#answer(request, response, json(500, { error: 'internal simulator error' }))
    }
  }

  #answer(request: IncomingMessage, response: ServerResponse, answer: HttpOutcome): void {
    if (answer === 'disconnect' || (answer === 'hang' && this.#closing)) {
      request.socket.destroy()
    } else if (answer === 'hang') {
      this.#hanging.add(request.socket)
    } else {
      if (this.#closing) response.setHeader('connection', 'close')
      response.writeHead(answer.status, {
        ...answer.headers,
        'content-length': Buffer.byteLength(answer.body),
      })
      response.end(answer.body)
    }
  }

  #refuse(request: IncomingMessage, response: ServerResponse): void {
    this.counters.malformed++
    response.setHeader('connection', 'close')
    response.once('finish', () => request.socket.destroySoon())
    this.#answer(
      request,
      response,
      json(413, { error: `request body too large: at most ${this.#options.maxBodyBytes} bytes allowed` }),
    )
  }
}
