/** Reads a message of a send request and returns the status code that refuses it, if any. */
import { isObject, objectOf, textOf } from '../shared/json-body.ts'
import type { Fields } from '../shared/json-body.ts'
import type { Code } from './codes.ts'

/** Type names from `src/models/base/messages/message.ts` of solapi/solapi-nodejs; RCS, Naver, fax and voice are left out. */
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

export interface Message {
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
  const { bms, templateId } = objectOf(kakaoOptions)
  if (isObject(bms)) return textOf(templateId) === '' ? 'BMS_FREE' : 'BMS_TEXT'
  if (isObject(kakaoOptions)) return 'ATA'
  if (textOf(imageId) !== '') return 'MMS'
  return koreanBytes(textOf(text)) <= MAX_SMS_BYTES && textOf(subject) === '' ? 'SMS' : 'LMS'
}

export function readMessage(value: unknown): Message {
  const fields = objectOf(value)
  const type = textOf(fields['type']).toUpperCase() || detectType(fields)
  const isKakao = type === 'ATA' || type.startsWith('BMS_')
  return {
    to: textOf(fields['to']),
    from: textOf(fields['from']),
    text: textOf(fields['text']),
    subject: textOf(fields['subject']),
    type,
    country: textOf(fields['country']) || '82',
    imageId: textOf(fields['imageId']),
    isKakao,
    hasReplacement: type === 'ATA' && objectOf(fields['kakaoOptions'])['disableSms'] !== true,
    fields,
  }
}

function kakaoRefusal({ type, text, fields }: Message, knownFile: FileCheck): Code | undefined {
  const { pfId, templateId, bms } = objectOf(fields['kakaoOptions'])
  const { targeting, chatBubbleType, imageId } = objectOf(bms)
  if (textOf(pfId) === '') return '1041'
  if (type !== 'BMS_FREE' && textOf(templateId) === '') return '1042'
  if (type === 'ATA') return text.length > MAX_ATA_CHARACTERS ? '1031' : undefined
  if (!/^[IMN]$/.test(textOf(targeting))) return '1011'
  if (type === 'BMS_FREE' && textOf(chatBubbleType) === '') return '1011'
  return imageId === undefined || knownFile(textOf(imageId)) ? undefined : '1034'
}

function textRefusal(message: Message, knownFile: FileCheck): Code | undefined {
  const { type, text, subject, imageId } = message
  if (message.fields['kakaoOptions'] !== undefined) return '1033'
  if (text === '') return '1010'
  if (type === 'SMS' && subject !== '') return '1013'
  if (koreanBytes(text) > (type === 'SMS' ? MAX_SMS_BYTES : MAX_LMS_BYTES)) return '1031'
  return type === 'MMS' && !knownFile(imageId) ? '1034' : undefined
}

function customFieldsAreValid(customFields: unknown): boolean {
  if (customFields === undefined) return true
  if (!isObject(customFields)) return false
  return Object.entries(customFields).every(
    ([key, value]) => key.length <= 30 && typeof value === 'string' && value.length <= 100,
  )
}

export function refusalOf(
  message: Message,
  sender: string | undefined,
  knownFile: FileCheck,
): Code | undefined {
  const { to, from, type, subject, isKakao, hasReplacement, fields } = message
  const needsSender = !isKakao || hasReplacement
  if (to === '' || (needsSender && from === '')) return '1010'
  if (!/^\d{1,20}$/.test(to)) return '1011'
  if (!types.has(type)) return '1025'
  if (needsSender && sender !== undefined && from !== sender) return '1062'
  if (koreanBytes(subject) > 40) return '1014'
  if (!customFieldsAreValid(fields['customFields'])) return '1032'
  return isKakao ? kakaoRefusal(message, knownFile) : textRefusal(message, knownFile)
}
