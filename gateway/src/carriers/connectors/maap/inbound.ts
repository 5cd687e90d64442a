/**
 * Handles requests of the carriers and of the KT relay: statuses and replies of recipients. The body is an array of them; a
 * single element without an array is accepted as well. A status is acknowledged when its receipt is durable; a repeated
 * status is passed on again.
 */
import type { Receipt } from '../connector.ts'
import { maxInboundReceipts, type Inbound, type InboundRequest, type InboundResult } from '../options/kind.ts'
import type { Reply } from '../reply.ts'
import { isSameSecret } from '../options/secrets.ts'
import { readElement, type StatusOptions } from './status.ts'

export interface MaapInboundOptions extends StatusOptions {
  readonly webhookToken?: string
  readonly previousWebhookToken?: string
}

export function maapInbound(options: MaapInboundOptions): Inbound {
  return (request) => {
    const carrierName = authenticate(options, request)
    if (carrierName === null) return { receipts: [], response: { status: 401 } }
    if (request.method !== 'POST') return { receipts: [], response: { status: 405 } }
    return read(options, parse(request.body), carrierName)
  }
}

function read(options: StatusOptions, elements: readonly unknown[], carrierName: string): InboundResult {
  if (elements.length > maxInboundReceipts) return answer(413)
  const receipts: Receipt[] = []
  const events: string[] = []
  const replies: Reply[] = []
  let malformed = 0
  for (const element of elements) {
    const found = readElement(options, element, carrierName)
    if (found === null) malformed++
    else if ('receipt' in found) receipts.push(found.receipt)
    else {
      events.push(found.event)
      if ('reply' in found) replies.push(found.reply)
    }
  }
  // An unreadable element does not cause a repeat of the readable ones.
  if (receipts.length === 0 && events.length === 0) return { ...answer(400), events: ['malformed-receipt'] }
  return {
    ...answer(200),
    receipts,
    ...(replies.length === 0 ? {} : { replies }),
    events: malformed === 0 ? events : [...events, 'malformed-receipt'],
  }
}

/** Repeats the status in the body, as the carriers expect. */
function answer(status: number): InboundResult {
  const body = JSON.stringify({ status: String(status) })
  return { receipts: [], response: { status, contentType: 'application/json', body } }
}

/** Returns the carrier name after `/<token>`, empty if none follows, or null if the token is wrong. */
function authenticate(
  { webhookToken, previousWebhookToken }: MaapInboundOptions,
  { path }: InboundRequest,
): string | null {
  const [, given = '', ...rest] = path.split('/', 8)
  if (webhookToken === undefined) return null
  const tokens = [webhookToken, previousWebhookToken].filter((token) => token !== undefined)
  if (!tokens.some((token) => isSameSecret(given, token))) return null
  return rest.findLast((part) => part !== '') ?? ''
}

function parse(body: Buffer): readonly unknown[] {
  try {
    const value: unknown = JSON.parse(body.toString())
    return Array.isArray(value) ? (value as readonly unknown[]) : [value]
  } catch {
    return []
  }
}
