/** Reads a message of a send request and returns the status code that refuses it, if any. */
import { isObject, toObject, toText } from '../shared/json-body.ts'
import type { Fields } from '../shared/json-body.ts'
import type { SolapiCode } from './codes.ts'

/**
 * Type names from `src/models/base/messages/message.ts` of solapi/solapi-nodejs, without friendtalk, RCS, Naver,
 * fax and voice.
 */
const types = new Set([
  'SMS',
  'LMS',
  'MMS',
  'ATA',
  'BMS_TEXT',
  'BMS_IMAGE',
  'BMS_WIDE',
  'BMS_WIDE_ITEM_LIST',
  'BMS_CAROUSEL_FEED',
  'BMS_PREMIUM_VIDEO',
  'BMS_COMMERCE',
  'BMS_CAROUSEL_COMMERCE',
  'BMS_FREE',
])

const MAX_SMS_BYTES = 90
const MAX_LMS_BYTES = 2000
const MAX_ATA_CHARACTERS = 1000

export interface SolapiMessage {
  readonly to: string
  readonly from: string
  readonly text: string
  readonly subject: string
  readonly type: string
  readonly country: string
  readonly imageId: string
  readonly isKakao: boolean
  /** Whether SOLAPI sends a text message if this one fails: an alimtalk without `kakaoOptions.disableSms`. */
  readonly hasReplacement: boolean
  readonly fields: Fields
}

type FileCheck = (fileId: string) => boolean

/** Counts two bytes for each character beyond ASCII, as EUC-KR does. */
function koreanBytes(text: string): number {
  return text.length + (text.match(/\P{ASCII}/gu)?.length ?? 0)
}

function detectType({ text, subject, imageId, kakaoOptions }: Fields): string {
  const { bms, templateId } = toObject(kakaoOptions)
  if (isObject(bms)) return toText(templateId) === '' ? 'BMS_FREE' : 'BMS_TEXT'
  if (isObject(kakaoOptions)) return 'ATA'
  if (toText(imageId) !== '') return 'MMS'
  return koreanBytes(toText(text)) <= MAX_SMS_BYTES && toText(subject) === '' ? 'SMS' : 'LMS'
}

export function readMessage(value: unknown): SolapiMessage {
  const fields = toObject(value)
  const type = toText(fields['type']).toUpperCase() || detectType(fields)
  const isKakao = type === 'ATA' || type.startsWith('BMS_')
  return {
    to: toText(fields['to']),
    from: toText(fields['from']),
    text: toText(fields['text']),
    subject: toText(fields['subject']),
    type,
    country: toText(fields['country']) || '82',
    imageId: toText(fields['imageId']),
    isKakao,
    hasReplacement: type === 'ATA' && toObject(fields['kakaoOptions'])['disableSms'] !== true,
    fields,
  }
}

function kakaoRefusal({ type, text, fields }: SolapiMessage, isKnownFile: FileCheck): SolapiCode | undefined {
  const { pfId, templateId, bms } = toObject(fields['kakaoOptions'])
  const { targeting, chatBubbleType, imageId } = toObject(bms)
  if (toText(pfId) === '') return '1041'
  if (type !== 'BMS_FREE' && toText(templateId) === '') return '1042'
  if (type === 'ATA') return text.length > MAX_ATA_CHARACTERS ? '1031' : undefined
  if (!/^[IMN]$/.test(toText(targeting))) return '1011'
  if (type === 'BMS_FREE' && toText(chatBubbleType) === '') return '1011'
  return imageId === undefined || isKnownFile(toText(imageId)) ? undefined : '1034'
}

function textRefusal(message: SolapiMessage, isKnownFile: FileCheck): SolapiCode | undefined {
  const { type, text, subject, imageId } = message
  if (message.fields['kakaoOptions'] !== undefined) return '1033'
  if (text === '') return '1010'
  if (type === 'SMS' && subject !== '') return '1013'
  if (koreanBytes(text) > (type === 'SMS' ? MAX_SMS_BYTES : MAX_LMS_BYTES)) return '1031'
  return type === 'MMS' && !isKnownFile(imageId) ? '1034' : undefined
}

function customFieldsAreValid(customFields: unknown): boolean {
  if (customFields === undefined) return true
  if (!isObject(customFields)) return false
  return Object.entries(customFields).every(
    ([key, value]) => key.length <= 30 && typeof value === 'string' && value.length <= 100,
  )
}

export function checkMessage(
  message: SolapiMessage,
  sender: string | undefined,
  isKnownFile: FileCheck,
): SolapiCode | undefined {
  const { to, from, type, subject, isKakao, hasReplacement, fields } = message
  const needsSender = !isKakao || hasReplacement
  if (to === '' || (needsSender && from === '')) return '1010'
  if (!/^\d{1,20}$/.test(to)) return '1011'
  if (!types.has(type)) return '1025'
  if (needsSender && sender !== undefined && from !== sender) return '1062'
  if (koreanBytes(subject) > 40) return '1014'
  if (!customFieldsAreValid(fields['customFields'])) return '1032'
  return isKakao ? kakaoRefusal(message, isKnownFile) : textRefusal(message, isKnownFile)
}
