/**
 * One HTTP request with limits on time and size. What fails is distinguished by whether the request can have reached the
 * carrier: only a connection that was never established shows that it has not. Redirects are not followed.
 */
import http from 'node:http'
import https from 'node:https'
import { clock } from '../../platform/clock.ts'
import type { HttpAnswer } from './answer.ts'
import type { HttpRequest } from './request.ts'

export type Exchange =
  | ({ readonly kind: 'answer' } & HttpAnswer)
  /** `sent`: possibly read by the carrier. */
  | { readonly kind: 'failed'; readonly sent: boolean; readonly code: string }

export interface ClientOptions {
  readonly window: number
  readonly connectTimeoutMs: number
  readonly responseTimeoutMs: number
  readonly maxAnswerBytes: number
  readonly tls?: { readonly ca?: string; readonly cert?: string; readonly key?: string }
}

/**
 * An idle connection is closed after this time, below the 5 s of the shortest usual servers: a request over a connection
 * that the server just closed has an unknown outcome.
 */
const idleMs = 4_000
const maxRetryAfterMs = 3_600_000

export class HttpClient {
  readonly #options: ClientOptions
  readonly #plain: http.Agent
  readonly #secure: https.Agent
  readonly #open = new Set<(code: string) => void>()

  constructor(options: ClientOptions) {
    this.#options = options
    const agent = { keepAlive: true, maxSockets: options.window, timeout: idleMs }
    this.#plain = new http.Agent(agent)
    this.#secure = new https.Agent({ ...agent, ...options.tls })
  }

  /** Never rejects. */
  exchange({ method, url, headers, body }: HttpRequest): Promise<Exchange> {
    const { connectTimeoutMs, responseTimeoutMs, maxAnswerBytes } = this.#options
    return new Promise((resolve) => {
      let sent = false
      const isSecure = url.startsWith('https:')
      const request = (isSecure ? https : http).request(url, {
        method,
        headers: { ...headers, 'content-length': String(Buffer.byteLength(body ?? '')) },
        agent: isSecure ? this.#secure : this.#plain,
      })
      const finish = (result: Exchange): void => {
        clearTimeout(limit)
        clearTimeout(connecting)
        this.#open.delete(fail)
        resolve(result)
      }
      const fail = (code: string): void => {
        // After its end a request has lent its connection to the next one.
        if (!this.#open.has(fail)) return
        finish({ kind: 'failed', sent, code })
        request.destroy()
      }
      this.#open.add(fail)
      const limit = setTimeout(fail, responseTimeoutMs, 'timeout')
      let connecting: NodeJS.Timeout | undefined
      request.on('socket', (socket) => {
        if (request.reusedSocket || (!isSecure && !socket.connecting)) {
          sent = true
          return
        }
        connecting = setTimeout(fail, connectTimeoutMs, 'connect-timeout')
        socket.once(isSecure ? 'secureConnect' : 'connect', () => {
          sent = true
          clearTimeout(connecting)
        })
      })
      request.on('error', (error: NodeJS.ErrnoException) => fail(error.code ?? 'error'))
      request.on('response', (response) => {
        const chunks: Buffer[] = []
        let bytes = 0
        const answered = (): void =>
          finish({
            kind: 'answer',
            status: response.statusCode ?? 0,
            body: Buffer.concat(chunks).toString().slice(0, maxAnswerBytes),
            retryAfterMs: readRetryAfter(response.headers['retry-after']),
          })
        response.on('data', (chunk: Buffer) => {
          bytes += chunk.length
          chunks.push(chunk)
          if (bytes <= maxAnswerBytes) return
          // Cut: it is not JSON any more, and the rules on the status remain.
          answered()
          response.destroy()
        })
        response.on('end', answered)
        response.on('error', () => fail('incomplete'))
        response.on('close', () => fail('incomplete'))
      })
      request.end(body ?? undefined)
    })
  }

  /** Ends open requests and closes all connections. */
  close(): void {
    for (const fail of this.#open) fail('stopped')
    this.#plain.destroy()
    this.#secure.destroy()
  }
}

/** Seconds or a date. */
export function readRetryAfter(text: string | undefined): number | undefined {
  if (text === undefined || text.length > 40) return undefined
  const ms = /^\d+$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - clock.now()
  return Number.isFinite(ms) ? Math.min(Math.max(0, ms), maxRetryAfterMs) : undefined
}
