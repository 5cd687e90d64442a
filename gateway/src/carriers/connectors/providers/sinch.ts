import {
  accepted,
  accountName,
  apiUrl,
  at,
  defineProvider,
  getRequest,
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
  Delivered: 'delivered',
  Failed: 'failed',
  Rejected: 'failed',
  Expired: 'failed',
  Aborted: 'failed',
  Cancelled: 'failed',
  Deleted: 'failed',
}

export const sinch = defineProvider({
  name: 'sinch',
  summary: 'Text messages over the SMS API (XMS) of Sinch.',
  channels: ['sms', 'international'],
  sources: [
    'https://developers.sinch.com/docs/sms/api-reference/sms/batches',
    'https://developers.sinch.com/docs/sms/api-reference/sms/tag/Delivery-reports/',
    'https://developers.sinch.com/docs/sms/api-reference/sms/tag/Webhooks/',
    'https://developers.sinch.com/docs/sms/api-reference/sms/tag/Inbounds/',
    'https://developers.sinch.com/docs/sms/tutorials/node-sdk/delivery-reports/get-for-number',
    'https://developers.sinch.com/sdk/sinch-sdk-node/1.5.0/interfaces/Sms.RecipientDeliveryReport.html',
    'https://developers.sinch.com/sdk/sinch-sdk-node/1.5.0/interfaces/Sms.TextResponse.html',
    'https://community.sinch.com/t5/SMS/Common-SMS-HTTP-Statuses-and-Codes-Explained/ta-p/14163',
  ],
  checked: '2026-11-18',
  notes:
    'Set url to the URL of the service plan’s region, such as https://eu.sms.api.sinch.com. To receive replies, set callbackUrl with callbackToken as its last segment as the callback URL of the service plan.',
  account: {
    url: apiUrl('https://us.sms.api.sinch.com'),
    servicePlanId: accountName('Service plan id.', 64),
    apiToken: secret('API token.'),
  },
  example: {
    servicePlanId: 'my-plan',
    apiToken: 'env:POSTERN_ROUTE_SECRET_SINCH_API_TOKEN',
    callbackUrl: 'https://sms.example.com/inbound/my-route',
    callbackToken: 'env:POSTERN_ROUTE_SECRET_SINCH_CALLBACK_TOKEN',
  },
  login: ({ url, servicePlanId }) => [url, servicePlanId],
  authorize: (_request, { account }) => ({ authorization: `Bearer ${account.apiToken}` }),

  send({ message, from, to, reference, validUntil }, { account, callbackUrl, number }) {
    if (!('text' in message.content))
      return refused('unsupported', 'sinch:channel', 'only text messages are supported')
    return jsonRequest(at(account.url)`/xms/v1/${account.servicePlanId}/batches`, {
      from: number(from, 'international'),
      to: [number(to, 'international')],
      body: message.content.text,
      delivery_report: 'per_recipient',
      callback_url: callbackUrl,
      client_reference: reference,
      expire_at: validUntil.toISOString(),
    })
  },

  parseResponse(answer) {
    const id = textAt(answer.json, 'id')
    if (answer.isSuccess && id !== '') return accepted(id)
    const code = textAt(answer.json, 'code')
    const text = textAt(answer.json, 'text')
    if (code === 'blocked_account') return { kind: 'account-refused', code, text }
    return standardOutcome(answer, { code, text })
  },

  callback: {
    verify: 'path',
    read(body) {
      switch (textAt(body, 'type')) {
        case 'recipient_delivery_report_sms':
        case 'recipient_delivery_report_mms':
          return { receipts: [toReceipt(body)] }
        case 'mo_text':
          return {
            replies: [
              {
                id: textAt(body, 'id'),
                from: withPlus(textAt(body, 'from')),
                to: withPlus(textAt(body, 'to')),
                text: textAt(body, 'body'),
                at: readTime(valueAt(body, 'received_at')),
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
    request: ({ carrierId, to }, { account, number }) =>
      getRequest(
        at(
          account.url,
        )`/xms/v1/${account.servicePlanId}/batches/${carrierId!}/delivery_report/${number(to, 'international')}`,
      ),
    read(answer) {
      if (answer.status === 404) return 'not-found'
      return answer.isSuccess && textAt(answer.json, 'status') !== '' ? toReceipt(answer.json) : null
    },
  },
})

function toReceipt(report: unknown): ProviderReceipt {
  const status = textAt(report, 'status')
  const code = textAt(report, 'code')
  return {
    id: textAt(report, 'batch_id'),
    reference: textAt(report, 'client_reference'),
    result: results[status] ?? 'pending',
    cause: status === 'Expired' ? 'timeout' : undefined,
    code: code === '' ? status : `${status}:${code}`,
    recipient: textAt(report, 'recipient'),
    at: readTime(valueAt(report, 'operator_status_at')) ?? readTime(valueAt(report, 'at')),
  }
}
