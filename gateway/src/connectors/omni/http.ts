/**
 * HTTP requests over kept connections, with a time limit and a bounded answer; redirects are not followed. The result
 * says whether the request can have left this process, which decides whether a submission may be repeated.
 */
import http from 'node:http'
import https from 'node:https'
import type { TLSSocket } from 'node:tls'

export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** After the base URL. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | Buffer
  readonly timeoutMs: number
  readonly signal?: AbortSignal
}

export type HttpResult =
  | {
      readonly kind: 'answer'
      readonly status: number
      readonly retryAfter: string | undefined
      readonly body: string
    }
  /** Certainly not received by the service. */
  | { readonly kind: 'not-sent'; readonly code: string }
  | { readonly kind: 'no-answer'; readonly code: string }

/** A batch of 1,000 reports with a ref of 200 characters each has less than 1 MB. */
const maxAnswerBytes = 8 * 1024 * 1024
/**
 * Shorter than the usual 5 s after which servers close an idle connection: a request on a connection that is being
 * closed has an unknown outcome.
 */
const idleMs = 4_000

export class HttpClient {
  readonly #base: URL
  readonly #agent: http.Agent
  readonly #secure: boolean

  constructor(baseUrl: string, connections: number, ca: string | undefined) {
    this.#base = new URL(baseUrl)
    this.#secure = this.#base.protocol === 'https:'
    const settings = {
      keepAlive: true,
      maxSockets: connections,
      maxFreeSockets: connections,
      timeout: idleMs,
    }
    this.#agent = this.#secure
      ? new https.Agent({ ...settings, ...(ca === undefined ? {} : { ca }) })
      : new http.Agent(settings)
  }

  /** Never rejects. */
  send({ method, path, headers, body, timeoutMs, signal }: HttpRequest): Promise<HttpResult> {
    return new Promise((resolve) => {
      let sent = false
      const request = (this.#secure ? https : http).request(this.#base, {
        method,
        path: this.#base.pathname.replace(/\/+$/, '') + path,
        agent: this.#agent,
        headers: {
          accept: 'application/json',
          'user-agent': 'Postern/1',
          ...headers,
          ...(body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }),
        },
      })
      const settle = (result: HttpResult): void => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', abort)
        resolve(result)
      }
      const fail = (code: string): void => {
        settle({ kind: sent ? 'no-answer' : 'not-sent', code })
        request.destroy()
      }
      const abort = (): void => fail('aborted')
      const timer = setTimeout(() => fail('timeout'), timeoutMs)
      if (signal?.aborted === true) return abort()
      signal?.addEventListener('abort', abort, { once: true })

      request.on('socket', (socket) => {
        const connecting = socket.connecting || (socket as Partial<TLSSocket>).authorized === false
        if (!connecting) sent = true
        else socket.once(this.#secure ? 'secureConnect' : 'connect', () => (sent = true))
      })
      request.on('error', (error) => fail(codeOf(error)))
      request.on('response', (response) => {
        const chunks: Buffer[] = []
        let bytes = 0
        response.on('data', (chunk: Buffer) => {
          bytes += chunk.length
          if (bytes > maxAnswerBytes) fail('answer-too-large')
          else chunks.push(chunk)
        })
        response.on('error', (error) => fail(codeOf(error)))
        response.on('aborted', () => fail('answer-cut-off'))
        response.on('end', () =>
          settle({
            kind: 'answer',
            status: response.statusCode ?? 0,
            retryAfter: response.headers['retry-after'],
            body: Buffer.concat(chunks).toString(),
          }),
        )
      })
      request.end(body)
    })
  }

  /** Open requests end without an answer. */
  close(): void {
    this.#agent.destroy()
  }
}

function codeOf(error: NodeJS.ErrnoException): string {
  const inner = error instanceof AggregateError ? (error.errors[0] as NodeJS.ErrnoException) : error
  return inner.code ?? inner.name
}
