/**
 * One POST over kept connections, with limits on time and on the answer. What fails is told apart by whether the request
 * can have reached the carrier: only a connection that was never established shows that it has not. Redirects are not
 * followed.
 */
import http from 'node:http'
import https from 'node:https'
import type { Mm7Options } from './options.ts'
import type { Mm7Request } from './submit-request.ts'

export type HttpExchange =
  | {
      readonly kind: 'answer'
      readonly status: number
      readonly contentType: string
      readonly body: Buffer
      readonly retryAfterMs: number | undefined
    }
  | { readonly kind: 'failed'; readonly sent: boolean; readonly code: string }

const maxAnswerBytes = 262_144
/**
 * Below the 5 s after which the usual servers with the shortest limit close an idle connection: a request over a
 * connection that the server just closed has an unknown outcome.
 */
const idleMs = 4_000

export class HttpClient {
  readonly #options: Mm7Options
  readonly #url: URL
  readonly #module: typeof http | typeof https
  readonly #agent: http.Agent
  readonly #open = new Set<(code: string) => void>()

  constructor(options: Mm7Options) {
    this.#options = options
    this.#url = new URL(options.url)
    const isSecure = this.#url.protocol === 'https:'
    this.#module = isSecure ? https : http
    const settings = { keepAlive: true, maxSockets: options.window, timeout: idleMs }
    this.#agent = isSecure ? new https.Agent({ ...settings, ...options.tls }) : new http.Agent(settings)
  }

  /** Never rejects. */
  post({ headers, body }: Mm7Request): Promise<HttpExchange> {
    const { connectTimeoutMs, responseTimeoutMs } = this.#options
    return new Promise((resolve) => {
      let sent = false
      const request = this.#module.request(this.#url, {
        method: 'POST',
        agent: this.#agent,
        headers: { ...headers, 'user-agent': 'Postern', 'content-length': body.length },
      })
      const finish = (exchange: HttpExchange): void => {
        clearTimeout(limit)
        this.#open.delete(fail)
        resolve(exchange)
      }
      const fail = (code: string): void => {
        finish({ kind: 'failed', sent, code })
        request.destroy()
      }
      this.#open.add(fail)
      let limit = setTimeout(fail, connectTimeoutMs, 'connect-timeout')
      const connected = (): void => {
        sent = true
        clearTimeout(limit)
        limit = setTimeout(fail, responseTimeoutMs, 'response-timeout')
      }
      request.on('socket', (socket) => {
        if (request.reusedSocket || !socket.connecting) connected()
        else socket.once(this.#module === https ? 'secureConnect' : 'connect', connected)
      })
      request.on('error', (error: NodeJS.ErrnoException) => fail(error.code ?? 'error'))
      request.on('response', (response) => {
        const chunks: Buffer[] = []
        let bytes = 0
        response.on('data', (chunk: Buffer) => {
          bytes += chunk.length
          if (bytes > maxAnswerBytes) fail('answer-too-long')
          else chunks.push(chunk)
        })
        response.on('error', () => fail('answer-cut-off'))
        response.on('close', () => {
          if (!response.complete) fail('answer-cut-off')
        })
        response.on('end', () =>
          finish({
            kind: 'answer',
            status: response.statusCode ?? 0,
            contentType: response.headers['content-type'] ?? '',
            body: Buffer.concat(chunks),
            retryAfterMs: readRetryAfter(response.headers['retry-after']),
          }),
        )
      })
      request.end(body)
    })
  }

  /** Ends open requests and closes all connections. */
  close(): void {
    for (const fail of this.#open) fail('stopped')
    this.#agent.destroy()
  }
}

/** Seconds only; a date would need the carrier's clock. */
function readRetryAfter(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,7}$/.test(text) ? Number(text) * 1_000 : undefined
}
