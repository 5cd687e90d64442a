/** Checks alimtalk requests against the limits of the API guide. Every function returns 0 or a code. */
import { isObject, objectOf, textOf } from '../shared/json-body.ts'
import type { Fields } from '../shared/json-body.ts'
import type { KakaoCode } from './codes.ts'
import type { NhnOptions } from './settings.ts'

const SENDER_KEY_LENGTH = 40
const MAX_RECIPIENTS = 1000

export function list(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.map(objectOf) : []
}

export function isHttp(url: unknown): boolean {
  return url === undefined || /^https?:\/\//.test(textOf(url))
}

/** Checks the fields that alimtalk and brand messages share. */
export function checkSender(fields: Fields, options: NhnOptions): KakaoCode {
  const senderKey = textOf(fields['senderKey'])
  const { recipientList } = fields
  if (senderKey === '') return -2001
  if (senderKey.length > SENDER_KEY_LENGTH) return -2000
  if (senderKey.length < SENDER_KEY_LENGTH || (options.senderKey ?? senderKey) !== senderKey) return -2017
  if (recipientList === undefined || recipientList === null) return -2002
  if (!Array.isArray(recipientList) || recipientList.length === 0) return -2004
  if (recipientList.length > MAX_RECIPIENTS) return -2004
  const keys = [
    fields['senderGroupingKey'],
    ...list(recipientList).map((entry) => entry['recipientGroupingKey']),
  ]
  return keys.some((key) => textOf(key).length > 100) ? -2000 : 0
}

export function checkTemplateCode(fields: Fields, options: NhnOptions, maxLength: number): KakaoCode {
  const templateCode = textOf(fields['templateCode'])
  if (templateCode === '') return -2001
  if (templateCode.length > maxLength) return -2000
  return (options.templateCode ?? templateCode) === templateCode ? 0 : -3003
}

export function checkKakaoRecipient(recipient: Fields): KakaoCode {
  return /^\d{8,15}$/.test(textOf(recipient['recipientNo'])) ? 0 : -5000
}

export function checkAlimtalk(raw: boolean, fields: Fields, options: NhnOptions): KakaoCode {
  const code = checkSender(fields, options) || checkTemplateCode(fields, options, 20)
  if (code !== 0 || !raw) return code
  for (const recipient of list(fields['recipientList'])) {
    const wrong = checkRawContent(recipient)
    if (wrong !== 0) return wrong
  }
  return 0
}

function checkRawContent(recipient: Fields): KakaoCode {
  const content = textOf(recipient['content'])
  const buttons = list(recipient['buttons'])
  const quickReplies = list(recipient['quickReplies'])
  if (content === '') return -2001
  if (content.length > 1300) return -2019
  if (textOf(recipient['templateTitle']).length > 50) return -2032
  if (textOf(recipient['templateHeader']).length > 16) return -2035
  if (!isItem(recipient['templateItem'])) return -2033
  if (!isHighlight(recipient['templateItemHighlight'])) return -2034
  if (Object.values(objectOf(recipient['templateRepresentLink'])).some((link) => textOf(link).length > 500))
    return -2036
  if (buttons.length > 5) return -2018
  if (quickReplies.length > 5) return -2504
  if (quickReplies.length > 0 && buttons.length > 2) return -2505
  const codes = [
    ...buttons.map((button) => checkButton(button, -2018)),
    ...quickReplies.map((reply) => checkButton(reply, -2504)),
  ]
  return codes.find((code) => code !== 0) ?? 0
}

function checkButton(button: Fields, invalid: KakaoCode): KakaoCode {
  const { ordering, type, linkMo, linkPc, schemeIos, schemeAndroid } = button
  const name = textOf(button['name'])
  if (name === '') return -3009
  if (!Number.isInteger(ordering) || name.length > 14) return invalid
  if (!/^(?:WL|AL|DS|BK|MD|BC|BT|AC|BF|P[123]|TN)$/.test(textOf(type))) return invalid
  if ([linkMo, linkPc, schemeIos, schemeAndroid].some((link) => textOf(link).length > 500)) return invalid
  if (type === 'WL' && textOf(linkMo) === '') return -3000
  if (type === 'AL' && [linkMo, schemeIos, schemeAndroid].filter(Boolean).length < 2) return -3007
  if (type === 'TN' && textOf(button['telNumber']) === '') return -3052
  return isHttp(linkMo) && isHttp(linkPc) ? 0 : -3006
}

function isItem(value: unknown): boolean {
  if (value === undefined) return true
  const { list: items, summary } = objectOf(value)
  const rows = list(items)
  const fits = (row: Fields, max: number): boolean =>
    textOf(row['title']).length <= 6 && textOf(row['description']).length <= max
  if (rows.length < 2 || rows.length > 10 || !rows.every((row) => fits(row, 23))) return false
  return summary === undefined || (isObject(summary) && fits(summary, 14))
}

function isHighlight(value: unknown): boolean {
  const { title, description, imageUrl } = objectOf(value)
  const [maxTitle, maxDescription] = imageUrl === undefined ? [30, 19] : [21, 13]
  return textOf(title).length <= maxTitle && textOf(description).length <= maxDescription
}
