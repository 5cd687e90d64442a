import { WebhookVerificationError } from './errors.ts'
import type { ReplyRecord, Report } from './generated/types.ts'

/** Notice that another webhook of the account was disabled. */
export interface WebhookNotice {
  readonly type: string
  readonly timestamp: string
  readonly data: Readonly<Record<string, unknown>>
}

/** Verified push with exactly one of a report, a reply and a notice. */
export interface WebhookEvent {
  /** The same for all attempts and replays: store it to detect duplicates. */
  readonly id: string
  readonly report?: Report
  readonly reply?: ReplyRecord
  readonly notice?: WebhookNotice
}

export interface VerifyOptions {
  /** `whsec_…`; several during a secret rotation. */
  readonly secret: string | readonly string[]
  /** Maximum difference between the time of a request and now. Default 300. */
  readonly toleranceSeconds?: number
}

type HeaderSource = Headers | Readonly<Record<string, string | readonly string[] | undefined>>

/** Verifies the age and the Standard Webhooks signature of a push. Uses only Web Crypto. */
export async function verifyWebhook(
  body: string | Uint8Array,
  headers: HeaderSource,
  { secret, toleranceSeconds }: VerifyOptions,
): Promise<WebhookEvent> {
  const { id, timestamp, signatures } = readHeaders(headers, toleranceSeconds)
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body)
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${text}`)
  for (const candidate of typeof secret === 'string' ? [secret] : secret) {
    if (await isSigned(candidate, signed, signatures)) return parseEvent(id, text)
  }
  throw new WebhookVerificationError(
    'no signature matches; verify the raw body, before parsing, with the secret of this webhook',
  )
}

/** Returns the headers of the signature. Throws if one is missing, or if the time of the request is invalid or too far from now. */
function readHeaders(
  headers: HeaderSource,
  toleranceSeconds = 300,
): { readonly id: string; readonly timestamp: string; readonly signatures: string } {
  const id = getHeader(headers, 'webhook-id')
  const timestamp = getHeader(headers, 'webhook-timestamp')
  const signatures = getHeader(headers, 'webhook-signature')
  const age = Math.abs(Date.now() / 1000 - Number(timestamp))
  if (!/^\d{1,12}$/.test(timestamp) || age > toleranceSeconds) {
    throw new WebhookVerificationError(
      `webhook-timestamp must be within ${toleranceSeconds} s of the current time; check the clock of this machine`,
    )
  }
  return { id, timestamp, signatures }
}

function getHeader(headers: HeaderSource, name: string): string {
  for (const [key, value] of headers instanceof Headers ? headers : Object.entries(headers)) {
    if (key.toLowerCase() === name && typeof value === 'string') return value
  }
  throw new WebhookVerificationError(`header ${name} is required; check that no proxy removes it`)
}

/** One matching signature is enough: the header has several during a secret rotation. */
async function isSigned(secret: string, signed: Uint8Array<ArrayBuffer>, header: string): Promise<boolean> {
  const key = await crypto.subtle.importKey(
    'raw',
    fromBase64(secret.replace(/^whsec_/, '')),
    { name: 'HMAC', hash: 'SHA-256' },
    false,
    ['verify'],
  )
  for (const signature of header.split(' ').slice(0, 10)) {
    const [version, value] = signature.split(',')
    if (version !== 'v1' || value === undefined || !/^[A-Za-z0-9+/]{43}=$/.test(value)) continue
    // Compares in constant time.
    if (await crypto.subtle.verify('HMAC', key, fromBase64(value), signed)) return true
  }
  return false
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
}

function parseEvent(id: string, text: string): WebhookEvent {
  const content = JSON.parse(text) as Report | ReplyRecord | WebhookNotice
  if ('msgKey' in content) return { id, report: content }
  return 'replyId' in content ? { id, reply: content } : { id, notice: content }
}

export interface ReceiveOptions extends VerifyOptions {
  /** Longest accepted body. Default 1,000,000. */
  readonly maxBytes?: number
}

/** Returns null if the body exceeds `maxBytes`. Never buffers more, regardless of `Content-Length`. */
async function readBody(request: Request, maxBytes: number): Promise<Uint8Array | null> {
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes) return null
  if (request.body === null) return new Uint8Array()
  const reader = request.body.getReader() as ReadableStreamDefaultReader<Uint8Array>
  const chunks: Uint8Array[] = []
  let length = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    length += value.byteLength
    if (length > maxBytes) {
      await reader.cancel()
      return null
    }
    chunks.push(value)
  }
  const body = new Uint8Array(length)
  let at = 0
  for (const chunk of chunks) {
    body.set(chunk, at)
    at += chunk.byteLength
  }
  return body
}

/**
 * Responds to a push: 401 without a valid signature, 413 above `maxBytes`, otherwise 200 with an
 * acknowledgement. `handle` must store the event before it returns, within the webhook's `timeoutSeconds`.
 * Rethrows its errors, so that the server responds 500 and the gateway retries the push.
 */
export async function receiveWebhook(
  request: Request,
  { maxBytes = 1_000_000, ...options }: ReceiveOptions,
  handle: (event: WebhookEvent) => void | Promise<void>,
): Promise<Response> {
  let event: WebhookEvent
  try {
    readHeaders(request.headers, options.toleranceSeconds)
    const body = await readBody(request, maxBytes)
    if (body === null) return new Response(null, { status: 413 })
    event = await verifyWebhook(body, request.headers, options)
  } catch (error) {
    if (error instanceof WebhookVerificationError) return new Response(null, { status: 401 })
    throw error
  }
  await handle(event)
  const { report, reply } = event
  return Response.json(reply === undefined ? { msgKey: report?.msgKey } : { replyId: reply.replyId })
}
