import { createHash, createHmac, randomBytes } from 'node:crypto'
import type { Cause } from '../../../channels/cause.ts'
import type { SubmissionContent as Alimtalk } from '../../../channels/alimtalk/alimtalk.ts'
import { clock } from '../../../platform/time/clock.ts'
import {
  accepted,
  accountName,
  apiUrl,
  at,
  defineProvider,
  getRequest,
  getHeader,
  isSameSecret,
  jsonRequest,
  readTime,
  refused,
  secret,
  standardOutcome,
  textAt,
  Type,
  valueAt,
  type ProviderResponse,
  type ProviderFailure,
  type ProviderMessage,
  type ProviderReceipt,
  type ProviderRefusal,
} from './kit/index.ts'

const causes: Readonly<Record<string, Cause>> = {
  '1026': 'duplicate',
  '1060': 'refused',
  '1061': 'refused',
  '1062': 'unregistered-sender',
  '3032': 'no-subscriber',
  '3043': 'phone-off',
  '3054': 'spam',
  '3059': 'unregistered-sender',
}
const accountErrors = new Set([
  'InvalidAPIKey',
  'SignatureDoesNotMatch',
  'RequestTimeTooSkewed',
  'NotEnoughBalance',
])
const noCredit = new Set(['1030', '2230'])
const delivered = '4000'
/** Registered at SOLAPI, and passed to the network. Every other code is final. */
const pending = new Set(['2000', '3000'])
/** SOLAPI states no limit for files; one day limits the upload cache. */
const fileLifetimeMs = 86_400_000
const pageSize = 100
/** Overlap that finds results written while their page was read. */
const overlapMs = 60_000
const initialLookbackMs = 86_400_000

export const solapi = defineProvider({
  name: 'solapi',
  summary: 'SMS, LMS, MMS and alimtalk over SOLAPI (CoolSMS).',
  channels: ['sms', 'mms', 'alimtalk'],
  sources: [
    'https://github.com/solapi/documents/blob/master/authentication/api-key.md',
    'https://github.com/solapi/documents/blob/master/message-status-codes.md',
    'https://github.com/solapi/solapi-nodejs/tree/master/src/models',
    'https://solapi.com/developers/api/webhook',
  ],
  checked: '2026-11-18',
  unconfirmed: [
    'How SOLAPI reports an account without credit: the status codes 1030 and 2230, the error NotEnoughBalance and HTTP 402 are recognized.',
    'How long an uploaded image can be used. Images are uploaded again after a day.',
  ],
  notes:
    'At SOLAPI, set the webhook for the event SINGLE-REPORT to callbackUrl, with webhookSecret as its secret; without a webhook, set `poll`. Replies are not supported. `pfId` replaces the sender key of an alimtalk: SOLAPI issues one for each channel. A message has at most one image. The fallback of SOLAPI is disabled.',
  account: {
    url: apiUrl('https://api.solapi.com'),
    apiKey: accountName('API key.', 64),
    apiSecret: secret('API secret.'),
    webhookSecret: Type.Optional(secret('Secret of the webhook; required for callbacks.')),
    pfIds: Type.Record(Type.String({ maxLength: 40 }), Type.String({ minLength: 1, maxLength: 64 }), {
      description: 'The pfId of each sender key, for alimtalk: { "<sender key>": "KA01PF…" }.',
      default: {},
      maxProperties: 1_000,
    }),
  },
  example: {
    apiKey: 'NCSXXXXXXXXXXXXX',
    apiSecret: 'env:POSTERN_ROUTE_SECRET_SOLAPI',
    webhookSecret: 'env:POSTERN_ROUTE_SECRET_SOLAPI_WEBHOOK',
  },
  login: ({ url, apiKey }) => [url, apiKey],
  authorize(_request, { account }) {
    const date = clock.date().toISOString()
    const salt = randomBytes(16).toString('hex')
    const signature = createHmac('sha256', account.apiSecret)
      .update(date + salt)
      .digest('hex')
    return {
      authorization: `HMAC-SHA256 apiKey=${account.apiKey}, date=${date}, salt=${salt}, signature=${signature}`,
    }
  },

  upload: {
    lifetimeMs: fileLifetimeMs,
    request: ({ bytes }, { account }) =>
      jsonRequest(at(account.url)`/storage/v1/files`, { file: bytes.toString('base64'), type: 'MMS' }),
    read(answer) {
      const reference = textAt(answer.json, 'fileId')
      return answer.isSuccess && reference !== '' ? { kind: 'uploaded', reference } : readError(answer)
    },
  },

  send(message, { account, number }, files) {
    const content = toContent(message, account.pfIds, files)
    if ('kind' in content) return content
    const { to, from, reference } = message
    return jsonRequest(at(account.url)`/messages/v4/send`, {
      message: {
        to: number(to, 'domestic'),
        from: from === '' ? undefined : number(from, 'domestic'),
        ...content,
        autoTypeDetect: false,
        customFields: { reference },
      },
    })
  },
  parseResponse(answer) {
    const id = textAt(answer.json, 'messageId')
    const status = textAt(answer.json, 'statusCode')
    if (answer.isSuccess && id !== '' && status === '2000') return accepted(id)
    return readError(answer)
  },

  callback: {
    verify(request, { account }) {
      if (account.webhookSecret === undefined) return false
      const expected = createHash('sha1').update(account.webhookSecret).digest('hex')
      return isSameSecret(getHeader(request, 'x-solapi-secret').toLowerCase(), expected)
    },
    read(body) {
      if (!Array.isArray(body)) return null
      // Ignores other events, such as reports of groups, which have no message id.
      return { receipts: body.map(toReceipt).filter(({ id }) => id !== '') }
    },
  },

  /** The cursor is the start of a time range; after the first page it also has its end and the key of the next page. */
  poll: {
    everyMs: 10_000,
    start: (now) => new Date(now.getTime() - initialLookbackMs).toISOString(),
    request(cursor, { account }, now) {
      const [startDate, endDate = now.toISOString(), startKey] = cursor.split(' ')
      const range = { dateType: 'UPDATED', startDate, endDate }
      return getRequest(at(account.url)`/messages/v4/list`, { ...range, limit: pageSize, startKey })
    },
    read(answer, cursor, now) {
      const list = valueAt(answer.json, 'messageList')
      if (!answer.isSuccess || typeof list !== 'object' || list === null) return null
      const nextKey = textAt(answer.json, 'nextKey')
      const [startDate, endDate = now.toISOString()] = cursor.split(' ')
      return {
        receipts: Object.values(list).map(toReceipt),
        hasMore: nextKey !== '',
        cursor:
          nextKey === ''
            ? new Date(Date.parse(endDate) - overlapMs).toISOString()
            : `${startDate} ${endDate} ${nextKey}`,
      }
    },
  },

  lookup: {
    by: 'carrierId',
    request: ({ carrierId }, { account }) =>
      getRequest(at(account.url)`/messages/v4/list`, { messageId: carrierId! }),
    read(answer, { carrierId }) {
      const list = valueAt(answer.json, 'messageList')
      if (!answer.isSuccess || typeof list !== 'object' || list === null) return null
      const found = valueAt(list, carrierId!)
      return found === undefined ? 'not-found' : toReceipt(found)
    },
  },
})

function toContent(
  { message }: ProviderMessage,
  pfIds: Readonly<Record<string, string>>,
  files: readonly string[],
): object | ProviderRefusal {
  switch (message.channel) {
    case 'sms':
      return { type: 'SMS', text: message.content.text }
    case 'mms': {
      if (files.length > 1)
        return refused('attachment', 'solapi:images', 'SOLAPI accepts at most one image per message')
      const { title: subject, text } = message.content
      return { type: files.length === 0 ? 'LMS' : 'MMS', subject, text, imageId: files[0] }
    }
    case 'alimtalk':
      return toAlimtalk(message.content, pfIds)
    default:
      return refused('unsupported', 'solapi:channel', `SOLAPI does not support ${message.channel} messages`)
  }
}

function toAlimtalk(
  { senderKey, templateCode, message: text, attachment = {}, ...rest }: Alimtalk,
  pfIds: Readonly<Record<string, string>>,
): object | ProviderRefusal {
  const pfId = pfIds[senderKey]
  if (pfId === undefined)
    return refused('unregistered-sender', 'solapi:sender', 'option pfIds of the route: sender key not found')
  const isPlain = [
    rest.title,
    rest.header,
    rest.link,
    rest.supplement,
    attachment.item,
    attachment.itemHighlight,
  ].every((part) => part === undefined)
  if (!isPlain)
    return refused(
      'unsupported',
      'solapi:content',
      'SOLAPI accepts only the text and the buttons of an alimtalk',
    )
  const buttons = attachment.button?.map(({ name, type, urlMobile, urlPc, schemeAndroid, schemeIos }) => ({
    buttonName: name,
    buttonType: type,
    linkMo: urlMobile,
    linkPc: urlPc,
    linkAnd: schemeAndroid,
    linkIos: schemeIos,
  }))
  return { type: 'ATA', text, kakaoOptions: { pfId, templateId: templateCode, buttons, disableSms: true } }
}

function readError(answer: ProviderResponse): ProviderFailure {
  const error = textAt(answer.json, 'errorCode')
  const text = textAt(answer.json, 'errorMessage') || textAt(answer.json, 'statusMessage')
  // The error text of a refused message contains the status code.
  const [named = ''] = error === 'InvalidStatusCode' ? (/\b\d{4}\b/.exec(text) ?? []) : []
  const status = textAt(answer.json, 'statusCode') || named
  const code = status === '' ? error : status
  if (accountErrors.has(error) || noCredit.has(status)) return { kind: 'account-refused', code, text }
  if (answer.isSuccess && /^\d{4}$/.test(status) && !pending.has(status))
    return refused(causes[status] ?? 'refused', status, text)
  return standardOutcome(answer, { code, text, cause: causes[status] })
}

function toReceipt(item: unknown): ProviderReceipt {
  const code = textAt(item, 'statusCode')
  return {
    id: textAt(item, 'messageId'),
    reference: textAt(item, 'customFields', 'reference'),
    result: code === delivered ? 'delivered' : pending.has(code) || code === '' ? 'pending' : 'failed',
    cause: causes[code],
    code,
    recipient: textAt(item, 'to'),
    at: readTime(valueAt(item, 'dateUpdated')),
  }
}
