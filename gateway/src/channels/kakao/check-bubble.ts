/**
 * Enforces the limits of `bubbleLimits` for the msgType. A complete bubble must have every part that its type
 * needs; an incomplete one, whose other parts come from a template, is only checked for the parts it has.
 */
import { invalidField } from '../../contract/problem.ts'
import type { ResultCode } from '../../contract/result-codes.ts'
import type { Issues } from '../issues.ts'
import { normalizeText } from '../text/normalize.ts'
import { getButtons, getImage, type BubbleContent } from './bubble.ts'
import { checkKakaoButtons } from './buttons.ts'
import { checkKakaoCarousel } from './check-carousel.ts'
import { isEmptyText, limitText, requireText, requireValue } from './check.ts'
import { checkCommerce } from './commerce.ts'
import { checkCoupon } from './coupon.ts'
import { checkImage } from './image.ts'
import { bubbleLimits, bubbleTypes, partNames, profileLimits, type PartName } from './limits.ts'
import { checkVideo } from './video.ts'
import { checkWideItems } from './wide-items.ts'

const partCodes: Readonly<
  Record<PartName, { readonly missing: ResultCode; readonly unexpected: ResultCode }>
> = {
  image: { missing: 'A513', unexpected: 'A513' },
  item: { missing: 'A521', unexpected: 'A521' },
  commerce: { missing: 'A573', unexpected: 'A573' },
  video: { missing: 'A573', unexpected: 'A573' },
  carousel: { missing: 'A567', unexpected: 'A568' },
}

export function checkBubble(content: BubbleContent, at: string, complete: boolean, issues: Issues): void {
  requireText(content.senderKey, profileLimits.senderKey, 'A502', `${at}senderKey`, issues)
  if (complete && at === '') rejectBareBubble(content, issues)
  checkTexts(content, at, complete, issues)
  checkParts(content, at, complete, issues)
  checkBubbleButtons(content, at, complete, issues)
  checkBubbleCoupon(content, at, issues)
  if (bubbleLimits[content.msgType].alwaysAdvertisement && content.adFlag === 'N') {
    const reason = `must be Y: msgType ${content.msgType} is always an advertisement`
    issues.add(invalidField('A506', `${at}adFlag`, reason))
  }
  limitText(content.groupTagKey, profileLimits.groupTagKey, 'A300', `${at}groupTagKey`, issues)
}

/**
 * Rejects a simple send of a type that needs a part it has no field for, instead of requiring a field that
 * does not exist.
 */
function rejectBareBubble({ msgType, attachment, carousel }: BubbleContent, issues: Issues): void {
  const [part] = bubbleLimits[msgType].needs.filter((need) => need !== 'image')
  if (part === undefined || attachment !== undefined || carousel !== undefined) return
  const reason = `${msgType} needs ${part}, which only messageFlow can carry: use POST /v1/send/omni`
  issues.add(invalidField('A523', 'msgType', reason), '')
}

function checkTexts(content: BubbleContent, at: string, complete: boolean, issues: Issues): void {
  const { msgType } = content
  const { text, header, additionalContent } = bubbleLimits[msgType]
  const none = `is not allowed with msgType ${msgType}`
  if (text === null) {
    if (!isEmptyText(content.text)) issues.add(invalidField('A303', `${at}text`, none))
  } else {
    if (text.required && complete) requireValue(content.text, 'A303', `${at}text`, issues)
    limitText(content.text, text.max, 'A328', `${at}text`, issues)
    checkLineBreaks(content.text ?? '', text.lineBreaks ?? Infinity, `${at}text`, issues)
  }
  if (header === null) {
    if (!isEmptyText(content.header)) issues.add(invalidField('A565', `${at}header`, none))
  } else {
    if (header.required && complete) requireValue(content.header, 'A565', `${at}header`, issues)
    limitText(content.header, header.max, 'A565', `${at}header`, issues)
  }
  if (additionalContent === null) {
    if (!isEmptyText(content.additionalContent))
      issues.add(invalidField('A300', `${at}additionalContent`, none))
  } else {
    limitText(content.additionalContent, additionalContent, 'A300', `${at}additionalContent`, issues)
  }
}

function checkLineBreaks(text: string, max: number, path: string, issues: Issues): void {
  const lineBreaks = normalizeText(text).split('\n').length - 1
  if (lineBreaks > max)
    issues.add(invalidField('A303', path, `must have at most ${max} line breaks, found ${lineBreaks}`))
}

function checkParts(content: BubbleContent, at: string, complete: boolean, issues: Issues): void {
  const { msgType, attachment, carousel } = content
  const image = getImage(content)
  const { needs } = bubbleLimits[msgType]
  const presence = {
    image,
    item: attachment?.item,
    commerce: attachment?.commerce,
    video: attachment?.video,
    carousel,
  }
  for (const part of partNames) {
    const path = partPath(part, content, at)
    if (needs.includes(part)) {
      if (complete && presence[part] === undefined) {
        issues.add(invalidField(partCodes[part].missing, path, `is required with msgType ${msgType}`))
      }
    } else if (presence[part] !== undefined) {
      const allowedTypes = bubbleTypes.filter((type) => bubbleLimits[type].needs.includes(part)).join(', ')
      const reason = `is allowed only with msgType ${allowedTypes}, found ${msgType}`
      issues.add(invalidField(partCodes[part].unexpected, path, reason))
    }
  }
  if (content.imgUrl !== undefined) requireValue(content.imgUrl, 'A513', `${at}imgUrl`, issues)
  if (attachment?.image !== undefined) checkImage(attachment.image, `${at}attachment.image`, issues)
  if (attachment?.item !== undefined) checkWideItems(attachment.item, `${at}attachment.item`, issues)
  if (attachment?.commerce !== undefined) {
    checkCommerce(attachment.commerce, `${at}attachment.commerce`, issues)
  }
  if (attachment?.video !== undefined) checkVideo(attachment.video, `${at}attachment.video`, issues)
  if (carousel !== undefined && (msgType === 'FC' || msgType === 'FA')) {
    checkKakaoCarousel(carousel, msgType, `${at}carousel`, issues)
  }
}

/** In a simple send the image is at the top level of the body. */
function partPath(part: PartName, content: BubbleContent, at: string): string {
  if (part === 'carousel') return `${at}carousel`
  if (part === 'image' && at === '' && content.attachment === undefined) return 'imgUrl'
  return `${at}attachment.${part}`
}

function checkBubbleButtons(content: BubbleContent, at: string, complete: boolean, issues: Issues): void {
  const limits = bubbleLimits[content.msgType].buttons
  const isNested = content.button === undefined && (at !== '' || content.attachment !== undefined)
  const path = isNested ? `${at}attachment.button` : `${at}button`
  const buttons = getButtons(content) ?? []
  if (limits === null) {
    if (buttons.length > 0) {
      issues.add(invalidField('A503', path, `must be on the cards with msgType ${content.msgType}`))
    }
    return
  }
  const max = content.attachment?.coupon === undefined ? limits.max : limits.maxWithCoupon
  checkKakaoButtons(buttons, { min: complete ? limits.min : 0, max, name: limits.name }, path, issues)
}

function checkBubbleCoupon(content: BubbleContent, at: string, issues: Issues): void {
  const coupon = content.attachment?.coupon
  if (coupon === undefined) return
  const max = bubbleLimits[content.msgType].couponDescription
  const path = `${at}attachment.coupon`
  if (max !== null) checkCoupon(coupon, max, path, issues)
  else issues.add(invalidField('A573', path, `must be on the cards with msgType ${content.msgType}`))
}
