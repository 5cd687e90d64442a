import type { Cause } from '../../../channels/cause.ts'
import {
  accepted,
  apiUrl,
  at,
  defineProvider,
  getRequest,
  readTime,
  refused,
  secret,
  standardOutcome,
  textAt,
  valueAt,
  withPlus,
  type ProviderEvents,
  type ProviderReceipt,
} from './kit/index.ts'

/** Invalid key, inactive account, or no credit (301). Some APIs use codes with leading zeros. */
const accountCode = /^(?:0*[1237]|301)$/
const results: Readonly<Record<string, ProviderReceipt['result']>> = {
  DEVICE_ACK: 'delivered',
  READ: 'delivered',
  RECEIVED_BY_RECIPIENT: 'delivered',
  EXPIRED: 'failed',
  STOPPED_BY_USER: 'failed',
  STOPPED_BY_ADMIN: 'failed',
  DELIVERY_FAILURE: 'failed',
  INSUFFICIENT_ACCOUNT_BALANCE: 'failed',
  RECIPIENT_DOES_NOT_EXIST: 'failed',
  ROUTING_ERROR: 'failed',
  '4': 'delivered',
  '5': 'failed',
  '6': 'failed',
  '7': 'failed',
  '9': 'failed',
  '10': 'failed',
  '12': 'failed',
  '14': 'failed',
}
// 10: https://wiki.kolmisoft.com/index.php/SMS_Addon_-_Status_codes
const failureCauses: Readonly<Record<string, Cause>> = {
  '10': 'timeout',
  EXPIRED: 'timeout',
  RECIPIENT_DOES_NOT_EXIST: 'no-subscriber',
}

export const clickatell = defineProvider({
  name: 'clickatell',
  summary: 'Text messages over the HTTP API of the Clickatell Platform.',
  channels: ['sms', 'international'],
  sources: [
    'https://docs.clickatell.com/channels/one-api/one-api-message-status-table/',
    'https://docs.clickatell.com/channels/one-api/one-api-errors-table/',
    'https://archive.clickatell.com/developers/api-docs/list-of-error-codes-rest/',
    'https://github.com/clickatell/clickatell-php/blob/master/README.md',
    'https://npmjs.com/package/clickatell-platform',
    'https://docs.rs/crate/clickatell-api/0.3.0/source/src/one_api/send_messages/message_response.rs',
    'https://github.com/nyaruka/courier/blob/b2a010b8/handlers/clickatell/testdata/incoming.json',
  ],
  checked: '2026-11-18',
  notes:
    'At Clickatell, set `<callbackUrl>/<callbackToken>` as the URL for delivery reports and replies; requests cannot set it. A status word takes precedence over the number, whose meaning differs between the APIs of Clickatell. The deadline of a message is not sent, because it is not confirmed that the API supports one.',
  account: { url: apiUrl('https://platform.clickatell.com'), apiKey: secret('API key.') },
  example: {
    apiKey: 'env:POSTERN_ROUTE_SECRET_CLICKATELL_API_KEY',
    callbackToken: 'env:POSTERN_ROUTE_SECRET_CLICKATELL_CALLBACK_TOKEN',
  },
  login: ({ url, apiKey }) => [url, apiKey],

  send({ message, from, to }, { account, number }) {
    if (!('text' in message.content))
      return refused('unsupported', 'clickatell:channel', 'only text messages are supported')
    const query = {
      apiKey: account.apiKey,
      from: number(from, 'international'),
      to: number(to, 'international'),
      content: message.content.text,
    }
    return getRequest(at(account.url)`/messages/http/send`, query, { accept: 'application/json' })
  },

  parseResponse(answer) {
    const { json, isSuccess, status } = answer
    const id = textAt(json, 'messages', 0, 'apiMessageId')
    if (isSuccess && id !== '') return accepted(id)
    const accountError = textAt(json, 'errorCode') || textAt(json, 'error', 'code')
    const code =
      textAt(json, 'messages', 0, 'errorCode') || textAt(json, 'messages', 0, 'error', 'code') || accountError
    const text =
      textAt(json, 'messages', 0, 'error', 'description') ||
      textAt(json, 'messages', 0, 'error') ||
      textAt(json, 'errorDescription') ||
      textAt(json, 'error', 'description') ||
      textAt(json, 'error')
    const shown = code === '' ? `http:${status}` : code
    if (status === 402 || accountCode.test(accountError))
      return { kind: 'account-refused', code: shown, text }
    const messages = valueAt(json, 'messages')
    const isEmpty = isSuccess && Array.isArray(messages) && messages.length === 0
    if (valueAt(json, 'messages', 0, 'accepted') === false || isEmpty) return refused('refused', shown, text)
    return standardOutcome(answer, { code, text })
  },

  callback: {
    verify: 'path',
    read(body): ProviderEvents | null {
      if (typeof body !== 'object' || body === null) return null
      const id = textAt(body, 'messageId')
      const code = textAt(body, 'status') || textAt(body, 'statusCode')
      if (id !== '' && code !== '')
        return {
          receipts: [
            {
              id,
              result: results[code.toUpperCase()] ?? 'pending',
              cause: failureCauses[code.toUpperCase()],
              code,
            },
          ],
        }
      const from = withPlus(textAt(body, 'fromNumber'))
      const text = decodeText(textAt(body, 'text'), textAt(body, 'charset'))
      if (from === '' || text === '') return {}
      const to = withPlus(textAt(body, 'toNumber'))
      return { replies: [{ id, from, to, text, at: readTime(valueAt(body, 'timestamp')) }] }
    },
  },
})

/** Decodes texts in a charset other than UTF-8, which arrive as URL-encoded bytes of that charset. */
function decodeText(text: string, charset: string): string {
  if (!['ISO-8859-1', 'UTF-16BE'].includes(charset)) return text
  const bytes = text
    .replaceAll('+', ' ')
    .replace(/%([0-9A-Fa-f]{2})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)))
  return new TextDecoder(charset).decode(Buffer.from(bytes, 'latin1'))
}
