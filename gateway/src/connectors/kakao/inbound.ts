/**
 * Results that Kakao pushes to `/inbound/<route>/<webhookToken>`. A push has no signature: the token at the end of the address
 * shows that it is Kakao's. Pure; called by the API.
 */
import type { Inbound, InboundResult } from '../kind.ts'
import { isSameSecret } from '../same-secret.ts'
import { asObject, parseJson } from './answer.ts'
import type { KakaoOptions } from './options.ts'
import { polledReceipts, toReceipt } from './result.ts'
import type { Receipt } from '../connector.ts'

const answer = (status: number): InboundResult => ({ receipts: [], answer: { status } })

export function kakaoInbound(options: KakaoOptions): Inbound {
  const { webhookToken, previousWebhookToken, pushFields, pushAnswer } = options
  if (webhookToken === undefined) return () => answer(401)
  const tokens = [webhookToken, previousWebhookToken].filter((token) => token !== undefined)

  function read(body: unknown): (Receipt | null)[] {
    if (Array.isArray(body)) return body.map((entry) => toReceipt(options, entry, pushFields))
    const single = asObject(body)
    return Object.hasOwn(single, 'response')
      ? polledReceipts(options, single)
      : [toReceipt(options, single, pushFields)]
  }

  return ({ method, path, body }) => {
    if (!tokens.some((token) => isSameSecret(path, `/${token}`))) return answer(401)
    if (method !== 'POST') return answer(405)
    const results = read(parseJson(body))
    const receipts = results.filter((receipt): receipt is Receipt => receipt !== null)
    // What is read is stored, so that one result that cannot be read does not hold up the others.
    if (receipts.length === 0) return { ...answer(400), events: ['malformed-receipt'] }
    return {
      receipts,
      ...(receipts.length < results.length && { events: ['malformed-receipt'] }),
      answer: { status: 200, contentType: 'application/json', body: pushAnswer },
    }
  }
}
