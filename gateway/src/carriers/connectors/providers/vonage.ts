import type { Cause } from '../../../channels/cause.ts'
import {
  accepted,
  accountName,
  apiUrl,
  at,
  defineProvider,
  toFormFields,
  formRequest,
  isGsm7,
  readTime,
  refused,
  secret,
  standardOutcome,
  textAt,
  withPlus,
  type ProviderEvents,
  type ProviderReceipt,
  type ProviderReply,
} from './kit/index.ts'

const refusalCauses: Readonly<Record<string, Cause>> = {
  '7': 'refused',
  '15': 'unregistered-sender',
  '33': 'no-subscriber',
}
/** Invalid credentials or signature, barred account, no quota, or no permission for the API. */
const accountCodes = new Set(['4', '8', '9', '11', '14', '32'])
const throttledCodes = new Set(['1', '10'])
/** An acceptance without an id or with an HTTP error, or an internal error: the message can have been sent. */
const unknownCodes = new Set(['0', '5'])
// https://api.support.vonage.com/hc/en-us/articles/204014733-Vonage-SMS-Delivery-Error-Codes-and-Descriptions
const failureCauses: Readonly<Record<string, Cause>> = {
  '2': 'phone-off',
  '3': 'no-subscriber',
  '4': 'refused',
  '6': 'spam',
  '8': 'temporary-failure',
  '9': 'refused',
  '14': 'refused',
}
const results: Readonly<Record<string, ProviderReceipt['result']>> = {
  delivered: 'delivered',
  failed: 'failed',
  rejected: 'failed',
  expired: 'failed',
}

export const vonage = defineProvider({
  name: 'vonage',
  summary: 'Text messages over the SMS API of Vonage (Nexmo).',
  channels: ['sms', 'international'],
  sources: [
    'https://developer.vonage.com/messaging/sms/guides/troubleshooting-sms',
    'https://developer.vonage.com/api-errors/sms',
    'https://developer.vonage.com/messaging/sms/building-blocks/receive-a-delivery-receipt',
    'https://developer.vonage.com/messaging/sms/guides/inbound-sms',
    'https://github.com/nyaruka/courier/blob/350e9350/handlers/nexmo/handler_test.go',
  ],
  checked: '2026-11-18',
  unconfirmed: [
    'Status 6 of a response refuses the message without a specific cause: an unknown prefix of the number is only an example in the documentation.',
  ],
  notes:
    'Callbacks can be GET, POST or POST-JSON, as set in the account. To receive replies, also set `<callbackUrl>/<callbackToken>` as the URL for incoming messages. Each part of a long text has a receipt; the first one applies. The deadline of a message is not sent: the unit and limits of `ttl` are not confirmed.',
  account: {
    url: apiUrl('https://rest.nexmo.com'),
    apiKey: accountName('API key.', 64),
    apiSecret: secret('API secret.'),
  },
  example: {
    apiKey: 'abcd1234',
    apiSecret: 'env:POSTERN_ROUTE_SECRET_VONAGE_API_SECRET',
    callbackUrl: 'https://sms.example.com/inbound/my-route',
    callbackToken: 'env:POSTERN_ROUTE_SECRET_VONAGE_CALLBACK_TOKEN',
  },
  login: ({ url, apiKey }) => [url, apiKey],

  send({ message, from, to, reference }, { account, callbackUrl, number }) {
    if (!('text' in message.content))
      return refused('unsupported', 'vonage:channel', 'only text messages are supported')
    const { text } = message.content
    return formRequest(at(account.url)`/sms/json`, {
      api_key: account.apiKey,
      api_secret: account.apiSecret,
      from: number(from, 'international'),
      to: number(to, 'international'),
      text,
      type: isGsm7(text) ? 'text' : 'unicode',
      'client-ref': reference,
      'status-report-req': 1,
      callback: callbackUrl,
    })
  },

  /** Refusals have HTTP status 200. */
  parseResponse(answer) {
    const code = textAt(answer.json, 'messages', 0, 'status')
    const text = textAt(answer.json, 'messages', 0, 'error-text')
    const id = textAt(answer.json, 'messages', 0, 'message-id')
    if (answer.isSuccess && code === '0' && id !== '') return accepted(id)
    if (throttledCodes.has(code)) return { kind: 'throttled', code }
    if (accountCodes.has(code)) return { kind: 'account-refused', code, text }
    if (unknownCodes.has(code)) return { kind: 'unknown', code, text }
    if (/^\d+$/.test(code)) return refused(refusalCauses[code] ?? 'refused', code, text)
    return standardOutcome(answer, { code, text })
  },

  callback: {
    verify: 'path',
    contentType: 'application/x-www-form-urlencoded',
    read(body, { method, query }): ProviderEvents | null {
      const fields = method === 'GET' ? toFormFields(query) : body
      if (typeof fields !== 'object' || fields === null) return null
      const receipt = toReceipt(fields)
      const isKnown = receipt.id !== '' || receipt.reference !== ''
      if (textAt(fields, 'status') !== '') return isKnown ? { receipts: [receipt] } : {}
      const reply = toReply(fields)
      return reply.from === '' || reply.text === null ? {} : { replies: [reply] }
    },
  },
})

function toReceipt(fields: unknown): ProviderReceipt {
  const status = textAt(fields, 'status')
  const code = textAt(fields, 'err-code')
  return {
    id: textAt(fields, 'messageId'),
    reference: textAt(fields, 'client-ref'),
    result: results[status.toLowerCase()] ?? 'pending',
    cause: failureCauses[code] ?? (status.toLowerCase() === 'expired' ? 'timeout' : undefined),
    code: code === '' ? status : `${status}:${code}`,
    recipient: textAt(fields, 'msisdn'),
  }
}

function toReply(fields: unknown): ProviderReply {
  const text = textAt(fields, 'text')
  const reference = Number(textAt(fields, 'concat-ref'))
  const part = Number(textAt(fields, 'concat-part'))
  const parts = Number(textAt(fields, 'concat-total'))
  return {
    id: textAt(fields, 'messageId'),
    from: withPlus(textAt(fields, 'msisdn')),
    to: withPlus(textAt(fields, 'to')),
    // A message of the type `binary` has no text.
    text: text === '' ? null : text,
    at: readTime(textAt(fields, 'timestamp')),
    part: parts > 1 ? { reference, bits: reference > 255 ? 16 : 8, part, parts } : undefined,
  }
}
