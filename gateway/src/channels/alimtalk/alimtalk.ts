/**
 * Alimtalk: a notification whose text follows an approved template. Only the messenger knows whether the
 * template exists and the text matches it.
 */
import { invalidField } from '../../contract/problem.ts'
import { quote } from '../../contract/quote.ts'
import type { FieldCodes } from '../../contract/result-codes.ts'
import type { Issues } from '../issues.ts'
import { checkKakaoButtons, type KakaoButton } from '../kakao/buttons.ts'
import { limitText, requireText, requireValue } from '../kakao/check.ts'
import { commonCodes } from '../kakao/codes.ts'
import { profileLimits } from '../kakao/limits.ts'
import { checkQuickReplies, type QuickReply } from '../kakao/quick-replies.ts'
import { normalizeShownTexts, pick } from '../kakao/submission.ts'
import { checkHighlight, checkItems, type Highlight, type Items } from './items.ts'
import { alimtalkLimits } from './limits.ts'
import type { Content } from './schema.ts'

export { FlowEntry, SimpleBody, type Content } from './schema.ts'

export const fieldCodes: FieldCodes = {
  ...commonCodes,
  templateCode: 'A505',
  header: 'A565',
  price: 'A559',
  currencyType: 'A559',
  'attachment.item': 'A521',
  'attachment.item.list': 'A521',
  'attachment.item.summary': 'A561',
  'attachment.itemHighlight': 'A560',
  supplement: 'A562',
  'supplement.quickReply.type': 'A563',
  'supplement.quickReply.name': 'A564',
}

export function checkContent(content: Content, at: string, issues: Issues): void {
  requireText(content.senderKey, profileLimits.senderKey, 'A502', `${at}senderKey`, issues)
  requireText(content.templateCode, profileLimits.templateCode, 'A505', `${at}templateCode`, issues)
  checkTexts(content, at, issues)
  if (content.link !== undefined) {
    requireValue(content.link.urlMobile, 'A300', `${at}link.urlMobile`, issues)
    requireValue(content.link.urlPc, 'A300', `${at}link.urlPc`, issues)
  }
  checkKakaoButtons(content.button ?? [], alimtalkLimits.buttons, `${at}button`, issues)
  const { attachment = {}, supplement, price } = content
  checkKakaoButtons(attachment.button ?? [], alimtalkLimits.buttons, `${at}attachment.button`, issues)
  if (attachment.item !== undefined) checkItems(attachment.item, `${at}attachment.item`, issues)
  if (attachment.itemHighlight !== undefined) {
    checkHighlight(attachment.itemHighlight, content.msgType, `${at}attachment.itemHighlight`, issues)
  }
  checkQuickReplies(supplement?.quickReply ?? [], `${at}supplement.quickReply`, issues)
  if (price !== undefined && !/^\d{1,12}(?:\.\d{1,2})?$/.test(price)) {
    const reason = `must be 1 to 12 digits, with at most 2 decimals, found ${quote(price)}`
    issues.add(invalidField('A559', `${at}price`, reason))
  }
}

function checkTexts(content: Content, at: string, issues: Issues): void {
  const hasItems = content.attachment?.item !== undefined
  requireValue(content.text, 'A303', `${at}text`, issues)
  const maxText = hasItems ? alimtalkLimits.textWithItems : alimtalkLimits.text
  limitText(content.text, maxText, 'A328', `${at}text`, issues)
  limitText(content.title, alimtalkLimits.title, 'A300', `${at}title`, issues)
  limitText(content.header, alimtalkLimits.header, 'A565', `${at}header`, issues)
}

export function getMsgType(content: Content): 'AT' | 'AI' {
  return content.msgType
}

export function getText(content: Content): string {
  return content.text
}

/** Returns no files: the image of an AI message was registered with its template. */
export function getFileReferences(): readonly never[] {
  return []
}

export interface SubmissionContent {
  readonly messageType: 'AT' | 'AI'
  readonly senderKey: string
  readonly templateCode: string
  readonly message: string
  readonly title?: string
  readonly header?: string
  readonly link?: NonNullable<Content['link']>
  readonly attachment?: {
    readonly button?: readonly KakaoButton[]
    readonly item?: Items
    readonly itemHighlight?: Highlight
  }
  readonly supplement?: { readonly quickReply: readonly QuickReply[] }
  readonly price?: string
  readonly currencyType?: 'KRW' | 'USD' | 'EUR'
}

export function toSubmission(candidate: Content): SubmissionContent {
  const content = normalizeShownTexts(candidate)
  const button = content.attachment?.button ?? content.button ?? []
  const attachment = {
    ...(button.length === 0 ? {} : { button }),
    ...pick(content.attachment ?? {}, ['item', 'itemHighlight']),
  }
  const quickReply = content.supplement?.quickReply ?? []
  return {
    messageType: content.msgType,
    senderKey: content.senderKey,
    templateCode: content.templateCode,
    message: content.text,
    ...pick(content, ['title', 'header', 'link', 'price', 'currencyType']),
    ...(Object.keys(attachment).length === 0 ? {} : { attachment }),
    ...(quickReply.length === 0 ? {} : { supplement: { quickReply } }),
  }
}
