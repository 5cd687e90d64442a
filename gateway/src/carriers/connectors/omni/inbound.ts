/**
 * Handles reports that the service sends to `/inbound/<route>/report`, or to `/inbound/<route>/report/<secret>` if it does not
 * sign them: one per request. The response contains the msgKey of the report, which acknowledges it.
 */
import { Webhook } from 'standardwebhooks'
import type { Inbound, InboundRequest, InboundResult } from '../options/kind.ts'
import { isSameSecret } from '../options/secrets.ts'
import type { OmniOptions } from './options.ts'
import { toOmniReceipt } from './report.ts'

const path = '/report'

export function createOmniInbound(options: OmniOptions): Inbound {
  const isAuthentic = createVerifier(options)
  return (request) => {
    if (!isAuthentic(request)) return answer(401)
    if (request.method !== 'POST') return answer(405)
    const report = parse(request.body)
    const receipt = toOmniReceipt(report, options.causes)
    if (receipt === null) {
      // Notices of Postern, such as webhook.disabled, have a type and need no msgKey in the response.
      if (typeof (report as { type?: unknown } | null)?.type === 'string')
        return { receipts: [], events: ['webhook-notice'], response: { status: 200 } }
      return { ...answer(400), events: ['malformed-receipt'] }
    }
    const body = JSON.stringify({ msgKey: receipt.carrierId })
    return { receipts: [receipt], response: { status: 200, contentType: 'application/json', body } }
  }
}

function createVerifier(options: OmniOptions): (request: InboundRequest) => boolean {
  const { results, webhookSecret, previousWebhookSecret } = options
  if (results !== 'webhook' || webhookSecret === undefined) return () => false
  const known = [webhookSecret, ...(previousWebhookSecret === undefined ? [] : [previousWebhookSecret])]
  const verifiers = known.map((secret) => createSecretVerifier(secret, options.webhookSignature))
  return (request) => verifiers.some((isAuthentic) => isAuthentic(request))
}

function createSecretVerifier(
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

const answer = (status: number): InboundResult => ({ receipts: [], response: { status } })

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString())
  } catch {
    return null
  }
}
