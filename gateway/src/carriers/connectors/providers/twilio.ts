import { createHmac } from 'node:crypto'
import type { Cause } from '../../../channels/cause.ts'
import {
  accepted,
  accountName,
  apiUrl,
  at,
  basic,
  defineProvider,
  formRequest,
  getRequest,
  getHeader,
  isSameSecret,
  parseForm,
  refused,
  secret,
  standardOutcome,
  textAt,
  Type,
  type ProviderReceipt,
} from './kit/index.ts'

const causes: Readonly<Record<string, Cause>> = {
  '21211': 'bad-number',
  '21614': 'bad-number',
  '21606': 'unregistered-sender',
  '21610': 'refused',
  '30003': 'phone-off',
  '30004': 'refused',
  '30005': 'no-subscriber',
  '30006': 'unsupported',
  '30007': 'spam',
}
const accountCodes = new Set(['10001', '20003', '20005', '20403', '90010'])
const results: Readonly<Record<string, ProviderReceipt['result']>> = {
  delivered: 'delivered',
  read: 'delivered',
  undelivered: 'failed',
  failed: 'failed',
  canceled: 'failed',
}
/** Twilio queues a message for at most ten hours. */
const maxValiditySeconds = 36_000

export const twilio = defineProvider({
  name: 'twilio',
  summary: 'Text messages over the Messages API of Twilio.',
  channels: ['sms', 'international'],
  sources: [
    'https://www.twilio.com/docs/messaging/api/message-resource',
    'https://www.twilio.com/docs/messaging/guides/track-outbound-message-status',
    'https://www.twilio.com/docs/messaging/twiml',
    'https://www.twilio.com/docs/usage/security',
    'https://www.twilio.com/docs/api/errors',
    'https://github.com/nyaruka/courier/blob/350e9350/handlers/twiml/handlers_test.go',
  ],
  checked: '2026-11-15',
  notes:
    'callbackUrl must be exactly the URL that Twilio calls, because it is part of the signature. To receive replies, set the same URL as the webhook for incoming messages of the number or messaging service. `ValidityPeriod` limits the time in the queue of Twilio; the delivery time of the network cannot be limited.',
  account: {
    url: apiUrl('https://api.twilio.com'),
    accountSid: accountName('Account SID.', 64),
    authToken: secret('Auth token.'),
    messagingServiceSid: Type.Optional(
      accountName('Messaging service that selects the sender. If set, `from` is not sent.', 64),
    ),
  },
  example: {
    accountSid: 'ACXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXX',
    authToken: 'env:POSTERN_ROUTE_SECRET_TWILIO_AUTH_TOKEN',
    callbackUrl: 'https://sms.example.com/inbound/my-route',
  },
  login: ({ url, accountSid }) => [url, accountSid],
  authorize: (_request, { account }) => ({ authorization: basic(account.accountSid, account.authToken) }),

  send({ message, from, to, secondsLeft }, { account, callbackUrl, number }) {
    if (!('text' in message.content))
      return refused('unsupported', 'twilio:channel', 'only text messages are supported')
    const { accountSid, messagingServiceSid } = account
    return formRequest(at(account.url)`/2010-04-01/Accounts/${accountSid}/Messages.json`, {
      To: number(to, 'e164'),
      From: messagingServiceSid === undefined ? number(from, 'e164') : undefined,
      MessagingServiceSid: messagingServiceSid,
      Body: message.content.text,
      StatusCallback: callbackUrl,
      ValidityPeriod: Math.min(secondsLeft, maxValiditySeconds),
    })
  },

  parseResponse(answer) {
    const sid = textAt(answer.json, 'sid')
    if (answer.isSuccess && sid !== '') return accepted(sid)
    const code = textAt(answer.json, 'code')
    const text = textAt(answer.json, 'message')
    if (accountCodes.has(code)) return { kind: 'account-refused', code, text }
    return standardOutcome(answer, { code, text, cause: causes[code] })
  },

  callback: {
    contentType: 'application/x-www-form-urlencoded',
    response: { status: 204 },
    verify(request, { account, callbackUrl }) {
      if (callbackUrl === undefined) return false
      const form = parseForm(request.body)
      if (form === null) return false
      const fields = [...form].sort(([left], [right]) => (left < right ? -1 : left > right ? 1 : 0))
      const signed = callbackUrl + fields.map(([name, value]) => name + value).join('')
      const signature = createHmac('sha1', account.authToken).update(signed).digest('base64')
      return isSameSecret(getHeader(request, 'x-twilio-signature'), signature)
    },
    read(body) {
      const status = textAt(body, 'MessageStatus')
      if (status !== '')
        return { receipts: [toReceipt(body, 'MessageSid', 'MessageStatus', 'ErrorCode', 'To')] }
      const id = textAt(body, 'MessageSid')
      const reply = { id, from: textAt(body, 'From'), to: textAt(body, 'To'), text: textAt(body, 'Body') }
      return id === '' || reply.from === '' ? {} : { replies: [reply] }
    },
  },

  lookup: {
    by: 'carrierId',
    request: ({ carrierId }, { account }) =>
      getRequest(at(account.url)`/2010-04-01/Accounts/${account.accountSid}/Messages/${carrierId!}.json`),
    read(answer) {
      if (answer.status === 404) return 'not-found'
      return answer.isSuccess ? toReceipt(answer.json, 'sid', 'status', 'error_code', 'to') : null
    },
  },
})

function toReceipt(
  document: unknown,
  idField: string,
  statusField: string,
  errorField: string,
  toField: string,
): ProviderReceipt {
  const status = textAt(document, statusField)
  const code = textAt(document, errorField)
  return {
    id: textAt(document, idField),
    result: results[status] ?? 'pending',
    cause: causes[code],
    code: code === '' ? status : `${status}:${code}`,
    recipient: textAt(document, toField),
  }
}
