/** Alimtalk and brand messages over the KakaoTalk Bizmessage API of NHN Cloud. `nhn-brand.ts` converts the bubbles. */
import type { SubmissionContent as Alimtalk } from '../../../channels/alimtalk/alimtalk.ts'
import { convertFriendtalk, friendtalkOption, toBrandFile } from '../friendtalk.ts'
import { kakaoCause, kakaoResult } from './kakao-codes.ts'
import {
  apiUrl,
  at,
  defineProvider,
  formatKoreanTime,
  fileRequest,
  getRequest,
  isRefusal,
  jsonRequest,
  listAt,
  refused,
  textAt,
  valueAt,
  type RecordedSubmission,
  type ProviderReceipt,
  type ProviderRefusal,
} from './kit/index.ts'
import { nhnBrandImageType, toNhnBrandMessage, toNhnButton, toNhnLinks } from './nhn-brand.ts'
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
  type NhnCodes,
} from './nhn-common.ts'
import { nextRange, readRange, startRange } from './time-range.ts'

const codes: NhnCodes = {
  account: new Set(['-1000', '-1001', '-1030', '-4004', '-4005']),
  unknown: new Set(['-7000', '-9999']),
  causes: {
    '-1006': 'unregistered-sender',
    '-1014': 'unregistered-sender',
    '-1027': 'unregistered-sender',
    '-2017': 'unregistered-sender',
    '-3301': 'refused',
    '-4007': 'attachment',
    '-4009': 'attachment',
    '-4019': 'bad-number',
    '-5000': 'bad-number',
    '-8001': 'attachment',
    '-8002': 'attachment',
    '-8008': 'spam',
  },
}
/** The message id does not exist. */
const notFound = '-1016'
const maxTemplateCode = 20
const pageSize = 100
const pollOverlapMs = 60_000
const searchMarginMs = 3_600_000
const paths = { alimtalk: 'alimtalk/v2.3', brandmessage: 'brand-message/v1.0' } as const

export const nhnKakao = defineProvider({
  name: 'nhn-kakao',
  summary: 'Alimtalk and brand messages over the KakaoTalk Bizmessage service of NHN Cloud.',
  channels: ['alimtalk', 'friendtalk', 'brandmessage'],
  sources: [
    'https://github.com/TOAST-DOCS/Alimtalk/blob/master/ko/alimtalk-api-guide.md',
    'https://github.com/TOAST-DOCS/Alimtalk/blob/master/ko/friendtalkupgrade-api-guide.md',
    'https://github.com/TOAST-DOCS/Alimtalk/blob/master/ko/webhook-api-guide.md',
    'https://github.com/TOAST-DOCS/Alimtalk/blob/master/ko/error-code.md',
  ],
  checked: '2026-11-18',
  unconfirmed: ['The rate limit: a 429 response counts as throttling, although no document mentions it.'],
  notes: [
    'In the webhook settings of the console, set the URL of the route and a signature, or set `poll` for alimtalk. Results of brand messages arrive by webhook or by lookup only, because NHN lists them only by the time of the request.',
    'The fallback of NHN is disabled in every request. NHN marks every brand message as an advertisement and does not support group tags.',
  ].join('\n\n'),
  account: {
    url: apiUrl('https://kakaotalk-bizmessage.api.nhncloudservice.com'),
    ...nhnAccount,
    friendtalk: friendtalkOption,
  },
  example: nhnExample,
  login: ({ url, appKey }) => [url, appKey],
  authorize: (_request, { account }) => ({ 'x-secret-key': account.secretKey }),

  upload: {
    lifetimeMs: 24 * 3_600_000,
    acceptsUrls: true,
    place: (file) => nhnBrandImageType(toBrandFile(file)),
    request: (file, { account }, imageType) =>
      file.bytes.length > 5 * 1_024 * 1_024
        ? refused('attachment', 'nhn:image-size', 'nhn accepts images of at most 5 MB')
        : fileRequest(at(account.url)`/brand-message/v1.0/appkeys/${account.appKey}/images`, 'image', file, {
            imageType,
          }),
    read(answer) {
      const reference = textAt(answer.json, 'image', 'imageUrl')
      if (isSuccessful(answer) && reference !== '') return { kind: 'uploaded', reference }
      return parseNhnError(answer, valueAt(answer.json, 'header'), codes)
    },
  },

  send({ message, reference, to, originCid, files: keys }, { account, number }, files) {
    const recipient = {
      recipientNo: number(to, 'domestic'),
      // If omitted, the settings of the console apply.
      resendParameter: { isResend: false },
      recipientGroupingKey: reference,
    }
    const base = at(account.url)
    if (message.channel === 'alimtalk') {
      const body = toAlimtalk(message.content, recipient)
      if (isRefusal(body)) return body
      return jsonRequest(base`/alimtalk/v2.3/appkeys/${account.appKey}/raw-messages`, body)
    }
    if (message.channel !== 'brandmessage' && message.channel !== 'friendtalk')
      return refused(
        'unsupported',
        'nhn:channel',
        'nhn-kakao supports alimtalk, friendtalk and brand messages',
      )
    const content =
      message.channel === 'friendtalk'
        ? convertFriendtalk(account.friendtalk, message.content)
        : message.content
    if ('kind' in content) return content
    const images = new Map(keys.map(({ key }, index) => [key, files[index] ?? key]))
    const body = toNhnBrandMessage(content, recipient, images, originCid)
    if (isRefusal(body)) return body
    const kind = content.sendType === 'basic' ? 'basic-messages' : 'freestyle-messages'
    return jsonRequest(base`/brand-message/v1.0/appkeys/${account.appKey}/${kind}`, body)
  },

  parseResponse: (answer) =>
    parseNhnSendResult(answer, { sent: valueAt(answer.json, 'message'), results: 'sendResults' }, codes),

  callback: nhnCallback(toReceipt),

  poll: {
    everyMs: 30_000,
    start: startRange,
    request(cursor, { account }, now) {
      const { from, to, page } = readRange(cursor, now)
      return getRequest(at(account.url)`/alimtalk/v2.3/appkeys/${account.appKey}/message-results`, {
        startUpdateDate: toMinutes(from),
        endUpdateDate: toMinutes(to),
        pageNum: page || '1',
        pageSize,
      })
    },
    read(answer, cursor, now) {
      if (!isSuccessful(answer)) return null
      const messages = listAt(answer.json, 'messages')
      // The response has no total.
      const hasMore = messages.length === pageSize
      const range = readRange(cursor, now)
      const next = hasMore ? String(Number(range.page || '1') + 1) : null
      return { receipts: messages.map(toReceipt), cursor: nextRange(range, next, pollOverlapMs), hasMore }
    },
  },

  lookup: {
    by: 'reference',
    request(submission, { account }) {
      // The slash in the path of the service must not be encoded.
      const service = `${at(account.url)`/`}${searchPath(submission)}`
      const list = at(service)`/appkeys/${account.appKey}/messages`
      if (submission.carrierId !== null) {
        const [requestId, recipientSeq] = splitId(submission.carrierId)
        return getRequest(at(list)`/${requestId}/${recipientSeq}`)
      }
      const submittedAt = submission.submittedAt.getTime()
      return getRequest(list, {
        recipientGroupingKey: submission.reference,
        startRequestDate: toMinutes(new Date(submittedAt - searchMarginMs)),
        endRequestDate: toMinutes(new Date(submittedAt + searchMarginMs)),
      })
    },
    read(answer) {
      if (textAt(answer.json, 'header', 'resultCode') === notFound) return 'not-found'
      if (!isSuccessful(answer)) return null
      const [listed] = listAt(answer.json, 'messageSearchResultResponse', 'messages')
      const found = valueAt(answer.json, 'message') ?? listed
      return joinId(found) === '' ? 'not-found' : toReceipt(found)
    },
  },
})

function searchPath({ given }: RecordedSubmission): string {
  return paths[given.channel === 'alimtalk' ? 'alimtalk' : 'brandmessage']
}

function toAlimtalk(content: Alimtalk, recipient: object): object | ProviderRefusal {
  const { templateCode, price, currencyType, attachment, supplement, link } = content
  if (templateCode.length > maxTemplateCode)
    return refused('unsupported', 'nhn:template-code', 'nhn accepts template codes of at most 20 characters')
  if (price !== undefined && !Number.isInteger(Number(price)))
    return refused('unsupported', 'nhn:price', 'nhn accepts only integer prices')
  const actions = [...(attachment?.button ?? []), ...(supplement?.quickReply ?? [])]
  if (actions.some(({ bizFormKey }) => bizFormKey !== undefined))
    return refused(
      'unsupported',
      'nhn:business-form',
      'nhn accepts business forms of alimtalk only by bizFormId',
    )
  const hasOption = price !== undefined || currencyType !== undefined
  return {
    senderKey: content.senderKey,
    templateCode,
    recipientList: [
      {
        ...recipient,
        content: content.message,
        templateTitle: content.title,
        templateHeader: content.header,
        templateItem: attachment?.item,
        templateItemHighlight: attachment?.itemHighlight,
        templateRepresentLink: link === undefined ? undefined : toNhnLinks(link),
        buttons: attachment?.button?.map(toOrdered),
        quickReplies: supplement?.quickReply.map(toOrdered),
      },
    ],
    messageOption: hasOption
      ? { price: price === undefined ? undefined : Number(price), currencyType }
      : undefined,
  }
}

function toOrdered(action: Parameters<typeof toNhnButton>[0], index: number): object {
  const { bizFormId, ...button } = toNhnButton(action)
  return {
    ordering: index + 1,
    ...button,
    bizFormId: bizFormId === undefined ? undefined : Number(bizFormId),
  }
}

/** Reads a webhook, a polled result or a search result. */
function toReceipt(document: unknown): ProviderReceipt {
  const code = textAt(document, 'resultCode')
  const status = textAt(document, 'messageStatus')
  const friend = valueAt(document, 'isAddedChannel')
  const isFinal = code !== '' || status === 'FAILED' || status === 'CANCEL'
  return {
    id: joinId(document),
    reference: textAt(document, 'recipientGroupingKey'),
    result: isFinal ? kakaoResult(code, '1000') : 'pending',
    cause: kakaoCause(code),
    code: code || status,
    recipient: textAt(document, 'recipientNo'),
    at: readNhnTime(document, 'receiveDate'),
    ...(typeof friend === 'boolean' ? { userType: friend ? 'F' : 'N' } : {}),
  }
}

/** Formats as `2026-11-15 13:04` in Korean time. */
function toMinutes(time: Date): string {
  return formatKoreanTime(time).slice(0, 16)
}
