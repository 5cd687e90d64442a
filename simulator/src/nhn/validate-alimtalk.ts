/** Checks alimtalk requests against the limits of the API guide. Check functions return 0 or a code. */
import { isObject, toObject, toText, toObjects } from '../shared/json-body.ts'
import type { Fields } from '../shared/json-body.ts'
import type { KakaoCode } from './codes.ts'
import type { NhnOptions } from './settings.ts'

const SENDER_KEY_LENGTH = 40
const MAX_RECIPIENTS = 1000

/** Also returns true if there is no URL. */
export function isHttp(url: unknown): boolean {
  return url === undefined || /^https?:\/\//.test(toText(url))
}

/** Checks the fields common to alimtalk and brand messages. */
export function checkSender(fields: Fields, options: NhnOptions): KakaoCode {
  const senderKey = toText(fields['senderKey'])
  const { recipientList } = fields
  if (senderKey === '') return -2001
  if (senderKey.length > SENDER_KEY_LENGTH) return -2000
  if (senderKey.length < SENDER_KEY_LENGTH || (options.senderKey ?? senderKey) !== senderKey) return -2017
  if (recipientList === undefined || recipientList === null) return -2002
  if (!Array.isArray(recipientList) || recipientList.length === 0) return -2004
  if (recipientList.length > MAX_RECIPIENTS) return -2004
  const keys = [
    fields['senderGroupingKey'],
    ...toObjects(recipientList).map((entry) => entry['recipientGroupingKey']),
  ]
  return keys.some((key) => toText(key).length > 100) ? -2000 : 0
}

export function checkTemplateCode(fields: Fields, options: NhnOptions, maxLength: number): KakaoCode {
  const templateCode = toText(fields['templateCode'])
  if (templateCode === '') return -2001
  if (templateCode.length > maxLength) return -2000
  return (options.templateCode ?? templateCode) === templateCode ? 0 : -3003
}

export function checkKakaoRecipient(recipient: Fields): KakaoCode {
  return /^\d{8,15}$/.test(toText(recipient['recipientNo'])) ? 0 : -5000
}

export function checkAlimtalk(isRaw: boolean, fields: Fields, options: NhnOptions): KakaoCode {
  const code = checkSender(fields, options) || checkTemplateCode(fields, options, 20)
  if (code !== 0 || !isRaw) return code
  for (const recipient of toObjects(fields['recipientList'])) {
    const contentCode = checkRawContent(recipient)
    if (contentCode !== 0) return contentCode
  }
  return 0
}

function checkRawContent(recipient: Fields): KakaoCode {
  const content = toText(recipient['content'])
  const buttons = toObjects(recipient['buttons'])
  const quickReplies = toObjects(recipient['quickReplies'])
  if (content === '') return -2001
  if (content.length > 1300) return -2019
  if (toText(recipient['templateTitle']).length > 50) return -2032
  if (toText(recipient['templateHeader']).length > 16) return -2035
  if (!isItem(recipient['templateItem'])) return -2033
  if (!isHighlight(recipient['templateItemHighlight'])) return -2034
  if (Object.values(toObject(recipient['templateRepresentLink'])).some((link) => toText(link).length > 500))
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
  const name = toText(button['name'])
  if (name === '') return -3009
  if (!Number.isInteger(ordering) || name.length > 14) return invalid
  if (!/^(?:WL|AL|DS|BK|MD|BC|BT|AC|BF|P[123]|TN)$/.test(toText(type))) return invalid
  if ([linkMo, linkPc, schemeIos, schemeAndroid].some((link) => toText(link).length > 500)) return invalid
  if (type === 'WL' && toText(linkMo) === '') return -3000
  if (type === 'AL' && [linkMo, schemeIos, schemeAndroid].filter(Boolean).length < 2) return -3007
  if (type === 'TN' && toText(button['telNumber']) === '') return -3052
  return isHttp(linkMo) && isHttp(linkPc) ? 0 : -3006
}

function isItem(value: unknown): boolean {
  if (value === undefined) return true
  const { list: items, summary } = toObject(value)
  const rows = toObjects(items)
  const fits = (row: Fields, max: number): boolean =>
    toText(row['title']).length <= 6 && toText(row['description']).length <= max
  if (rows.length < 2 || rows.length > 10 || !rows.every((row) => fits(row, 23))) return false
  return summary === undefined || (isObject(summary) && fits(summary, 14))
}

function isHighlight(value: unknown): boolean {
  const { title, description, imageUrl } = toObject(value)
  const [maxTitle, maxDescription] = imageUrl === undefined ? [30, 19] : [21, 13]
  return toText(title).length <= maxTitle && toText(description).length <= maxDescription
}
