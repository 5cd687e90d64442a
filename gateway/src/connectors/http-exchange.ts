/**
 * One HTTP request from its connection to the end of its answer, with limits on time and on the answer. Decides whether a
 * request that failed can have been received. Called by the HTTP client.
 */
import type { ClientRequest, IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { clock } from '../platform/clock.ts'
import { readRetryAfter } from '../platform/retry-after.ts'
import { maxRetryAfterMs } from './bounds.ts'

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

export interface ExchangeOptions {
  readonly body?: string | Buffer | null | undefined
  readonly connectTimeoutMs: number
  readonly timeoutMs: number
  readonly maxAnswerBytes: number
  readonly signal?: AbortSignal | undefined
}

/**
 * Alerts of a server that does not accept the client's certificate. In TLS 1.3 they arrive after the client's side of the
 * handshake; the server has then read nothing of the request.
 */
const certificateAlert =
  /^ERR_SSL_\w*ALERT_(?:CERTIFICATE_\w+|BAD_CERTIFICATE|UNSUPPORTED_CERTIFICATE|UNKNOWN_CA)$/

/** Resolves once, with the answer or with the failure. Returns what ends it early. */
export function exchange(
  request: ClientRequest,
  { body, connectTimeoutMs, timeoutMs, maxAnswerBytes, signal }: ExchangeOptions,
  resolve: (result: HttpResult) => void,
): (code: string) => void {
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
  const limit = setTimeout(fail, timeoutMs, 'timeout')
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

export function codeOf(error: NodeJS.ErrnoException): string {
  const inner = error instanceof AggregateError ? (error.errors[0] as NodeJS.ErrnoException) : error
  return inner.code ?? inner.name
}
