import type { Cause } from '../../../channels/cause.ts'
import {
  accepted,
  accountName,
  apiUrl,
  at,
  basic,
  defineProvider,
  getRequest,
  jsonRequest,
  refused,
  secret,
  standardOutcome,
  textAt,
  withPlus,
  type ProviderEvents,
  type ProviderReceipt,
} from './kit/index.ts'

// 30, 40: https://plivo.com/docs/messaging/troubleshooting/error-codes
// 50: https://www.plivo.com/docs/privatebeta/whatsapp/api/troubleshooting/error-codes/
// 70, 80, 200: https://www.plivo.com/blog/introducing-sms-error-codes
const failureCauses: Readonly<Record<string, Cause>> = {
  '30': 'spam',
  '40': 'unregistered-sender',
  '50': 'bad-number',
  '70': 'no-subscriber',
  '80': 'phone-off',
  '200': 'refused',
}
const results: Readonly<Record<string, ProviderReceipt['result']>> = {
  delivered: 'delivered',
  failed: 'failed',
  undelivered: 'failed',
  rejected: 'failed',
}
const noCredit = /^insufficient credits?$/i

export const plivo = defineProvider({
  name: 'plivo',
  summary: 'Text messages over the Messages API of Plivo.',
  channels: ['sms', 'international'],
  sources: [
    'https://www.plivo.com/docs/messaging/api/messages/',
    'https://support.plivo.com/support/solutions/articles/17000088423-what-happens-to-my-outbound-messages-if-i-don-t-have-sufficient-balance-in-my-plivo-account-',
    'https://github.com/nyaruka/courier/blob/350e9350/handlers/plivo/handler_test.go',
  ],
  checked: '2026-11-18',
  notes:
    'To receive replies, set `<callbackUrl>/<callbackToken>` as the message URL of the application of a number. The signature of Plivo (V3) is not verified; it covers the URL and a nonce. The deadline of a message is not sent: the unit and limits of `message_expiry` are not confirmed.',
  account: {
    url: apiUrl('https://api.plivo.com'),
    authId: accountName('Auth ID.', 64),
    authToken: secret('Auth token.'),
  },
  example: {
    authId: 'MAXXXXXXXXXXXXXXXXXX',
    authToken: 'env:POSTERN_ROUTE_SECRET_PLIVO_AUTH_TOKEN',
    callbackUrl: 'https://sms.example.com/inbound/my-route',
    callbackToken: 'env:POSTERN_ROUTE_SECRET_PLIVO_CALLBACK_TOKEN',
  },
  login: ({ url, authId }) => [url, authId],
  authorize: (_request, { account }) => ({ authorization: basic(account.authId, account.authToken) }),

  send({ message, from, to }, { account, callbackUrl, number }) {
    if (!('text' in message.content))
      return refused('unsupported', 'plivo:channel', 'only text messages are supported')
    return jsonRequest(at(account.url)`/v1/Account/${account.authId}/Message/`, {
      src: number(from, 'international'),
      dst: number(to, 'international'),
      text: message.content.text,
      url: callbackUrl,
      method: callbackUrl === undefined ? undefined : 'POST',
    })
  },

  parseResponse(answer) {
    const id = textAt(answer.json, 'message_uuid', 0)
    if (answer.isSuccess && id !== '') return accepted(id)
    const text = textAt(answer.json, 'error')
    if (noCredit.test(text)) return { kind: 'account-refused', code: `http:${answer.status}`, text }
    return standardOutcome(answer, { text })
  },

  callback: {
    verify: 'path',
    contentType: 'application/x-www-form-urlencoded',
    read(body): ProviderEvents | null {
      if (typeof body !== 'object' || body === null) return null
      const messageId = textAt(body, 'MessageUUID')
      const id = textAt(body, 'ParentMessageUUID') || messageId
      const status = textAt(body, 'Status') || textAt(body, 'status')
      if (id !== '' && status !== '')
        return { receipts: [toReceipt(id, status, textAt(body, 'ErrorCode'), textAt(body, 'To'))] }
      const from = withPlus(textAt(body, 'From'))
      const text = textAt(body, 'Text')
      if (from === '' || text === '') return {}
      return { replies: [{ id: messageId, from, to: withPlus(textAt(body, 'To')), text }] }
    },
  },

  lookup: {
    by: 'carrierId',
    request: ({ carrierId }, { account }) =>
      getRequest(at(account.url)`/v1/Account/${account.authId}/Message/${carrierId!}/`),
    read({ status, isSuccess, json }) {
      if (status === 404) return 'not-found'
      const state = textAt(json, 'message_state')
      if (!isSuccess || state === '') return null
      const id = textAt(json, 'message_uuid')
      return toReceipt(id, state, textAt(json, 'error_code'), textAt(json, 'to_number'))
    },
  },
})

function toReceipt(id: string, status: string, code: string, recipient: string): ProviderReceipt {
  return {
    id,
    result: results[status.toLowerCase()] ?? 'pending',
    cause: failureCauses[code],
    code: code === '' ? status : `${status}:${code}`,
    recipient,
  }
}
