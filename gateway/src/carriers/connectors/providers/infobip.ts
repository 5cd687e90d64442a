import type { Cause } from '../../../channels/cause.ts'
import {
  accepted,
  apiUrl,
  at,
  defineProvider,
  getRequest,
  jsonRequest,
  listAt,
  readTime,
  refused,
  secret,
  standardOutcome,
  textAt,
  valueAt,
  withPlus,
  type ProviderReceipt,
  type ProviderReply,
} from './kit/index.ts'

// https://github.com/api-evangelist/infobip/blob/main/errors/infobip-error-codes.yml
const refusalCauses: Readonly<Record<string, Cause>> = {
  REJECTED_DESTINATION: 'bad-number',
  REJECTED_PREFIX_MISSING: 'bad-number',
  REJECTED_SENDER: 'unregistered-sender',
}
const accountCodes = new Set(['REJECTED_NOT_ENOUGH_CREDITS', 'REJECTED_PREPAID_PACKAGE_EXPIRED'])
// EC_UNKNOWN_SUBSCRIBER: https://www.infobip.com/docs/developer-resources/api-fundamentals/error-code-reference
const failureCauses: Readonly<Record<string, Cause>> = {
  EC_ABSENT_SUBSCRIBER: 'phone-off',
  EC_ABSENT_SUBSCRIBER_SM: 'phone-off',
  EC_UNKNOWN_SUBSCRIBER: 'no-subscriber',
}
const failedGroups = new Set(['UNDELIVERABLE', 'EXPIRED', 'REJECTED'])
const maxValiditySeconds = 172_800
/** Values of `groupId`: pending and delivered; undeliverable, expired and rejected. */
const acceptedGroupIds = ['1', '3']
const refusedGroupIds = ['2', '4', '5']

export const infobip = defineProvider({
  name: 'infobip',
  summary: 'Text messages over the SMS API v3 of Infobip.',
  channels: ['sms', 'international'],
  sources: [
    'https://www.infobip.com/docs/developer-resources/quickstart',
    'https://infobip.com/docs/api/channels/sms/sms-messaging/logs-and-status-reports/receive-outbound-sms-message-report',
    'https://infobip.com/docs/api/channels/sms/inbound-sms/receive-inbound-sms-messages',
    'https://infobip.com/docs/api/channels/sms/logs-and-status-reports',
    'https://docs.rs/crate/infobip-sms-sdk/latest/source/src/models/logs.rs',
    'https://www.infobip.com/docs/developer-resources/api-fundamentals/message-status-codes',
    'https://www.infobip.com/docs/developer-resources/errors-and-responses/response-codes',
    'https://github.com/infobip/infobip-api-java-client/blob/822eb08/src/main/java/com/infobip/model/SmsMessageOptions.java',
    'https://github.com/nyaruka/courier/blob/350e9350/handlers/infobip/handler_test.go',
  ],
  checked: '2026-11-18',
  notes:
    'Infobip identifies a message by our reference. DELIVERED_TO_OPERATOR is not a delivery: a message is delivered when the handset has it. To receive replies, set `<callbackUrl>/<callbackToken>` with the format MO_JSON_2 as the forwarding URL of a number. Infobip keeps its logs, from which missing results are read, for 48 hours.',
  account: { url: apiUrl(), apiKey: secret('API key.') },
  example: {
    url: 'https://xyz123.api.infobip.com',
    apiKey: 'env:POSTERN_ROUTE_SECRET_INFOBIP_API_KEY',
    callbackUrl: 'https://sms.example.com/inbound/my-route',
    callbackToken: 'env:POSTERN_ROUTE_SECRET_INFOBIP_CALLBACK_TOKEN',
  },
  login: ({ url }) => [url],
  authorize: (_request, { account }) => ({ authorization: `App ${account.apiKey}` }),

  send({ message, from, to, reference, secondsLeft }, { account, callbackUrl, number }) {
    if (!('text' in message.content))
      return refused('unsupported', 'infobip:channel', 'only text messages are supported')
    const webhooks =
      callbackUrl === undefined
        ? undefined
        : { delivery: { url: callbackUrl }, contentType: 'application/json' }
    const amount = Math.min(secondsLeft, maxValiditySeconds)
    return jsonRequest(at(account.url)`/sms/3/messages`, {
      messages: [
        {
          sender: number(from, 'international'),
          destinations: [{ to: number(to, 'international'), messageId: reference }],
          content: { text: message.content.text },
          webhooks,
          options: { validityPeriod: { amount, timeUnit: 'SECONDS' } },
        },
      ],
    })
  },

  ownId: (reference) => reference,
  parseResponse(answer, { reference }) {
    const { json, isSuccess } = answer
    const group = textAt(json, 'messages', 0, 'status', 'groupId')
    const code =
      textAt(json, 'messages', 0, 'status', 'name') ||
      textAt(json, 'requestError', 'serviceException', 'messageId') ||
      textAt(json, 'errorCode')
    const text =
      textAt(json, 'messages', 0, 'status', 'description') ||
      textAt(json, 'requestError', 'serviceException', 'text') ||
      textAt(json, 'description')
    if (isSuccess && acceptedGroupIds.includes(group)) return accepted(reference)
    if (accountCodes.has(code)) return { kind: 'account-refused', code, text }
    const cause = refusalCauses[code]
    if (isSuccess && refusedGroupIds.includes(group)) return refused(cause ?? 'refused', code, text)
    return standardOutcome(answer, { code, text, cause })
  },

  callback: {
    verify: 'path',
    read(body) {
      if (!Array.isArray(valueAt(body, 'results'))) return null
      const results = listAt(body, 'results')
      return {
        receipts: results.map(toReceipt).filter((receipt) => receipt !== null),
        replies: results.map(toReply).filter((reply) => reply !== null),
      }
    },
  },

  lookup: {
    by: 'reference',
    request: ({ reference }, { account }) =>
      getRequest(at(account.url)`/sms/3/logs`, { messageId: reference }, { accept: 'application/json' }),
    read({ isSuccess, json }, { reference }) {
      if (!isSuccess || !Array.isArray(valueAt(json, 'results'))) return null
      const log = listAt(json, 'results').find((result) => textAt(result, 'messageId') === reference)
      if (log === undefined) return 'not-found'
      return toReceipt(log) ?? { id: reference, result: 'pending', code: '' }
    },
  },
})

/** Returns null for a reply, and for a delivery to the operator, after which a result of the handset can follow. */
function toReceipt(result: unknown): ProviderReceipt | null {
  const id = textAt(result, 'messageId')
  const group = textAt(result, 'status', 'groupName').toUpperCase()
  const name = textAt(result, 'status', 'name')
  const error = textAt(result, 'error', 'name')
  if (id === '' || group === '') return null
  if (group === 'DELIVERED' && !['', 'DELIVERED_TO_HANDSET'].includes(name)) return null
  return {
    id,
    reference: id,
    result: group === 'DELIVERED' ? 'delivered' : failedGroups.has(group) ? 'failed' : 'pending',
    cause: failureCauses[error] ?? (group === 'EXPIRED' ? 'timeout' : undefined),
    code: error === '' ? group : `${group}:${error}`,
    recipient: textAt(result, 'to') || textAt(result, 'destination'),
    at: readTime(textAt(result, 'doneAt')),
  }
}

function toReply(result: unknown): ProviderReply | null {
  const from = textAt(result, 'from')
  const text = textAt(result, 'text')
  if (textAt(result, 'status', 'groupName') !== '' || from === '' || text === '') return null
  return {
    id: textAt(result, 'messageId'),
    from: withPlus(from),
    to: withPlus(textAt(result, 'to')),
    text,
    at: readTime(textAt(result, 'receivedAt')),
  }
}
