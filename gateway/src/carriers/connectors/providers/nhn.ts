import type { Cause } from '../../../channels/cause.ts'
import { infobankCauses } from './infobank-codes.ts'
import {
  apiUrl,
  at,
  defineProvider,
  formatKoreanTime,
  getRequest,
  jsonRequest,
  listAt,
  refused,
  textAt,
  valueAt,
  type RecordedSubmission,
  type ProviderReceipt,
} from './kit/index.ts'
import { refuseImage } from './mms-image.ts'
import {
  isSuccessful,
  joinId,
  nhnAccount,
  nhnCallback,
  nhnExample,
  parseNhnError,
  readNhnTime,
  parseNhnSendResult,
  splitId,
  toMobileCarrier,
  type NhnCodes,
} from './nhn-common.ts'
import { nextRange, readRange, startRange } from './time-range.ts'

const codes: NhnCodes = {
  // The app key, the member of the project, the IP address, the blocked project, and the monthly quota of the organization.
  account: new Set(['-1000', '-1001', '-1002', '-1003', '-1007', '-1004', '-1008', '-2052']),
  // Failure to store the message in the queue, and unexpected errors.
  unknown: new Set(['-2021', '-9999']),
  causes: {
    '-2002': 'attachment', // File name.
    '-2003': 'attachment', // Not JPEG.
    '-2004': 'attachment', // Expired or missing.
    '-2005': 'attachment', // Size.
    '-2018': 'bad-number', // Empty.
    '-2019': 'bad-number', // Not valid.
    '-2024': 'unsupported', // LMS or MMS abroad.
    '-2044': 'unsupported', // Country.
    '-2312': 'unregistered-sender', // Empty or not registered.
    '-2313': 'unregistered-sender', // Blocked.
  },
}
/** NHN returns the codes of the relay Infobank, and further ones. */
const resultCauses: Readonly<Record<string, Cause>> = {
  ...infobankCauses,
  '4002': 'unregistered-sender',
  '4003': 'bad-number',
  '4004': 'temporary-failure',
  '4005': 'no-subscriber',
  '4006': 'refused',
  '4007': 'refused',
  '4008': 'spam',
  '4009': 'temporary-failure',
  '4010': 'spam',
}
/** `msgStatus` of a search: requested, processing, and waiting until advertisements are allowed. */
const pendingStates = new Set(['1', '2', '7'])
const stateCauses: Readonly<Record<string, Cause>> = { '5': 'duplicate', '6': 'night-hours' }
const pageSize = 100
const pollOverlapMs = 30_000
/** A search by our `recipientGroupingKey` requires a range around the time at which NHN registered the message. */
const searchMarginMs = 3_600_000

export const nhn = defineProvider({
  name: 'nhn',
  summary: 'SMS, LMS, MMS and international SMS over the SMS service of NHN Cloud.',
  channels: ['sms', 'mms', 'international'],
  sources: [
    'https://github.com/TOAST-DOCS/SMS/blob/master/ko/api-guide.md',
    'https://github.com/TOAST-DOCS/SMS/blob/master/ko/webhook.md',
    'https://github.com/TOAST-DOCS/SMS/blob/master/ko/error-code.md',
    'https://github.com/TOAST-DOCS/SMS/blob/master/ko/sending-policy.md',
    'https://github.com/TOAST-DOCS/SMS/blob/master/ko/international-sending-policy.md',
  ],
  checked: '2026-11-18',
  unconfirmed: [
    'How long NHN keeps an uploaded image. Images are uploaded again after an hour.',
    'The codes of mobile carriers. The documents only show 10001 (SKT) and 10002 (KT).',
    'The rate limit: a 429 response counts as throttling, although no document mentions it.',
  ],
  notes: [
    'In the webhook settings of the console, set the URL of the route and a signature, with the events for results and opt-outs, or set `poll`.',
    'NHN requires a title for LMS and MMS; a message without one gets the beginning of its text. Three images together have at most 800 KB, each at most 1000 by 1000 pixels.',
    'For international messages, delivered means that the foreign operator accepted the message. Delivery receipts of that operator are not used, because NHN does not get one for every message.',
  ].join('\n\n'),
  account: { url: apiUrl('https://sms.api.nhncloudservice.com'), ...nhnAccount },
  example: nhnExample,
  login: ({ url, appKey }) => [url, appKey],
  supportsOriginCode: true,
  authorize: (_request, { account }) => ({ 'x-secret-key': account.secretKey }),

  upload: {
    lifetimeMs: 3_600_000,
    request: (file, { account }) =>
      refuseImage('nhn', file) ??
      jsonRequest(at(account.url)`/sms/v3.0/appKeys/${account.appKey}/attachfile/binaryUpload`, {
        // The name has at most 45 characters.
        fileName: file.name.slice(-45),
        createUser: 'postern',
        fileBody: file.bytes.toString('base64'),
      }),
    read(answer) {
      const reference = textAt(answer.json, 'body', 'data', 'fileId')
      if (isSuccessful(answer) && reference !== '') return { kind: 'uploaded', reference }
      return parseNhnError(answer, valueAt(answer.json, 'header'), codes)
    },
  },

  send({ message, reference, from, to, originCid, isAdvertisement }, { account, number }, files) {
    const { channel } = message
    if (channel !== 'sms' && channel !== 'mms' && channel !== 'international')
      return refused('unsupported', 'nhn:channel', 'nhn supports SMS, LMS, MMS and international SMS')
    if (originCid !== undefined && !/^\d{9}$/.test(originCid))
      return refused('origin-code', 'nhn:origin-code', 'nhn accepts origin codes of nine digits')
    const { text } = message.content
    const kind = (isAdvertisement ? 'ad-' : '') + (channel === 'mms' ? 'mms' : 'sms')
    return jsonRequest(at(account.url)`/sms/v3.0/appKeys/${account.appKey}/sender/${kind}`, {
      title: channel === 'mms' ? (message.content.title ?? text.trim().slice(0, 20)) : undefined,
      body: text,
      sendNo: number(from, 'domestic'),
      attachFileIdList: files.length === 0 ? undefined : files.map(Number),
      recipientList: [
        channel === 'international'
          ? { internationalRecipientNo: number(to, 'international'), recipientGroupingKey: reference }
          : { recipientNo: number(to, 'domestic'), recipientGroupingKey: reference },
      ],
      originCode: originCid,
    })
  },

  parseResponse: (answer) =>
    parseNhnSendResult(
      answer,
      { sent: valueAt(answer.json, 'body', 'data'), results: 'sendResultList' },
      codes,
    ),

  callback: nhnCallback(toReceipt),

  poll: {
    everyMs: 10_000,
    start: startRange,
    request(cursor, { account }, now) {
      const { from, to, page } = readRange(cursor, now)
      return getRequest(at(account.url)`/sms/v3.0/appKeys/${account.appKey}/message-results`, {
        startUpdateDate: formatKoreanTime(from),
        endUpdateDate: formatKoreanTime(to),
        pageNum: page || '1',
        pageSize,
      })
    },
    read(answer, cursor, now) {
      if (!isSuccessful(answer)) return null
      const range = readRange(cursor, now)
      const page = Number(range.page || '1')
      const hasMore = Number(textAt(answer.json, 'body', 'totalCount')) > page * pageSize
      return {
        receipts: listAt(answer.json, 'body', 'data').map(toReceipt),
        cursor: nextRange(range, hasMore ? String(page + 1) : null, pollOverlapMs),
        hasMore,
      }
    },
  },

  lookup: {
    by: 'reference',
    request(submission, { account }) {
      const list = at(account.url)`/sms/v3.0/appKeys/${account.appKey}/sender/${searchKind(submission)}`
      if (submission.carrierId === null) {
        const submittedAt = submission.submittedAt.getTime()
        return getRequest(list, {
          recipientGroupingKey: submission.reference,
          startCreateDate: formatKoreanTime(new Date(submittedAt - searchMarginMs)),
          endCreateDate: formatKoreanTime(new Date(submittedAt + searchMarginMs)),
        })
      }
      const [requestId, recipientSeq] = splitId(submission.carrierId)
      return getRequest(at(list)`/${requestId}`, { recipientSeq })
    },
    read(answer) {
      if (!isSuccessful(answer)) return null
      const data = valueAt(answer.json, 'body', 'data')
      const found: unknown = Array.isArray(data) ? data[0] : data
      return joinId(found) === '' ? 'not-found' : toReceipt(found)
    },
  },
})

/** Searches for advertisements use the same URLs. */
function searchKind({ given }: RecordedSubmission): string {
  return given.channel === 'mms' ? 'mms' : 'sms'
}

/** Reads a webhook, a polled result or a search result. */
function toReceipt(document: unknown): ProviderReceipt {
  const code = textAt(document, 'resultCode')
  const state = textAt(document, 'msgStatus')
  const status = textAt(document, 'messageStatus')
  const isPending = pendingStates.has(state) || (code === '' && state === '' && status === '')
  return {
    id: joinId(document),
    // The documents have two spellings for the field of webhooks.
    reference: textAt(document, 'recipientGroupingKey') || textAt(document, 'recipientGropuingKey'),
    result: isPending ? 'pending' : code === '1000' ? 'delivered' : 'failed',
    cause: resultCauses[code] ?? stateCauses[state],
    code: code || status || state,
    recipient: textAt(document, 'recipientNo'),
    at: readNhnTime(document, 'receiveDate', 'resultDate'),
    ...toMobileCarrier(textAt(document, 'telecomCode')),
  }
}
