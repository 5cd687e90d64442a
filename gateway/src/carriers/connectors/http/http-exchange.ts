/**
 * One HTTP request from its connection to the end of its response, with limits on time and response size. Determines
 * whether a failed request can have been received.
 */
import type { ClientRequest, IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { clock } from '../../../platform/time/clock.ts'
import { parseRetryAfter } from '../../../platform/time/retry-after.ts'
import { maxRetryAfterMs } from '../options/bounds.ts'

export interface HttpResponse {
  readonly kind: 'answer'
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** Truncated at `maxAnswerBytes`. Truncated JSON or XML does not parse, but the status stays valid. */
  readonly body: Buffer
  readonly retryAfterMs: number | null
}

export interface HttpFailure {
  /** `not-sent`: certainly not received. `no-answer`: possibly received. */
  readonly kind: 'not-sent' | 'no-answer'
  /**
   * A code of this client (`timeout`, `connect-timeout`, `incomplete`, `aborted`, `stopped`, `refused-address`) or of Node.js.
   */
  readonly code: string
}

export type HttpResult = HttpResponse | HttpFailure

export interface ExchangeOptions {
  readonly body?: string | Buffer | null | undefined
  readonly connectTimeoutMs: number
  readonly timeoutMs: number
  readonly maxAnswerBytes: number
  readonly signal?: AbortSignal | undefined
}

/**
 * TLS alerts of a server that rejects the client certificate. In TLS 1.3 they arrive after the client has finished the
 * handshake; the server has not read any of the request.
 */
const certificateAlert =
  /^ERR_SSL_\w*ALERT_(?:CERTIFICATE_\w+|BAD_CERTIFICATE|UNSUPPORTED_CERTIFICATE|UNKNOWN_CA)$/

/** Calls `resolve` once, with the response or the failure. Returns a function that aborts the request with a code. */
export function exchange(
  request: ClientRequest,
  { body, connectTimeoutMs, timeoutMs, maxAnswerBytes, signal }: ExchangeOptions,
  resolve: (result: HttpResult) => void,
): (code: string) => void {
  let connected = false
  let ended = false
  let connecting: NodeJS.Timeout | undefined
  const end = (result: HttpResult): void => {
    if (ended) return
    ended = true
    clearTimeout(limit)
    clearTimeout(connecting)
    signal?.removeEventListener('abort', onAbort)
    if (!request.writableFinished) setImmediate(destroyUnread, request)
    resolve(result)
  }
  const fail = (code: string): void => {
    // A finished request must not be destroyed: it has returned its connection to the pool, for the next request.
    if (ended) return
    const mayBeReceived = connected && !(certificateAlert.test(code) && !request.reusedSocket)
    end({ kind: mayBeReceived ? 'no-answer' : 'not-sent', code })
    request.destroy()
  }
  const onAbort = (): void => fail('aborted')
  const limit = setTimeout(fail, timeoutMs, 'timeout')
  signal?.addEventListener('abort', onAbort, { once: true })
  request.on('socket', (socket) => {
    if (!isConnecting(socket)) {
      connected = true
      return
    }
    connecting = setTimeout(fail, connectTimeoutMs, 'connect-timeout')
    socket.once('encrypted' in socket ? 'secureConnect' : 'connect', () => {
      connected = true
      clearTimeout(connecting)
    })
  })
  let response: IncomingMessage | undefined
  request.on('response', (incoming) => {
    response = incoming
    readBody(incoming, maxAnswerBytes, end)
    incoming.on('close', () => fail('incomplete'))
  })
  request.on('error', (error) => fail(getErrorCode(error)))
  // An unsolicited protocol upgrade ends the request without an error.
  request.on('close', () => {
    if (response === undefined) fail('incomplete')
  })
  request.end(body ?? undefined)
  return fail
}

/**
 * Inspects the socket, because `reusedSocket` is not set for a request that waited in the pool and got a connection that
 * another request had just released.
 */
function isConnecting(socket: Socket): boolean {
  return socket.connecting || (socket as { readonly secureConnecting?: boolean }).secureConnecting === true
}

/**
 * Closes a request whose response came before the server read the body; it may never read it, and the connection would
 * stay busy. Deferred to the next turn, because the end of a long body can be reported after its response.
 */
function destroyUnread(request: ClientRequest): void {
  if (!request.writableFinished) request.destroy()
}

function readBody(response: IncomingMessage, maxBytes: number, end: (result: HttpResponse) => void): void {
  const chunks: Buffer[] = []
  let bytes = 0
  const complete = (): void =>
    end({
      kind: 'answer',
      status: response.statusCode ?? 0,
      headers: response.headers,
      body: Buffer.concat(chunks).subarray(0, maxBytes),
      retryAfterMs: parseRetryAfter(response.headers['retry-after'], clock.now(), maxRetryAfterMs),
    })
  response.on('data', (chunk: Buffer) => {
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes <= maxBytes) return
    complete()
    response.destroy()
  })
  response.on('end', complete)
  // The `close` event follows and fails the request.
  response.on('error', () => undefined)
}

export function getErrorCode(error: NodeJS.ErrnoException): string {
  const inner = error instanceof AggregateError ? (error.errors[0] as NodeJS.ErrnoException) : error
  return inner.code ?? inner.name
}
