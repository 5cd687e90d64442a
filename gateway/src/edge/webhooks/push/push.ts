import http from 'node:http'
import https from 'node:https'
import type { Guard } from '../guard.ts'
import { RefusedAddress } from '../../../platform/networks.ts'
import { maxPushRetryAfterMs } from './retry-schedule.ts'
import type { Acknowledgement } from '../webhook.ts'
import { clock } from '../../../platform/time/clock.ts'
import { parseRetryAfter } from '../../../platform/time/retry-after.ts'

const maxResponseBytes = 16 * 1024
const userAgent = 'Postern-Webhooks/1'

export type PushOutcome =
  | { readonly kind: 'acknowledged'; readonly httpStatus: number }
  | { readonly kind: 'gone'; readonly httpStatus: number; readonly error: string }
  | {
      readonly kind: 'failed'
      readonly httpStatus: number | null
      /**
       * Contains nothing of the response body. Not shown to the owner if there was no response
       * (`without-response.ts`).
       */
      readonly error: string
      readonly retryAfterMs: number | null
      /** Set if the receiver is overloaded: with Retry-After, the whole webhook pauses. */
      readonly slowDown: boolean
    }

export interface PushRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly timeoutMs: number
  /** Null if any 2xx acknowledges. */
  readonly msgKey: string | null
}

/**
 * Connections to one webhook, kept open between pushes. They connect only where the guard allows, follow no redirect,
 * and limit the size and time of a response. `push` never rejects.
 */
export interface Connections {
  push(push: PushRequest): Promise<PushOutcome>
  close(): void
}

export function expectedMsgKey(acknowledgement: Acknowledgement, msgKey: string): string | null {
  return acknowledgement === 'msgKey' ? msgKey : null
}

export function openConnections(guard: Guard, concurrency: number): Connections {
  const settings = { keepAlive: true, maxSockets: concurrency, maxFreeSockets: concurrency, timeout: 30_000 }
  const plain = new http.Agent(settings)
  const secure = new https.Agent(settings)
  return {
    async push(push) {
      // A literal address is never resolved, so check it here, before every push.
      const refusal = guard.refuseUrl(push.url)
      if (refusal !== null) return failed(null, `not pushed: ${refusal}`)
      const outcome = await tryOnce(push)
      // The receiver closed the kept connection: it received nothing, or deduplicates by the webhook-id.
      return outcome === 'stale' ? ((await tryOnce(push, true)) as PushOutcome) : outcome
    },
    close() {
      plain.destroy()
      secure.destroy()
    },
  }

  function tryOnce(push: PushRequest, isRepeated = false): Promise<PushOutcome | 'stale'> {
    return new Promise((resolve) => {
      const url = new URL(push.url)
      const isSecure = url.protocol === 'https:'
      const request = (isSecure ? https : http).request(url, {
        method: 'POST',
        agent: isSecure ? secure : plain,
        lookup: guard.lookup,
        headers: {
          ...push.headers,
          'content-type': 'application/json; charset=utf-8',
          'content-length': String(Buffer.byteLength(push.body)),
          accept: 'application/json',
          'user-agent': userAgent,
        },
      })
      const timer = setTimeout(() => {
        settle(failed(null, `no response within ${push.timeoutMs / 1000} s`))
        request.destroy()
      }, push.timeoutMs)
      const settle = (outcome: PushOutcome | 'stale'): void => {
        clearTimeout(timer)
        resolve(outcome)
      }
      request.on('error', (error: NodeJS.ErrnoException) => {
        const stale =
          !isRepeated && request.reusedSocket && ['ECONNRESET', 'EPIPE'].includes(error.code ?? '')
        settle(stale ? 'stale' : failed(null, describe(error)))
      })
      request.on('response', (response) => {
        const chunks: Buffer[] = []
        let bytes = 0
        response.on('data', (chunk: Buffer) => {
          bytes += chunk.length
          if (bytes <= maxResponseBytes) return void chunks.push(chunk)
          settle(failed(response.statusCode ?? null, `the response has more than ${maxResponseBytes} bytes`))
          request.destroy()
        })
        response.on('end', () => settle(toOutcome(response, Buffer.concat(chunks).toString(), push.msgKey)))
        response.on('error', (error) => settle(failed(response.statusCode ?? null, describe(error))))
      })
      request.end(push.body)
    })
  }
}

function toOutcome(response: http.IncomingMessage, body: string, msgKey: string | null): PushOutcome {
  const httpStatus = response.statusCode ?? 0
  if (httpStatus === 410)
    return { kind: 'gone', httpStatus, error: 'answered 410: the URL no longer accepts reports' }
  const retryAfterMs = parseRetryAfter(response.headers['retry-after'], clock.now(), maxPushRetryAfterMs)
  const slowDown = [429, 502, 503, 504].includes(httpStatus)
  if (httpStatus >= 300 && httpStatus < 400)
    return failed(httpStatus, `answered ${httpStatus}: redirects are not followed`)
  if (httpStatus < 200 || httpStatus > 299)
    return { ...failed(httpStatus, `answered ${httpStatus}`), retryAfterMs, slowDown }
  if (msgKey === null) return { kind: 'acknowledged', httpStatus }
  if (httpStatus !== 200) return failed(httpStatus, `answered ${httpStatus}; only 200 acknowledges`)
  if (acknowledges(body, msgKey)) return { kind: 'acknowledged', httpStatus }
  return failed(
    httpStatus,
    'answered 200 without {"msgKey":"…"} of this report, or {"replyId":"…"} of this reply, in the body',
  )
}

function acknowledges(body: string, msgKey: string): boolean {
  try {
    const parsed = JSON.parse(body) as unknown
    if (typeof parsed !== 'object' || parsed === null) return false
    const { msgKey: key, replyId } = parsed as { msgKey?: unknown; replyId?: unknown }
    return key === msgKey || replyId === msgKey
  } catch {
    return false
  }
}

function failed(httpStatus: number | null, error: string): PushOutcome & { kind: 'failed' } {
  return { kind: 'failed', httpStatus, error, retryAfterMs: null, slowDown: false }
}

/**
 * Describes an error without addresses, because the resolution of internal names must not leak to the
 * webhook's owner.
 */
function describe(error: NodeJS.ErrnoException): string {
  if (error instanceof RefusedAddress) return `connection failed: ${error.message}`
  const inner = error instanceof AggregateError ? (error.errors[0] as NodeJS.ErrnoException) : error
  return `connection failed: ${inner.code ?? inner.name}`
}
