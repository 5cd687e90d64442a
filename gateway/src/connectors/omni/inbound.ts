/**
 * Reports that the service sends to `/inbound/<route>/report`: one in each request, answered with its msgKey, which
 * acknowledges it. Pure; called by the API.
 */
import { Webhook } from 'standardwebhooks'
import type { Inbound, InboundRequest, InboundResult } from '../kind.ts'
import { isSameSecret } from '../secrets.ts'
import type { OmniOptions } from './options.ts'
import { toReceipt } from './report.ts'

const path = '/report'

export function createOmniInbound(options: OmniOptions): Inbound {
  const isAuthentic = verifier(options)
  return (request) => {
    if (!isAuthentic(request)) return answer(401)
    if (request.method !== 'POST') return answer(405)
    const report = parse(request.body)
    const receipt = toReceipt(report, options.causes)
    if (receipt === null) {
      // Notices of Postern, such as webhook.disabled, have a type. They need no answer.
      if (typeof (report as { type?: unknown } | null)?.type === 'string')
        return { receipts: [], events: ['webhook-notice'], answer: { status: 200 } }
      return { ...answer(400), events: ['malformed-receipt'] }
    }
    const body = JSON.stringify({ msgKey: receipt.carrierId })
    return { receipts: [receipt], answer: { status: 200, contentType: 'application/json', body } }
  }
}

function verifier(options: OmniOptions): (request: InboundRequest) => boolean {
  const { results, webhookSecret, previousWebhookSecret } = options
  if (results !== 'webhook' || webhookSecret === undefined) return () => false
  const known = [webhookSecret, ...(previousWebhookSecret === undefined ? [] : [previousWebhookSecret])]
  const verifiers = known.map((secret) => verifierOf(secret, options.webhookSignature))
  return (request) => verifiers.some((isAuthentic) => isAuthentic(request))
}

function verifierOf(
  secret: string,
  signature: OmniOptions['webhookSignature'],
): (request: InboundRequest) => boolean {
  if (signature === 'path') {
    const expected = `${path}/${secret}`
    return (request) => isSameSecret(request.path, expected)
  }
  const webhook = new Webhook(secret)
  return ({ path: requested, headers, body }) => {
    if (requested !== path) return false
    try {
      webhook.verify(body, headers as Record<string, string>, { jsonParse: false })
      return true
    } catch {
      return false
    }
  }
}

const answer = (status: number): InboundResult => ({ receipts: [], answer: { status } })

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString())
  } catch {
    return null
  }
}
