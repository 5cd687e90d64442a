import type { Cause } from '../../../channels/cause.ts'
import {
  accepted,
  accountName,
  apiUrl,
  at,
  defineProvider,
  formRequest,
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

// Source, except for DoNotDisturbRejection: https://pkg.go.dev/github.com/hekimapro/utils@v1.1.0/communication
const refusalCauses: Readonly<Record<string, Cause>> = {
  InvalidSenderId: 'unregistered-sender',
  InvalidPhoneNumber: 'bad-number',
  UnsupportedNumberType: 'bad-number',
  UserInBlacklist: 'refused',
  DoNotDisturbRejection: 'night-hours',
}
const acceptedCodes = new Set(['100', '101', '102'])
/** Errors inside the service or a gateway, which leave open whether the message was sent. */
const unknownCodes = new Set(['500', '501'])
/** The `status` with the `statusCode` 405. */
const noBalance = 'InsufficientBalance'
const results: Readonly<Record<string, ProviderReceipt['result']>> = {
  success: 'delivered',
  failed: 'failed',
  rejected: 'failed',
  expired: 'failed',
  absentsubscriber: 'failed',
}
const failureCauses: Readonly<Record<string, Cause>> = {
  Expired: 'spam',
  AbsentSubscriber: 'phone-off',
  UserDoesNotExist: 'no-subscriber',
  UserIsInactive: 'no-subscriber',
  UserInBlackList: 'refused',
  DoNotDisturbRejection: 'night-hours',
}

export const africastalking = defineProvider({
  name: 'africastalking',
  summary: "Text messages over the SMS API of Africa's Talking.",
  channels: ['sms', 'international'],
  sources: [
    'https://developers.africastalking.com/docs/sms/sending/bulk',
    'https://developers.africastalking.com/docs/sms/notifications',
    'https://www.mintlify.com/DaggieBlanqx/Google-Africastalking-AI-Course/api/sms-utils',
    'https://www.mintlify.com/DaggieBlanqx/Google-Africastalking-AI-Course/concepts/webhooks',
    'https://github.com/nyaruka/courier/blob/350e9350/handlers/africastalking/handler_test.go',
  ],
  checked: '2026-11-18',
  notes:
    "At Africa's Talking, set `<callbackUrl>/<callbackToken>` as the URL for delivery reports and incoming messages; requests cannot set it. The deadline of a message is not sent, because it is not confirmed that the API supports one.",
  account: {
    url: apiUrl('https://api.africastalking.com'),
    username: accountName('User name of the application.', 128),
    apiKey: secret('API key.'),
  },
  example: {
    username: 'my-app',
    apiKey: 'env:POSTERN_ROUTE_SECRET_AFRICASTALKING_API_KEY',
    callbackToken: 'env:POSTERN_ROUTE_SECRET_AFRICASTALKING_CALLBACK_TOKEN',
  },
  login: ({ url, username }) => [url, username],
  authorize: (_request, { account }) => ({ apikey: account.apiKey }),

  send({ message, from, to }, { account, number }) {
    if (!('text' in message.content))
      return refused('unsupported', 'africastalking:channel', 'only text messages are supported')
    const fields = {
      username: account.username,
      to: number(to, 'e164'),
      from: number(from, 'international'),
      message: message.content.text,
    }
    return formRequest(at(account.url)`/version1/messaging`, fields, { accept: 'application/json' })
  },

  parseResponse(answer) {
    const data = valueAt(answer.json, 'SMSMessageData')
    const status = textAt(data, 'Recipients', 0, 'status')
    const statusCode = textAt(data, 'Recipients', 0, 'statusCode')
    const text = textAt(data, 'Message')
    const code = status || text
    const id = textAt(data, 'Recipients', 0, 'messageId')
    const isAccepted = acceptedCodes.has(statusCode) || status === 'Success'
    if (isAccepted && answer.isSuccess && id !== '') return accepted(id)
    if (statusCode === '405' || code === noBalance) return { kind: 'account-refused', code, text }
    if (isAccepted || unknownCodes.has(statusCode)) return { kind: 'unknown', code, text }
    const cause = refusalCauses[code]
    const recipients = valueAt(data, 'Recipients')
    const isEmpty = answer.isSuccess && Array.isArray(recipients) && recipients.length === 0
    if (status !== '' || isEmpty) return refused(cause ?? 'refused', code, text)
    return standardOutcome(answer, { code, text, cause })
  },

  callback: {
    verify: 'path',
    contentType: 'application/x-www-form-urlencoded',
    read(body): ProviderEvents | null {
      if (typeof body !== 'object' || body === null) return null
      const id = textAt(body, 'id')
      if (id !== '' && textAt(body, 'status') !== '') return { receipts: [toReceipt(id, body)] }
      const from = withPlus(textAt(body, 'from'))
      const text = textAt(body, 'text')
      if (from === '' || text === '') return {}
      const to = withPlus(textAt(body, 'to'))
      return { replies: [{ id, from, to, text, at: readTime(textAt(body, 'date')) }] }
    },
  },
})

function toReceipt(id: string, fields: unknown): ProviderReceipt {
  const status = textAt(fields, 'status')
  const reason = textAt(fields, 'failureReason')
  return {
    id,
    result: results[status.toLowerCase()] ?? 'pending',
    cause: failureCauses[reason] ?? failureCauses[status],
    code: reason === '' ? status : `${status}:${reason}`,
    recipient: textAt(fields, 'phoneNumber'),
  }
}
