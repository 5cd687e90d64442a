/**
 * Receives pushes of the gateway. `verifyWebhook` checks the Standard Webhooks signature and the time of a request;
 * `receiveWebhook` also responds to it. Uses Web Crypto only.
 */
import { WebhookVerificationError } from './errors.ts'
import type { ReplyRecord, Report } from './generated/types.ts'

/** Another webhook of the account was disabled. */
export interface WebhookNotice {
  readonly type: string
  readonly timestamp: string
  readonly data: Readonly<Record<string, unknown>>
}

/** A report, a reply or a notice. */
export interface WebhookEvent {
  /** The same over all attempts and replays: store it to recognise what arrives twice. */
  readonly id: string
  readonly report?: Report
  readonly reply?: ReplyRecord
  readonly notice?: WebhookNotice
}

export interface VerifyOptions {
  /** `whsec_…`; several while a secret is replaced. */
  readonly secret: string | readonly string[]
  /** How old a request may be. Default 300. */
  readonly toleranceSeconds?: number
}

type HeaderSource = Headers | Readonly<Record<string, string | readonly string[] | undefined>>

export async function verifyWebhook(
  body: string | Uint8Array,
  headers: HeaderSource,
  { secret, toleranceSeconds }: VerifyOptions,
): Promise<WebhookEvent> {
  const { id, timestamp, signatures } = readHeaders(headers, toleranceSeconds)
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body)
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${text}`)
  for (const one of typeof secret === 'string' ? [secret] : secret) {
    if (await isSigned(one, signed, signatures)) return parseEvent(id, text)
  }
  throw new WebhookVerificationError(
    'no signature matches. Verify the body as it arrived, before it is parsed, with the secret of this webhook.',
  )
}

/** Checks what needs no body. */
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
      `the time of the request is not within ${toleranceSeconds} s of now. Check the clock of this machine.`,
    )
  }
  return { id, timestamp, signatures }
}

function getHeader(headers: HeaderSource, name: string): string {
  for (const [key, value] of headers instanceof Headers ? headers : Object.entries(headers)) {
    if (key.toLowerCase() === name && typeof value === 'string') return value
  }
  throw new WebhookVerificationError(`the header ${name} is missing. Check that no proxy removes it.`)
}

/** The header may have several signatures, while a secret is replaced. */
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
  /** Default 1,000,000. */
  readonly maxBytes?: number
}

/** Returns null if the body exceeds `maxBytes`. Holds no more than that, regardless of `Content-Length`. */
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
 * Responds to a push: 401 without a valid signature, otherwise 200 with an acknowledgement. `handle` must have stored the
 * report when it returns, within the webhook's `timeoutSeconds`. Its errors are thrown: the server responds 500, and the gateway
 * repeats the push.
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
