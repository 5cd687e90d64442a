import type { Cause } from '../../../channels/cause.ts'
import {
  accepted,
  apiUrl,
  at,
  defineProvider,
  toFormFields,
  getRequest,
  isGsm7,
  jsonRequest,
  readTime,
  refused,
  secret,
  standardOutcome,
  textAt,
  valueAt,
  withPlus,
  type ProviderReceipt,
} from './kit/index.ts'

const results: Readonly<Record<string, ProviderReceipt['result']>> = {
  delivered: 'delivered',
  delivery_failed: 'failed',
  expired: 'failed',
}
/** Keys are the error code of a receipt, or its status if it has no code. */
const causes: Readonly<Record<string, Cause>> = { '103': 'refused', expired: 'timeout' }
/** Invalid access key, and insufficient balance. */
const accountCodes = new Set(['2', '25'])

export const messagebird = defineProvider({
  name: 'messagebird',
  summary: 'Text messages over the SMS Messaging API of MessageBird.',
  channels: ['sms', 'international'],
  sources: [
    'https://raw.githubusercontent.com/api-evangelist/messagebird/refs/heads/main/json-schema/messagebird-message-schema.json',
    'https://github.com/nyaruka/courier/blob/350e9350/handlers/messagebird/handler_test.go',
    'https://github.com/nyaruka/courier/blob/0a19d11db1b744ce84dd59cfbcce5fbd3ecfee60/handlers/messagebird/handler.go',
    'https://docs.rs/crate/messagebird-async/latest/source/examples/example.json',
  ],
  checked: '2026-11-18',
  notes:
    'To receive replies, set callbackUrl with callbackToken as its last segment as the webhook of the number. The signature of MessageBird (a JWT) is not verified.',
  account: { url: apiUrl('https://rest.messagebird.com'), accessKey: secret('Access key.') },
  example: {
    accessKey: 'env:POSTERN_ROUTE_SECRET_MESSAGEBIRD_ACCESS_KEY',
    callbackUrl: 'https://sms.example.com/inbound/my-route',
    callbackToken: 'env:POSTERN_ROUTE_SECRET_MESSAGEBIRD_CALLBACK_TOKEN',
  },
  login: ({ url, accessKey }) => [url, accessKey],
  authorize: (_request, { account }) => ({ authorization: `AccessKey ${account.accessKey}` }),

  send({ message, from, to, reference, secondsLeft }, { account, callbackUrl, number }) {
    if (!('text' in message.content))
      return refused('unsupported', 'messagebird:channel', 'only text messages are supported')
    const { text } = message.content
    return jsonRequest(at(account.url)`/messages`, {
      originator: number(from, 'international'),
      recipients: [number(to, 'international')],
      body: text,
      datacoding: isGsm7(text) ? 'plain' : 'unicode',
      reference,
      reportUrl: callbackUrl,
      validity: secondsLeft,
    })
  },

  parseResponse(answer) {
    const id = textAt(answer.json, 'id')
    if (answer.isSuccess && id !== '') return accepted(id)
    const code = textAt(answer.json, 'errors', 0, 'code')
    const text = textAt(answer.json, 'errors', 0, 'description')
    if (accountCodes.has(code)) return { kind: 'account-refused', code, text }
    return standardOutcome(answer, { code, text })
  },

  callback: {
    verify: 'path',
    contentType: 'application/x-www-form-urlencoded',
    response: { status: 200, body: 'OK' },
    /** Receipts arrive in the query of a GET, replies in a form. */
    read(body, { method, query }) {
      const fields = method === 'GET' ? toFormFields(query) : body
      if (textAt(fields, 'status') !== '')
        return { receipts: [toReceipt(fields, textAt(fields, 'id'), textAt(fields, 'reference'))] }
      const from = textAt(fields, 'originator')
      if (from === '') return fields === undefined ? null : {}
      const text = textAt(fields, 'message') || textAt(fields, 'body')
      return {
        replies: [
          {
            id: textAt(fields, 'id'),
            from: withPlus(from),
            to: textAt(fields, 'shortcode') || withPlus(textAt(fields, 'recipient')),
            text: text === '' ? null : text,
            at: readTime(valueAt(fields, 'receive_datetime')),
          },
        ],
      }
    },
  },

  lookup: {
    by: 'carrierId',
    request: ({ carrierId }, { account }) => getRequest(at(account.url)`/messages/${carrierId!}`),
    read(answer) {
      if (answer.status === 404) return 'not-found'
      const recipient = valueAt(answer.json, 'recipients', 'items', 0)
      return answer.isSuccess && recipient !== undefined
        ? toReceipt(recipient, textAt(answer.json, 'id'), textAt(answer.json, 'reference'))
        : null
    },
  },
})

function toReceipt(fields: unknown, id: string, reference: string): ProviderReceipt {
  const status = textAt(fields, 'status')
  const error = textAt(fields, 'statusErrorCode')
  return {
    id,
    reference,
    result: results[status] ?? 'pending',
    cause: causes[error] ?? causes[status],
    code: error === '' ? status : `${status}:${error}`,
    recipient: textAt(fields, 'recipient'),
    at: readTime(valueAt(fields, 'statusDatetime')),
  }
}
