import {
  accepted,
  accountName,
  apiUrl,
  at,
  basic,
  defineProvider,
  getRequest,
  jsonRequest,
  readTime,
  refused,
  secret,
  standardOutcome,
  textAt,
  valueAt,
  type ProviderReceipt,
  type ProviderReply,
} from './kit/index.ts'

/** Callback types, and states of a lookup. */
const results: Readonly<Record<string, ProviderReceipt['result']>> = {
  'message-delivered': 'delivered',
  'message-failed': 'failed',
  'message-sending': 'pending',
  DELIVERED: 'delivered',
  FAILED: 'failed',
  UNDELIVERED: 'failed',
}

export const bandwidth = defineProvider({
  name: 'bandwidth',
  summary: 'Text messages over the Messaging API of Bandwidth.',
  channels: ['sms', 'international'],
  sources: [
    'https://github.com/nyaruka/courier/blob/350e9350/handlers/bandwidth/handler.go',
    'https://github.com/Bandwidth/python-sdk/blob/037de5f/bandwidth/models/message_request.py',
    'https://github.com/Bandwidth/python-sdk/blob/042f0ee0/bandwidth/models/message_status_enum.py',
    'https://dev.bandwidth.com/v2-messaging/codes.html',
    'https://dev.bandwidth.com/docs/messaging/webhooks',
    'https://dev.bandwidth.com/docs/messaging/getMessage',
  ],
  checked: '2026-11-18',
  notes:
    'Set the callback URL in the settings of the application: callbackUrl with callbackToken as its last segment. `message-delivered` can mean that the next carrier has the message; no later event follows.',
  account: {
    url: apiUrl('https://messaging.bandwidth.com'),
    accountId: accountName('Account id.', 64),
    user: accountName('API user name.', 128),
    password: secret('API password.'),
    applicationId: accountName('Application id.', 64),
  },
  example: {
    accountId: '9900000',
    user: 'my-user',
    password: 'env:POSTERN_ROUTE_SECRET_BANDWIDTH_PASSWORD',
    applicationId: '93de2206-9669-4e07-948d-329f4b722ee2',
    callbackUrl: 'https://sms.example.com/inbound/my-route',
    callbackToken: 'env:POSTERN_ROUTE_SECRET_BANDWIDTH_CALLBACK_TOKEN',
  },
  login: ({ url, accountId, applicationId }) => [url, accountId, applicationId],
  authorize: (_request, { account }) => ({ authorization: basic(account.user, account.password) }),

  send({ message, from, to, reference, validUntil }, { account, number }) {
    if (!('text' in message.content))
      return refused('unsupported', 'bandwidth:channel', 'only text messages are supported')
    return jsonRequest(at(account.url)`/api/v2/users/${account.accountId}/messages`, {
      applicationId: account.applicationId,
      to: [number(to, 'e164')],
      from: number(from, 'e164'),
      text: message.content.text,
      tag: reference,
      expiration: validUntil.toISOString(),
    })
  },

  parseResponse(answer) {
    const id = textAt(answer.json, 'id')
    if (answer.isSuccess && id !== '') return accepted(id)
    const code = textAt(answer.json, 'type')
    const text = textAt(answer.json, 'description')
    if (answer.status === 403 && code === 'forbidden') return { kind: 'account-refused', code, text }
    return standardOutcome(answer, { code, text })
  },

  callback: {
    verify: 'path',
    read(body) {
      if (!Array.isArray(body)) return null
      const events = body as readonly unknown[]
      return {
        receipts: events.filter((event) => Object.hasOwn(results, textAt(event, 'type'))).map(toReceipt),
        replies: events.filter((event) => textAt(event, 'type') === 'message-received').map(toReply),
      }
    },
  },

  lookup: {
    by: 'carrierId',
    request: ({ carrierId }, { account }) =>
      getRequest(at(account.url)`/api/v2/users/${account.accountId}/messages`, { messageId: carrierId! }),
    read(answer) {
      if (!answer.isSuccess || !Array.isArray(valueAt(answer.json, 'messages'))) return null
      const found = valueAt(answer.json, 'messages', 0)
      if (found === undefined) return 'not-found'
      const status = textAt(found, 'messageStatus')
      const error = textAt(found, 'errorCode')
      return {
        id: textAt(found, 'messageId'),
        result: results[status] ?? 'pending',
        code: error === '' || error === '0' ? status : `${status}:${error}`,
        recipient: textAt(found, 'destinationTn'),
      }
    },
  },
})

function toReceipt(event: unknown): ProviderReceipt {
  const type = textAt(event, 'type')
  const error = textAt(event, 'errorCode')
  return {
    id: textAt(event, 'message', 'id'),
    reference: textAt(event, 'message', 'tag'),
    result: results[type] ?? 'pending',
    code: error === '' ? type : `${type}:${error}`,
    recipient: textAt(event, 'to'),
    at: readTime(valueAt(event, 'time')),
  }
}

function toReply(event: unknown): ProviderReply {
  return {
    id: textAt(event, 'message', 'id'),
    from: textAt(event, 'message', 'from'),
    to: textAt(event, 'to'),
    text: textAt(event, 'message', 'text'),
    at: readTime(valueAt(event, 'time')),
  }
}
