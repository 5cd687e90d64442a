/**
 * Checks requests of the SMS service against the limits of its API guide. Check functions return 0 or a code.
 */
import { toObject, toText } from '../shared/json-body.ts'
import type { Fields } from '../shared/json-body.ts'
import type { SmsCode } from './codes.ts'
import type { NhnOptions } from './settings.ts'

const MAX_RECIPIENTS = 1000
const MAX_FILES = 3
const MAX_FILE_BYTES = 307_200
const MAX_TOTAL_BYTES = 819_200
const JPEG = Buffer.from([0xff, 0xd8, 0xff])

const maxBody = { sms: 255, mms: 4000 } as const
const emoji = /[\u{10000}-\u{10ffff}]/u

/** `fileBytes` returns undefined for an unknown file. */
export function checkSms(
  kind: 'sms' | 'mms',
  fields: Fields,
  options: NhnOptions,
  fileBytes: (id: unknown) => number | undefined,
): SmsCode {
  const { recipientList, originCode } = fields
  const body = toText(fields['body'])
  // An SMS has no title: this one passes the checks.
  const title = kind === 'mms' ? toText(fields['title']) : 'none'
  const sendNo = toText(fields['sendNo'])
  if (!Array.isArray(recipientList) || recipientList.length === 0) return -2001
  if (recipientList.length > MAX_RECIPIENTS) return -2016
  if (body === '' || title === '') return -2014
  if (body.length > maxBody[kind] || title.length > 120) return -2015
  if (emoji.test(body) || emoji.test(title)) return -2023
  if (sendNo === '' || (options.sendNo ?? sendNo) !== sendNo) return -2312
  if (!/^\d{1,13}$/.test(sendNo)) return 4
  if (originCode !== undefined && !/^\d{9}$/.test(toText(originCode))) return 4
  if (toText(fields['senderGroupingKey']).length > 100) return 4
  if (recipientList.some((entry) => toText(toObject(entry)['recipientGroupingKey']).length > 100)) return 4
  return kind === 'mms' ? checkAttachments(fields['attachFileIdList'], fileBytes) : 0
}

function checkAttachments(ids: unknown, fileBytes: (id: unknown) => number | undefined): SmsCode {
  if (ids === undefined) return 0
  if (!Array.isArray(ids) || ids.length === 0 || ids.length > MAX_FILES) return 4
  const sizes = ids.map(fileBytes)
  if (sizes.includes(undefined)) return -2004
  const total = sizes.reduce<number>((sum, size) => sum + size!, 0)
  return ids.length === MAX_FILES && total > MAX_TOTAL_BYTES ? -2005 : 0
}

/** `recipientNo` takes precedence over `internationalRecipientNo`. */
export function smsNumber(recipient: Fields): string {
  return toText(recipient['recipientNo']) || toText(recipient['internationalRecipientNo'])
}

export function checkSmsRecipient(kind: 'sms' | 'mms', recipient: Fields): SmsCode {
  const number = smsNumber(recipient)
  if (number === '') return -2018
  if (!/^\d{8,20}$/.test(number)) return -2019
  const isDomestic = toText(recipient['recipientNo']) !== '' || number.startsWith('82')
  const country = toText(recipient['countryCode']) || '82'
  return kind === 'mms' && (!isDomestic || country !== '82') ? -2024 : 0
}

/** Returns the bytes of an uploaded attachment, or the code that refuses it. */
export function readSmsAttachment(fields: Fields): Buffer | SmsCode {
  const { fileBody } = fields
  const fileName = toText(fields['fileName'])
  const createUser = toText(fields['createUser'])
  if (fileName === '' || fileName.length > 45) return -2002
  if (!/\.jpe?g$/i.test(fileName)) return -2003
  if (createUser === '' || createUser.length > 100) return 4
  const file = Array.isArray(fileBody)
    ? Buffer.from(fileBody as number[])
    : Buffer.from(toText(fileBody), 'base64')
  if (file.length === 0 || file.length > MAX_FILE_BYTES) return -2005
  return file.subarray(0, JPEG.length).equals(JPEG) ? file : -2003
}
