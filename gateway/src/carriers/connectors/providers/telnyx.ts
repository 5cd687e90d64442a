import { createPublicKey, verify, type KeyObject } from 'node:crypto'
import { clock } from '../../../platform/time/clock.ts'
import {
  accepted,
  accountName,
  apiUrl,
  at,
  defineProvider,
  getRequest,
  getHeader,
  jsonRequest,
  readTime,
  refused,
  secret,
  standardOutcome,
  textAt,
  Type,
  valueAt,
  type ProviderReceipt,
} from './kit/index.ts'

const results: Readonly<Record<string, ProviderReceipt['result']>> = {
  delivered: 'delivered',
  sending_failed: 'failed',
  delivery_failed: 'failed',
  expired: 'failed',
  cancelled: 'failed',
}

export const telnyx = defineProvider({
  name: 'telnyx',
  summary: 'Text messages over the Messaging API of Telnyx.',
  channels: ['sms', 'international'],
  sources: [
    'https://developers.telnyx.com/docs/messaging/messages/receiving-webhooks',
    'https://developers.telnyx.com/api-reference/callbacks/delivery-update',
    'https://developers.telnyx.com/api-reference/callbacks/inbound-message',
    'https://developers.telnyx.com/api-reference/messages/retrieve-a-message.md',
    'https://developers.telnyx.com/api-reference/messages/send-a-message-using-an-alphanumeric-sender-id',
    'https://developers.telnyx.com/docs/messaging/messages/error-codes',
    'https://developers.telnyx.com/api/errors/20100',
    'https://raw.githubusercontent.com/api-evangelist/telnyx/refs/heads/main/json-schema/telnyx-outbound-message-payload-cancelled-schema.json',
  ],
  checked: '2026-11-18',
  notes:
    'To receive replies, also set callbackUrl as the webhook of the messaging profile. Telnyx waits 2 s for the response to a callback, and keeps a message for lookups for 10 days. The deadline of a message is not sent, because it is not confirmed that the API supports one.',
  account: {
    url: apiUrl('https://api.telnyx.com'),
    apiKey: secret('API key.'),
    publicKey: accountName('Public key of the account for callback signatures.', 1_024),
    messagingProfileId: Type.Optional(
      accountName('Messaging profile; required for alphanumeric sender IDs.', 64),
    ),
  },
  example: {
    apiKey: 'env:POSTERN_ROUTE_SECRET_TELNYX_API_KEY',
    publicKey: 'e1P5dLDPq1rWEF7wQ9r1UYqbzIhWvRS8VYWD4bhkHaY=',
    callbackUrl: 'https://sms.example.com/inbound/my-route',
  },
  check: ({ publicKey }) => void readPublicKey(publicKey),
  login: ({ url, apiKey }) => [url, apiKey],
  authorize: (_request, { account }) => ({ authorization: `Bearer ${account.apiKey}` }),

  send({ message, from, to }, { account, callbackUrl, number }) {
    if (!('text' in message.content))
      return refused('unsupported', 'telnyx:channel', 'only text messages are supported')
    return jsonRequest(at(account.url)`/v2/messages`, {
      from: number(from, 'e164'),
      messaging_profile_id: account.messagingProfileId,
      to: number(to, 'e164'),
      text: message.content.text,
      webhook_url: callbackUrl,
    })
  },

  parseResponse(answer) {
    const id = textAt(answer.json, 'data', 'id')
    if (answer.isSuccess && id !== '') return accepted(id)
    const code = textAt(answer.json, 'errors', 0, 'code')
    const text = textAt(answer.json, 'errors', 0, 'detail') || textAt(answer.json, 'errors', 0, 'title')
    return standardOutcome(answer, { code, text })
  },

  callback: {
    verify(request, { account }) {
      const signature = Buffer.from(getHeader(request, 'telnyx-signature-ed25519').slice(0, 256), 'base64')
      const timestamp = getHeader(request, 'telnyx-timestamp')
      if (!isRecent(Number(timestamp) * 1_000)) return false
      const signed = Buffer.concat([Buffer.from(`${timestamp}|`), request.body])
      return signature.length === 64 && verify(null, signed, readPublicKey(account.publicKey), signature)
    },
    read(body) {
      const payload = valueAt(body, 'data', 'payload')
      const occurredAt = readTime(valueAt(body, 'data', 'occurred_at'))
      switch (textAt(body, 'data', 'event_type')) {
        case 'message.sent':
        case 'message.finalized':
          return { receipts: [toReceipt(payload, occurredAt)] }
        case 'message.received':
          return {
            replies: [
              {
                id: textAt(payload, 'id'),
                from: textAt(payload, 'from', 'phone_number'),
                to: textAt(payload, 'to', 0, 'phone_number'),
                text: textAt(payload, 'text'),
                at: occurredAt,
              },
            ],
          }
        default:
          return body === undefined ? null : {}
      }
    },
  },

  lookup: {
    by: 'carrierId',
    request: ({ carrierId }, { account }) => getRequest(at(account.url)`/v2/messages/${carrierId!}`),
    read(answer) {
      if (answer.status === 404) return 'not-found'
      const message = valueAt(answer.json, 'data')
      return answer.isSuccess && textAt(message, 'id') !== '' ? toReceipt(message, null) : null
    },
  },
})

/** As in Telnyx's own libraries. Each delivery of a callback is signed anew, so an older one is a replay. */
const maxCallbackAgeMs = 300_000

function isRecent(signedAt: number): boolean {
  const now = clock.now()
  if (!Number.isFinite(signedAt) || signedAt > now + maxCallbackAgeMs) return false
  return !clock.hasPassed(signedAt + maxCallbackAgeMs)
}

function toReceipt(message: unknown, occurredAt: Date | null): ProviderReceipt {
  const status = textAt(message, 'to', 0, 'status')
  const error = textAt(message, 'errors', 0, 'code')
  return {
    id: textAt(message, 'id'),
    result: results[status] ?? 'pending',
    cause: status === 'expired' ? 'timeout' : undefined,
    code: error === '' ? status : `${status}:${error}`,
    recipient: textAt(message, 'to', 0, 'phone_number'),
    at: readTime(valueAt(message, 'completed_at')) ?? occurredAt,
  }
}

/** Parses a PEM, or the 32 bytes of the key in base64. */
function readPublicKey(text: string): KeyObject {
  const x = Buffer.from(text, 'base64').toString('base64url')
  let key: KeyObject | undefined
  try {
    key = createPublicKey(
      text.includes('BEGIN') ? text : { key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' },
    )
  } catch {
    // Reported below, because the error of the library can quote the key.
  }
  if (key?.asymmetricKeyType !== 'ed25519')
    throw new Error('publicKey must be an Ed25519 public key, as PEM or as 32 bytes in base64')
  return key
}
