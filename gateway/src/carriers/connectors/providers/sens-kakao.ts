/** Alimtalk and brand messages over the Biz Message APIs of Naver SENS. `sens-brand.ts` converts the bubbles. */
import type { SubmissionContent as Alimtalk } from '../../../channels/alimtalk/alimtalk.ts'
import { convertFriendtalk, friendtalkOption, toBrandFile } from '../friendtalk.ts'
import { kakaoCause, kakaoResult } from './kakao-codes.ts'
import {
  accepted,
  accountName,
  at,
  defineProvider,
  fileRequest,
  getRequest,
  isRefusal,
  jsonRequest,
  listAt,
  readKoreanTime,
  refused,
  standardOutcome,
  text,
  textAt,
  type RecordedSubmission,
  type ProviderReceipt,
  type ProviderRefusal,
} from './kit/index.ts'
import { sensBrandImageType, toSensBrandMessage, toSensButton } from './sens-brand.ts'
import {
  isEmptyList,
  listRequest,
  nextPage,
  parseSensError,
  sensAccount,
  sensExample,
  sensServiceUrl,
  sign,
} from './sens-common.ts'
import { startRange } from './time-range.ts'

const buttonTypes = new Set(['DS', 'WL', 'AL', 'BK', 'MD', 'AC'])
const services = ['alimtalk', 'brandmessage'] as const

export const sensKakao = defineProvider({
  name: 'sens-kakao',
  summary: 'Alimtalk and brand messages over Naver Cloud SENS.',
  channels: ['alimtalk', 'friendtalk', 'brandmessage'],
  sources: [
    'https://api.ncloud-docs.com/docs/sens-overview',
    'https://api.ncloud-docs.com/docs/sens-alimtalk-send',
    'https://api.ncloud-docs.com/docs/sens-alimtalk-list',
    'https://api.ncloud-docs.com/docs/sens-alimtalk-get',
    'https://api.ncloud-docs.com/docs/sens-brandmessage-send',
    'https://api.ncloud-docs.com/docs/sens-brandmessage-image-create',
    'https://github.com/sjk4425/ncloud-mcp-server/blob/d693d41c/src/tools/application-sens.ts',
    'https://github.com/sjk4425/ncloud-mcp-server/blob/d693d41c/src/tools/application-sens-brandmessage.ts',
  ],
  checked: '2026-11-18',
  unconfirmed: [
    'The fields of a list that announce its next page: `nextToken`, and `hasMore` if present.',
    'That an empty 404 response to a list means no results, as a public program observed.',
    'The response to a brand message, which is read like that to an alimtalk.',
    'The cards of carousels, which are refused. Videos are refused too, because SENS accepts no new ones.',
  ],
  notes:
    'A route sends from one channel: `senderKey` is the key that clients send, and `plusFriendId` is the name of the same channel at SENS. Messages with another key are refused. SENS has no webhooks; results are polled. The fallback of SENS is disabled in every request.',
  account: {
    ...sensAccount,
    serviceId: accountName('Id of the Biz Message service, such as ncp:kkobizmsg:kr:123456789012:name.', 128),
    plusFriendId: text('Name of the channel at SENS, such as @my-channel.', 64),
    senderKey: text('Sender key of the channel, as clients send it.', 40),
    friendtalk: friendtalkOption,
  },
  example: {
    ...sensExample,
    serviceId: 'ncp:kkobizmsg:kr:123456789012:my-project',
    plusFriendId: '@my-channel',
    senderKey: '2662e99eb7a1f21abb3955278e9955f5a9a99b62',
  },
  login: ({ url, serviceId }) => [url, serviceId],
  authorize: (request, { account }) => sign(request, account),

  upload: {
    // SENS keeps an image for a year.
    lifetimeMs: 30 * 24 * 3_600_000,
    acceptsUrls: true,
    place: (file) => sensBrandImageType(toBrandFile(file)),
    request: (file, { account }, imageType) =>
      fileRequest(sensServiceUrl(account, 'brandmessage', '/images'), 'imageFile', file, { imageType }),
    read(answer) {
      const reference = textAt(answer.json, 'imageId')
      return answer.isSuccess && reference !== '' ? { kind: 'uploaded', reference } : parseSensError(answer)
    },
  },

  send({ message, to, files: keys }, { account, number }, files) {
    if (
      message.channel !== 'alimtalk' &&
      message.channel !== 'friendtalk' &&
      message.channel !== 'brandmessage'
    )
      return refused(
        'unsupported',
        'sens:channel',
        'sens-kakao supports alimtalk, friendtalk and brand messages',
      )
    const { plusFriendId, senderKey } = account
    if (message.content.senderKey !== senderKey)
      return refused('unregistered-sender', 'sens:sender-key', 'the route uses another sender key')
    const recipient = { to: number(to, 'domestic'), useSmsFailover: false }
    const images = new Map(keys.map(({ key }, index) => [key, files[index] ?? key]))
    if (message.channel === 'alimtalk') {
      const body = toAlimtalk(message.content, recipient)
      if (isRefusal(body)) return body
      return jsonRequest(sensServiceUrl(account, 'alimtalk', '/messages'), { plusFriendId, ...body })
    }
    const content =
      message.channel === 'friendtalk'
        ? convertFriendtalk(account.friendtalk, message.content)
        : message.content
    if ('kind' in content) return content
    const body = toSensBrandMessage(content, recipient, images)
    if (isRefusal(body)) return body
    return jsonRequest(sensServiceUrl(account, 'brandmessage', '/messages'), { plusFriendId, ...body })
  },

  parseResponse(answer, { message: sent }) {
    const [message] = listAt(answer.json, 'messages')
    // The account can have only one of the services: a refused brand message must not close the link for alimtalk.
    if (sent.channel !== 'alimtalk' && [403, 404].includes(answer.status))
      return refused(
        'unsupported',
        `http:${answer.status}`,
        'the account does not include the brand message service',
      )
    if (answer.status !== 202 || message === undefined) return parseSensError(answer)
    const code = textAt(message, 'requestStatusCode')
    const id = textAt(message, 'messageId')
    if (code === 'A000' && id !== '') return accepted(id)
    if (code === '' || code === 'A000') return standardOutcome(answer, { code })
    return refused(kakaoCause(code), code, textAt(message, 'requestStatusDesc'))
  },

  poll: {
    everyMs: 10_000,
    // Polls the lists of both services in turn: `<service> <cursor> <cursor of the other service>`.
    start: (now) => `alimtalk ${startRange(now)} ${startRange(now)}`,
    request(cursor, { account }, now) {
      const [service = '', current = ''] = cursor.split(' ')
      const { plusFriendId } = account
      return listRequest(sensServiceUrl(account, service, '/messages'), current, now, { plusFriendId })
    },
    read(answer, cursor, now) {
      const [service = '', current = '', other = ''] = cursor.split(' ')
      // The account can have only one of the services: a failing brand message list must not block the alimtalk list.
      const isRead = answer.isSuccess || isEmptyList(answer)
      if (!isRead && service === 'alimtalk') return null
      const page = isRead ? nextPage(answer, current, now) : { cursor: current, hasMore: false }
      const receipts = listAt(answer.json, 'messages').map(toReceipt)
      if (page.hasMore) return { receipts, cursor: `${service} ${page.cursor} ${other}`, hasMore: true }
      const next = services.find((name) => name !== service)!
      return { receipts, cursor: `${next} ${other} ${page.cursor}`, hasMore: next === 'brandmessage' }
    },
  },

  lookup: {
    by: 'carrierId',
    request: (submission, { account }) =>
      getRequest(
        at(sensServiceUrl(account, searchService(submission), '/messages'))`/${submission.carrierId!}`,
      ),
    read(answer) {
      if (isEmptyList(answer)) return 'not-found'
      return answer.isSuccess ? toReceipt(answer.json) : null
    },
  },
})

function searchService({ given }: RecordedSubmission): string {
  return given.channel === 'alimtalk' ? 'alimtalk' : 'brandmessage'
}

function toAlimtalk(content: Alimtalk, recipient: object): object | ProviderRefusal {
  const { attachment, templateCode } = content
  const unsupported = findUnsupported(content)
  if (unsupported !== undefined)
    return refused('unsupported', 'sens:alimtalk-field', `sens does not support ${unsupported}`)
  const message = {
    ...recipient,
    content: content.message,
    title: content.title,
    headerContent: content.header,
    itemHighlight: attachment?.itemHighlight,
    item: attachment?.item,
    buttons: attachment?.button?.map(toSensButton),
  }
  return { templateCode, messages: [message] }
}

function findUnsupported({
  attachment,
  supplement,
  link,
  price,
  currencyType,
}: Alimtalk): string | undefined {
  if (supplement !== undefined) return 'quick replies'
  if (link !== undefined) return 'the link of the message'
  if (price !== undefined || currencyType !== undefined) return 'prices'
  const button = attachment?.button?.find(({ type }) => !buttonTypes.has(type))
  return button === undefined ? undefined : `buttons of the type ${button.type}`
}

function toReceipt(message: unknown): ProviderReceipt {
  const isRefused = textAt(message, 'requestStatusName') === 'fail'
  const code = textAt(message, isRefused ? 'requestStatusCode' : 'messageStatusCode')
  const isPending = !isRefused && (code === '' || textAt(message, 'messageStatusName') === 'processing')
  return {
    id: textAt(message, 'messageId'),
    result: isPending ? 'pending' : isRefused ? 'failed' : kakaoResult(code, '0000'),
    cause: kakaoCause(code),
    code: code || textAt(message, 'messageStatusName'),
    recipient: textAt(message, 'to'),
    at: readKoreanTime(textAt(message, 'completeTime')),
  }
}
