/** Responses of NHN Cloud, and views of accepted messages in lookups and webhooks. */
import type { HttpResponse } from '../shared/http-server.ts'
import { json } from '../shared/http-server.ts'
import type { Fields } from '../shared/json-body.ts'
import { koreanTime } from '../shared/korean.ts'
import { isComplete } from '../shared/sent-messages.ts'
import type { SentMessage } from '../shared/sent-messages.ts'
import { kakaoCodes, smsCodes } from './codes.ts'
import type { KakaoCode, SmsCode } from './codes.ts'

export type NhnProduct = 'sms' | 'mms' | 'alimtalk' | 'brandmessage'

export interface NhnMessage extends SentMessage {
  readonly product: NhnProduct
  readonly recipientSeq: number
  readonly to: string
  readonly groupingKey: string | null
  readonly resultCode: string
  /** Whether KakaoTalk Bizmessage sends an SMS if the message fails. */
  readonly fallback: boolean
  readonly request: Fields
  readonly recipient: Fields
}

/** Whether the product, which can be `mms`, belongs to the SMS service and not to KakaoTalk Bizmessage. */
export function isSms(product: NhnProduct): boolean {
  return product === 'sms' || product === 'mms'
}

export function smsReply(code: SmsCode, rest: Fields = {}, status = 200): HttpResponse {
  return json(status, { header: header(code, smsCodes[code]), ...rest })
}

export function kakaoReply(code: KakaoCode, rest: Fields = {}, status = 200): HttpResponse {
  return json(status, { header: header(code, kakaoCodes[code]), ...rest })
}

function header(resultCode: number, resultMessage: string): Fields {
  return { isSuccessful: resultCode === 0, resultCode, resultMessage }
}

const SUCCESS = '1000'

function timeWithFraction(at: number): string {
  return `${koreanTime(at)}.0`
}

function messageType({ product, request }: NhnMessage): string {
  if (product !== 'mms') return 'SMS'
  return request['attachFileIdList'] === undefined ? 'LMS' : 'MMS'
}

/** Result fields are null until the message completes. */
function result(message: NhnMessage): { code: string | null; name: string | null; at: string | null } {
  if (!isComplete(message)) return { code: null, name: null, at: null }
  const name = message.resultCode === SUCCESS ? '성공' : '실패'
  return { code: message.resultCode, name, at: timeWithFraction(message.completesAt) }
}

function groupingKeys({ request, groupingKey }: NhnMessage): Fields {
  return { senderGroupingKey: request['senderGroupingKey'] ?? null, recipientGroupingKey: groupingKey }
}

export function smsView(message: NhnMessage): Fields {
  const { requestId, recipientSeq, request, to, product } = message
  const { code, name, at } = result(message)
  const succeeded = code === SUCCESS
  return {
    requestId,
    requestDate: timeWithFraction(message.createdAt),
    resultDate: at,
    ...(product === 'mms' ? { title: request['title'] } : {}),
    body: request['body'],
    sendNo: request['sendNo'],
    countryCode: message.recipient['countryCode'] ?? '82',
    recipientNo: to,
    msgStatus: code === null ? '2' : succeeded ? '3' : '0',
    msgStatusName: code === null ? '처리 중' : succeeded ? '성공' : '실패',
    resultCode: code,
    resultCodeName: name,
    telecomCode: succeeded ? 10001 : null,
    telecomCodeName: succeeded ? 'SKT' : null,
    recipientSeq,
    sendType: product === 'sms' ? '0' : '1',
    messageType: messageType(message),
    messageCount: 1,
    adYn: 'N',
    originCode: request['originCode'] ?? null,
    ...groupingKeys(message),
  }
}

export function smsUpdate(message: NhnMessage): Fields {
  const { code, name, at } = result(message)
  return {
    messageType: messageType(message),
    requestId: message.requestId,
    recipientSeq: message.recipientSeq,
    resultCode: code,
    resultCodeName: name,
    requestDate: timeWithFraction(message.createdAt),
    resultDate: at,
    updateDate: at,
    telecomCode: code === SUCCESS ? '10001' : null,
    telecomCodeName: code === SUCCESS ? 'SKT' : null,
    ...groupingKeys(message),
  }
}

/** RSC01: no fallback; RSC02: fallback on failure; RSC04: fallback delivered. */
function resendStatus(message: NhnMessage): string {
  if (!message.fallback) return 'RSC01'
  return isComplete(message) && message.resultCode !== SUCCESS ? 'RSC04' : 'RSC02'
}

/** Until the message completes, `messageStatus` means that the request succeeded. */
export function kakaoUpdate(message: NhnMessage): Fields {
  const { code, name, at } = result(message)
  return {
    requestId: message.requestId,
    recipientSeq: message.recipientSeq,
    requestDate: timeWithFraction(message.createdAt),
    createDate: timeWithFraction(message.createdAt),
    receiveDate: at,
    [message.product === 'alimtalk' ? 'resendStatus' : 'resendStatusCode']: resendStatus(message),
    resendStatusName: resendStatus(message),
    messageStatus: code === null || code === SUCCESS ? 'COMPLETED' : 'FAILED',
    resultCode: code,
    resultCodeName: name,
  }
}

export function kakaoView(message: NhnMessage): Fields {
  const { request, recipient, product } = message
  const brand = {
    targeting: recipient['targeting'] ?? 'I',
    chatBubbleType: request['chatBubbleType'] ?? 'TEXT',
    pushAlarm: request['pushAlarm'] ?? true,
    isAddedChannel: recipient['targeting'] !== 'N',
  }
  return {
    ...kakaoUpdate(message),
    plusFriendId: '@simulator',
    senderKey: request['senderKey'],
    templateCode: request['templateCode'] ?? null,
    recipientNo: message.to,
    content: recipient['content'] ?? request['content'] ?? null,
    ...(product === 'brandmessage' ? brand : {}),
    ...groupingKeys(message),
  }
}

/** Builds a `MESSAGE_RESULT_UPDATE` hook. */
export function resultHook(message: NhnMessage, hookId: string, withTypo: boolean): Fields {
  const { requestId, recipientSeq, request, to, product, resultCode, createdAt } = message
  const { senderGroupingKey, recipientGroupingKey } = groupingKeys(message)
  if (!isSms(product)) {
    return {
      hookId,
      kakaoMessageType: product === 'alimtalk' ? 'ALIMTALK_NORMAL' : 'BRAND_MESSAGE_NORMAL',
      requestId,
      recipientSeq,
      requestDate: timeWithFraction(createdAt),
      createDate: timeWithFraction(createdAt),
      receiveDate: timeWithFraction(message.completesAt),
      recipientNo: to,
      resultCode,
      senderGroupingKey,
      recipientGroupingKey,
      isAddedChannel: product === 'alimtalk' ? null : message.recipient['targeting'] !== 'N',
    }
  }
  return {
    hookId,
    senderType: product === 'sms' ? 'NORMAL_SMS' : 'NORMAL_MMS',
    requestId,
    recipientSeq,
    requestDate: koreanTime(createdAt).replace(' ', 'T'),
    receiveDate: koreanTime(message.completesAt).replace(' ', 'T'),
    sendNo: request['sendNo'],
    recipientNo: to,
    messageStatus: resultCode === SUCCESS ? 'COMPLETED' : 'FAILED',
    [withTypo ? 'recipientGropuingKey' : 'recipientGroupingKey']: recipientGroupingKey,
    senderGroupingKey,
    resultCode,
    messageCount: 1,
  }
}
