/**
 * Enforces the row of `bubbleLimits` that msgType names. A complete bubble must have all that its type needs; an
 * incomplete one (a template supplies the rest) is only refused for what it has.
 */
import { invalidField } from '../../platform/problem.ts'
import { normaliseText } from '../text/normalise.ts'
import { buttonsOf, imageOf, type BubbleContent } from './bubble.ts'
import { checkButtons } from './buttons.ts'
import { checkCarousel } from './check-carousel.ts'
import { isEmpty, limitText, requireText, requireValue } from './check.ts'
import { checkCommerce } from './commerce.ts'
import { checkCoupon } from './coupon.ts'
import { checkImage } from './image.ts'
import { bubbleLimits, bubbleTypes, partNames, profileLimits, type PartName } from './limits.ts'
import { checkVideo } from './video.ts'
import { checkWideItems } from './wide-items.ts'

const partCodes: Readonly<Record<PartName, { readonly missing: string; readonly refused: string }>> = {
  image: { missing: 'A513', refused: 'A513' },
  item: { missing: 'A521', refused: 'A521' },
  commerce: { missing: 'A573', refused: 'A573' },
  video: { missing: 'A573', refused: 'A573' },
  carousel: { missing: 'A567', refused: 'A568' },
}

export function checkBubble(content: BubbleContent, at: string, complete: boolean): void {
  requireText(content.senderKey, profileLimits.senderKey, 'A502', `${at}senderKey`)
  if (complete && at === '') refuseBare(content)
  checkWords(content, at, complete)
  checkParts(content, at, complete)
  checkBubbleButtons(content, at, complete)
  checkBubbleCoupon(content, at)
  if (bubbleLimits[content.msgType].alwaysAdvertisement && content.adFlag === 'N') {
    throw invalidField(
      'A506',
      `${at}adFlag`,
      `msgType ${content.msgType} is always an advertisement: Y is wanted`,
    )
  }
  limitText(content.groupTagKey, profileLimits.groupTagKey, 'A300', `${at}groupTagKey`)
}

/** A simple send has no field for most parts: better to say so than to ask for what it cannot give. */
function refuseBare({ msgType, attachment, carousel }: BubbleContent): void {
  const [part] = bubbleLimits[msgType].needs.filter((need) => need !== 'image')
  if (part === undefined || attachment !== undefined || carousel !== undefined) return
  throw invalidField(
    'A523',
    'msgType',
    `${msgType} needs ${part}, which only an entry of messageFlow can carry`,
  )
}

function checkWords(content: BubbleContent, at: string, complete: boolean): void {
  const { msgType } = content
  const { text, header, additionalContent } = bubbleLimits[msgType]
  const none = `msgType ${msgType} does not take it`
  if (text === null) {
    if (!isEmpty(content.text)) throw invalidField('A303', `${at}text`, none)
  } else {
    if (text.required && complete) requireValue(content.text, 'A303', `${at}text`)
    limitText(content.text, text.most, 'A328', `${at}text`)
    checkLineBreaks(content.text ?? '', text.lineBreaks ?? Infinity, `${at}text`)
  }
  if (header === null) {
    if (!isEmpty(content.header)) throw invalidField('A565', `${at}header`, none)
  } else {
    if (header.required && complete) requireValue(content.header, 'A565', `${at}header`)
    limitText(content.header, header.most, 'A565', `${at}header`)
  }
  if (additionalContent === null) {
    if (!isEmpty(content.additionalContent)) throw invalidField('A300', `${at}additionalContent`, none)
  } else {
    limitText(content.additionalContent, additionalContent, 'A300', `${at}additionalContent`)
  }
}

function checkLineBreaks(text: string, most: number, path: string): void {
  const found = normaliseText(text).split('\n').length - 1
  if (found > most) throw invalidField('A303', path, `at most ${most} line breaks, found ${found}`)
}

function checkParts(content: BubbleContent, at: string, complete: boolean): void {
  const { msgType, attachment, carousel } = content
  const image = imageOf(content)
  const { needs } = bubbleLimits[msgType]
  const given = {
    image,
    item: attachment?.item,
    commerce: attachment?.commerce,
    video: attachment?.video,
    carousel,
  }
  for (const part of partNames) {
    const path = partPath(part, content, at)
    if (needs.includes(part)) {
      if (complete && given[part] === undefined) {
        throw invalidField(partCodes[part].missing, path, `msgType ${msgType} needs it`)
      }
    } else if (given[part] !== undefined) {
      const takers = bubbleTypes.filter((type) => bubbleLimits[type].needs.includes(part)).join(', ')
      throw invalidField(partCodes[part].refused, path, `only msgType ${takers} take it, found ${msgType}`)
    }
  }
  if (content.imgUrl !== undefined) requireValue(content.imgUrl, 'A513', `${at}imgUrl`)
  if (attachment?.image !== undefined) checkImage(attachment.image, `${at}attachment.image`)
  if (attachment?.item !== undefined) checkWideItems(attachment.item, `${at}attachment.item`)
  if (attachment?.commerce !== undefined) checkCommerce(attachment.commerce, `${at}attachment.commerce`)
  if (attachment?.video !== undefined) checkVideo(attachment.video, `${at}attachment.video`)
  if (carousel !== undefined && (msgType === 'FC' || msgType === 'FA')) {
    checkCarousel(carousel, msgType, `${at}carousel`)
  }
}

/** A simple send is checked at the top of its body and has its image there. */
function partPath(part: PartName, content: BubbleContent, at: string): string {
  if (part === 'carousel') return `${at}carousel`
  if (part === 'image' && at === '' && content.attachment === undefined) return 'imgUrl'
  return `${at}attachment.${part}`
}

function checkBubbleButtons(content: BubbleContent, at: string, complete: boolean): void {
  const limits = bubbleLimits[content.msgType].buttons
  const nested = content.button === undefined && (at !== '' || content.attachment !== undefined)
  const path = nested ? `${at}attachment.button` : `${at}button`
  const buttons = buttonsOf(content) ?? []
  if (limits === null) {
    if (buttons.length === 0) return
    throw invalidField('A503', path, `msgType ${content.msgType} has its buttons on the cards`)
  }
  const most = content.attachment?.coupon === undefined ? limits.most : limits.mostWithCoupon
  checkButtons(buttons, { fewest: complete ? limits.fewest : 0, most, name: limits.name }, path)
}

function checkBubbleCoupon(content: BubbleContent, at: string): void {
  const coupon = content.attachment?.coupon
  if (coupon === undefined) return
  const most = bubbleLimits[content.msgType].couponDescription
  const path = `${at}attachment.coupon`
  if (most === null)
    throw invalidField('A573', path, `msgType ${content.msgType} has its coupons on the cards`)
  checkCoupon(coupon, most, path)
}
