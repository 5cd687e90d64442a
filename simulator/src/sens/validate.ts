/**
 * Checks send requests against the documented limits. Check functions return an error message, or undefined.
 */
import { toObject, toText, toObjects } from '../shared/json-body.ts'
import type { Fields } from '../shared/json-body.ts'
import { eucKrBytes } from '../shared/korean.ts'
import type { SensOptions } from './settings.ts'

export type SensChannel = 'sms' | 'alimtalk' | 'brandmessage'

const MAX_MESSAGES = 100
const MAX_FILE_BYTES = 307_200
const JPEG = Buffer.from([0xff, 0xd8, 0xff])

export interface SendContext {
  readonly options: SensOptions
  readonly knowsFile: (id: string) => boolean
}

export function checkSend(channel: SensChannel, fields: Fields, context: SendContext): string | undefined {
  const messages = toObjects(fields['messages'])
  if (messages.length === 0 || messages.length > MAX_MESSAGES)
    return `messages must have 1 to ${MAX_MESSAGES} entries`
  if (!messages.every(({ to }) => /^\d{8,20}$/.test(toText(to)))) return 'to must have 8 to 20 digits'
  if (channel === 'sms') return checkSms(fields, messages, context)
  const { options } = context
  const plusFriendId = toText(fields['plusFriendId'])
  if (plusFriendId === '' || (options.plusFriendId ?? plusFriendId) !== plusFriendId)
    return 'unknown plusFriendId'
  const templateCode = toText(fields['templateCode'])
  if (channel === 'alimtalk' && templateCode === '') return 'templateCode is required'
  if (templateCode !== '' && (options.templateCode ?? templateCode) !== templateCode)
    return 'unknown templateCode'
  return channel === 'alimtalk'
    ? checkAlimtalk(messages)
    : checkBrand(fields, messages, templateCode !== '', context)
}

function checkSms(
  fields: Fields,
  messages: readonly Fields[],
  { options, knowsFile }: SendContext,
): string | undefined {
  const type = toText(fields['type']).toUpperCase()
  const contentType = toText(fields['contentType']) || 'COMM'
  const from = toText(fields['from'])
  const files = toObjects(fields['files'])
  if (!['SMS', 'LMS', 'MMS'].includes(type)) return 'type must be SMS, LMS or MMS'
  if (!['COMM', 'AD'].includes(contentType)) return 'contentType must be COMM or AD'
  if (!/^\d+$/.test(from) || (options.from ?? from) !== from) return 'from is not registered'
  if (toText(fields['content']) === '') return 'content is required'
  const subjects = [fields, ...messages]
    .map(({ subject }) => toText(subject))
    .filter((subject) => subject !== '')
  if (subjects.some((subject) => eucKrBytes(subject) > 40)) return 'subject must have at most 40 bytes'
  if (subjects.length > 0 && type === 'SMS') return 'an SMS has no subject'
  if (files.length > 0 && type !== 'MMS') return 'only an MMS has files'
  return files.every(({ fileId }) => knowsFile(toText(fileId))) ? undefined : 'unknown fileId'
}

function checkAlimtalk(messages: readonly Fields[]): string | undefined {
  for (const message of messages) {
    if (toText(message['content']) === '') return 'content is required'
    for (const { type, name, linkMobile, linkPc, schemeIos, schemeAndroid } of toObjects(
      message['buttons'],
    )) {
      if (toText(name) === '' || toText(type) === '') return 'a button needs type and name'
      if (type === 'WL' && (toText(linkMobile) === '' || toText(linkPc) === ''))
        return 'a web link needs linkMobile and linkPc'
      if (type === 'AL' && (toText(schemeIos) === '' || toText(schemeAndroid) === ''))
        return 'an app link needs schemeIos and schemeAndroid'
    }
  }
  return undefined
}

/** Maximum content length and number of buttons by message type. */
const brandTypes: Readonly<Record<string, readonly [content: number, buttons: number]>> = {
  TEXT: [1300, 5],
  IMAGE: [1300, 5],
  WIDE_IMAGE: [76, 2],
  WIDE_ITEM_LIST: [0, 2],
  COMMERCE: [0, 2],
  CAROUSEL_COMMERCE: [0, 0],
  CAROUSEL_FEED: [0, 0],
  PREMIUM_VIDEO: [76, 1],
}
const brandElements: Readonly<Record<string, string>> = {
  TEXT: 'content',
  IMAGE: 'image',
  WIDE_IMAGE: 'image',
  WIDE_ITEM_LIST: 'item',
  COMMERCE: 'commerce',
  CAROUSEL_COMMERCE: 'carousel',
  CAROUSEL_FEED: 'carousel',
  PREMIUM_VIDEO: 'video',
}

function checkBrand(
  fields: Fields,
  messages: readonly Fields[],
  hasTemplate: boolean,
  { knowsFile }: SendContext,
): string | undefined {
  const type = toText(fields['messageType'])
  if (!Object.hasOwn(brandTypes, type)) return 'unknown messageType'
  if (!['M', 'N', 'I'].includes(toText(fields['targeting']) || 'I')) return 'targeting must be M, N or I'
  const [maxContent, maxButtons] = brandTypes[type]!
  for (const message of messages) {
    const buttons = toObjects(message['buttons'])
    const forbidden = hasTemplate ? ['BC', 'BT'] : ['AC']
    if (buttons.some((button) => forbidden.includes(toText(button['type']))))
      return 'a button type is not allowed'
    if (buttons.some(({ name }) => toText(name) === '' || toText(name).length > 14))
      return 'a button name must have 1 to 14 characters'
    if (hasTemplate) continue
    if (message[brandElements[type]!] === undefined) return `${brandElements[type]} is required`
    if (toText(message['content']).length > maxContent) return 'content is too long'
    if (buttons.length > maxButtons) return 'too many buttons'
    const { imageId } = toObject(message['image'])
    if (imageId !== undefined && !knowsFile(toText(imageId))) return 'unknown imageId'
  }
  return undefined
}

/** Returns the size of an attachment, or an error message. */
export function readSensAttachment(fields: Fields): number | string {
  const fileName = toText(fields['fileName'])
  const fileBody = toText(fields['fileBody'])
  if (fileName.length > 40 || !/\.jpe?g$/i.test(fileName))
    return 'fileName must be a jpg of at most 40 characters'
  if (fileBody.startsWith('data:')) return 'fileBody must not have a prefix'
  const file = Buffer.from(fileBody, 'base64')
  if (file.length === 0 || file.length > MAX_FILE_BYTES)
    return `fileBody must have 1 to ${MAX_FILE_BYTES} bytes`
  return file.subarray(0, JPEG.length).equals(JPEG) ? file.length : 'fileBody is not a JPEG'
}
