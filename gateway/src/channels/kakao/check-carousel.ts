/** Enforces what the type of a carousel demands: A568 where the type refuses a part, A567 for the rest. */
import { invalidField } from '../../platform/problem.ts'
import { checkButtons } from './buttons.ts'
import type { Card, Carousel, CarouselHead } from './carousel.ts'
import { isEmpty, limitCount, limitText, requireText, requireValue } from './check.ts'
import { checkCommerce } from './commerce.ts'
import { checkCoupon } from './coupon.ts'
import { checkImage } from './image.ts'
import { carouselLimits, type CarouselType } from './limits.ts'

export function checkCarousel(carousel: Carousel, type: CarouselType, path: string): void {
  if (carousel.head !== undefined) {
    if (!carouselLimits.byType[type].head) throw refused(type, `${path}.head`)
    checkHead(carousel.head, `${path}.head`)
  }
  limitCount(carousel.list.length, carouselLimits.cards, 'A567', `${path}.list`)
  for (const [index, card] of carousel.list.entries()) checkCard(card, type, `${path}.list[${index}]`)
  if (carousel.tail !== undefined) {
    requireValue(carousel.tail.urlMobile, 'A567', `${path}.tail.urlMobile`)
  }
}

function checkHead(head: CarouselHead, path: string): void {
  requireText(head.header, carouselLimits.head.header, 'A567', `${path}.header`)
  requireText(head.content, carouselLimits.head.content, 'A567', `${path}.content`)
  requireValue(head.imageUrl, 'A567', `${path}.imageUrl`)
  const linked = [head.urlPc, head.schemeAndroid, head.schemeIos].some((link) => !isEmpty(link))
  if (linked) requireValue(head.urlMobile, 'A567', `${path}.urlMobile`, 'any other link needs it')
}

function checkCard(card: Card, type: CarouselType, path: string): void {
  const limits = carouselLimits.byType[type]
  if (limits.words) {
    requireText(card.header, carouselLimits.header, 'A567', `${path}.header`)
    requireText(card.message, carouselLimits.message, 'A567', `${path}.message`)
  } else {
    if (!isEmpty(card.header)) throw refused(type, `${path}.header`)
    if (!isEmpty(card.message)) throw refused(type, `${path}.message`)
  }
  if (limits.additionalContent !== null) {
    limitText(card.additionalContent, limits.additionalContent, 'A567', `${path}.additionalContent`)
  } else if (!isEmpty(card.additionalContent)) {
    throw refused(type, `${path}.additionalContent`)
  }
  checkCardAttachment(card.attachment, type, `${path}.attachment`)
}

function checkCardAttachment(attachment: Card['attachment'], type: CarouselType, path: string): void {
  checkImage(attachment.image, `${path}.image`)
  checkButtons(attachment.button ?? [], carouselLimits.buttons, `${path}.button`)
  if (attachment.coupon !== undefined) {
    checkCoupon(attachment.coupon, carouselLimits.couponDescription, `${path}.coupon`)
  }
  const { commerce } = attachment
  if (!carouselLimits.byType[type].commerce) {
    if (commerce !== undefined) throw refused(type, `${path}.commerce`)
  } else {
    if (commerce === undefined) throw invalidField('A568', `${path}.commerce`, `a card of ${type} needs it`)
    checkCommerce(commerce, `${path}.commerce`)
  }
}

const refused = (type: CarouselType, path: string) =>
  invalidField('A568', path, `msgType ${type} does not take it`)
