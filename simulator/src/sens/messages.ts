/** Views of accepted SENS messages in responses and lists. */
import { json } from '../shared/http-server.ts'
import type { HttpResponse } from '../shared/http-server.ts'
import { toText } from '../shared/json-body.ts'
import type { Fields } from '../shared/json-body.ts'
import { koreanTime, parseKoreanTime } from '../shared/korean.ts'
import { isComplete, isWithin } from '../shared/sent-messages.ts'
import type { SentMessage, SentMessages } from '../shared/sent-messages.ts'
import { notFound, serviceError } from './errors.ts'
import type { SensChannel } from './validate.ts'

export interface SensMessage extends SentMessage {
  readonly channel: SensChannel
  readonly to: string
  readonly resultCode: string
  readonly request: Fields
  readonly recipient: Fields
}

const DAY_MS = 86_400_000
const MONTH_MS = 31 * DAY_MS
const MAX_PAGE_SIZE = 100
const succeeded = { statusCode: '202', statusName: 'success' }

/** Returns Korean time: `2026-11-15T13:04:27.000`. */
export function isoTime(at: number): string {
  return `${koreanTime(at).replace(' ', 'T')}.000`
}

export function sendView(channel: SensChannel, requestId: string, messages: readonly SensMessage[]): Fields {
  const response = { requestId, requestTime: isoTime(Date.now()), ...succeeded }
  if (channel === 'sms') return response
  return {
    ...response,
    messages: messages.map(({ id, to, recipient }) => ({
      messageId: id,
      countryCode: recipient['countryCode'] ?? '82',
      to,
      content: recipient['content'],
      ...accepted,
      useSmsFailover: recipient['useSmsFailover'] ?? null,
    })),
  }
}

const accepted = { requestStatusCode: 'A000', requestStatusName: 'success', requestStatusDesc: '성공' }

/** The lookup of a single SMS wraps the message in an array; that of a Kakao message does not. */
export function messageView(message: SensMessage, form: 'single' | 'entry'): Fields {
  if (message.channel !== 'sms') return kakaoView(message)
  const view = smsView(message)
  return form === 'entry' ? view : { statusCode: '200', statusName: 'success', messages: [view] }
}

/** A message without a result has no status code or completion time. */
function smsView(message: SensMessage): Fields {
  const { request, recipient } = message
  const type = toText(request['type']).toUpperCase()
  return {
    requestId: message.requestId,
    messageId: message.id,
    requestTime: koreanTime(message.createdAt),
    contentType: request['contentType'] ?? 'COMM',
    type: type === 'MMS' && request['files'] === undefined ? 'LMS' : type,
    subject: recipient['subject'] ?? request['subject'] ?? '',
    content: recipient['content'] ?? request['content'],
    countryCode: request['countryCode'] ?? '82',
    from: request['from'],
    to: message.to,
    ...(isComplete(message) ? smsResult(message) : { status: 'PROCESSING' }),
  }
}

function smsResult({ resultCode, completesAt }: SensMessage): Fields {
  const isDelivered = resultCode === '0'
  return {
    status: 'COMPLETED',
    statusCode: resultCode,
    statusName: isDelivered ? 'success' : 'fail',
    statusMessage: isDelivered ? '성공' : '실패',
    completeTime: koreanTime(completesAt),
    telcoCode: 'SKT',
  }
}

function kakaoView(message: SensMessage): Fields {
  const { request, recipient, channel } = message
  return {
    requestId: message.requestId,
    messageId: message.id,
    requestTime: isoTime(message.createdAt),
    plusFriendId: request['plusFriendId'],
    ...(channel === 'brandmessage' ? { messageType: request['messageType'] } : {}),
    templateCode: request['templateCode'] ?? null,
    countryCode: recipient['countryCode'] ?? '82',
    to: message.to,
    content: recipient['content'] ?? null,
    ...accepted,
    ...(isComplete(message) ? kakaoResult(message) : { messageStatusName: 'processing' }),
  }
}

function kakaoResult({ resultCode, completesAt }: SensMessage): Fields {
  const isDelivered = resultCode === '0000'
  return {
    completeTime: koreanTime(completesAt).replace(' ', 'T'),
    messageStatusCode: resultCode,
    messageStatusName: isDelivered ? 'success' : 'fail',
    messageStatusDesc: isDelivered ? '성공' : '실패',
  }
}

type Filter = (message: SensMessage) => boolean

/** Returns the filter of the query, or an error message. */
function readFilter(query: URLSearchParams): Filter | string {
  const requestId = query.get('requestId')
  if (requestId !== null) return (message) => message.requestId === requestId
  for (const [name, maxMs] of [
    ['complete', DAY_MS],
    ['request', MONTH_MS],
  ] as const) {
    const [start, end] = [query.get(`${name}StartTime`), query.get(`${name}EndTime`)]
    if (start === null || end === null) continue
    const [from, to] = [start, end].map((text) => (text.length === 19 ? parseKoreanTime(text) : NaN)) as [
      number,
      number,
    ]
    if (Number.isNaN(from) || Number.isNaN(to)) return 'times must be YYYY-MM-DD HH:mm:ss'
    if (to - from > maxMs) return 'the period is too long'
    return name === 'complete'
      ? (message) => isComplete(message) && isWithin(message.completesAt, from, to)
      : (message) => isWithin(message.createdAt, from, to)
  }
  return 'requestId, request times or complete times are required'
}

export function listMessages(
  channel: SensChannel,
  query: URLSearchParams,
  messages: SentMessages<SensMessage>,
): HttpResponse {
  const filter = readFilter(query)
  const pageSize = Number(query.get('pageSize') ?? 20)
  const offset = Number(query.get('nextToken') ?? 0)
  const plusFriendId = query.get('plusFriendId')
  if (typeof filter === 'string') return serviceError(400, filter)
  if (!Number.isInteger(pageSize) || pageSize < 1 || pageSize > MAX_PAGE_SIZE)
    return serviceError(400, 'pageSize must be 1 to 100')
  if (!Number.isInteger(offset) || offset < 0) return serviceError(400, 'unknown nextToken')
  if (channel !== 'sms' && !query.has('requestId') && plusFriendId === null)
    return serviceError(400, 'plusFriendId is required')
  const found = messages.list(
    (message) =>
      message.channel === channel &&
      filter(message) &&
      (plusFriendId === null || message.request['plusFriendId'] === plusFriendId),
  )
  if (found.length === 0 && query.has('requestId')) return notFound
  const end = offset + pageSize
  return json(200, {
    ...(channel === 'sms' ? succeeded : {}),
    ...(query.has('requestId') ? { requestId: query.get('requestId') } : {}),
    messages: found.slice(offset, end).map((message) => messageView(message, 'entry')),
    ...(end < found.length ? { nextToken: String(end) } : {}),
  })
}
