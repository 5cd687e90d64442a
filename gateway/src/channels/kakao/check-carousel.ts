/**
 * Enforces the rules of a carousel's type: A568 for a part that the type does not allow and for a missing product,
 * A567 for the number of cards, the head, the tail and the texts. Other parts of a card have codes of their own.
 */
import { invalidField } from '../../contract/problem.ts'
import type { Issues } from '../issues.ts'
import { checkKakaoButtons } from './buttons.ts'
import type { Card, Carousel, CarouselHead } from './carousel.ts'
import { isEmptyText, limitCount, limitText, requireText, requireValue } from './check.ts'
import { checkCommerce } from './commerce.ts'
import { checkCoupon } from './coupon.ts'
import { checkImage } from './image.ts'
import { carouselLimits, type CarouselType } from './limits.ts'

export function checkKakaoCarousel(
  carousel: Carousel,
  type: CarouselType,
  path: string,
  issues: Issues,
): void {
  if (carousel.head !== undefined) {
    if (carouselLimits.byType[type].head) checkHead(carousel.head, `${path}.head`, issues)
    else issues.add(unexpected(type, `${path}.head`))
  }
  limitCount(carousel.list.length, carouselLimits.cards, 'A567', `${path}.list`, issues)
  for (const [index, card] of carousel.list.entries()) {
    if (issues.isSettled()) return
    checkCard(card, type, `${path}.list[${index}]`, issues)
  }
  if (carousel.tail !== undefined) {
    requireValue(carousel.tail.urlMobile, 'A567', `${path}.tail.urlMobile`, issues)
  }
}

function checkHead(head: CarouselHead, path: string, issues: Issues): void {
  requireText(head.header, carouselLimits.head.header, 'A567', `${path}.header`, issues)
  requireText(head.content, carouselLimits.head.content, 'A567', `${path}.content`, issues)
  requireValue(head.imageUrl, 'A567', `${path}.imageUrl`, issues)
  const hasOtherLink = [head.urlPc, head.schemeAndroid, head.schemeIos].some((link) => !isEmptyText(link))
  if (hasOtherLink)
    requireValue(head.urlMobile, 'A567', `${path}.urlMobile`, issues, 'is required with any other link')
}

function checkCard(card: Card, type: CarouselType, path: string, issues: Issues): void {
  const limits = carouselLimits.byType[type]
  if (limits.text) {
    requireText(card.header, carouselLimits.header, 'A567', `${path}.header`, issues)
    requireText(card.message, carouselLimits.message, 'A567', `${path}.message`, issues)
  } else {
    if (!isEmptyText(card.header)) issues.add(unexpected(type, `${path}.header`))
    if (!isEmptyText(card.message)) issues.add(unexpected(type, `${path}.message`))
  }
  if (limits.additionalContent !== null) {
    limitText(card.additionalContent, limits.additionalContent, 'A567', `${path}.additionalContent`, issues)
  } else if (!isEmptyText(card.additionalContent)) {
    issues.add(unexpected(type, `${path}.additionalContent`))
  }
  checkCardAttachment(card.attachment, type, `${path}.attachment`, issues)
}

function checkCardAttachment(
  attachment: Card['attachment'],
  type: CarouselType,
  path: string,
  issues: Issues,
): void {
  checkImage(attachment.image, `${path}.image`, issues)
  checkKakaoButtons(attachment.button ?? [], carouselLimits.buttons, `${path}.button`, issues)
  if (attachment.coupon !== undefined) {
    checkCoupon(attachment.coupon, carouselLimits.couponDescription, `${path}.coupon`, issues)
  }
  const { commerce } = attachment
  if (!carouselLimits.byType[type].commerce) {
    if (commerce !== undefined) issues.add(unexpected(type, `${path}.commerce`))
  } else if (commerce === undefined) {
    issues.add(invalidField('A568', `${path}.commerce`, `is required on a card of ${type}`))
  } else {
    checkCommerce(commerce, `${path}.commerce`, issues)
  }
}

const unexpected = (type: CarouselType, path: string) =>
  invalidField('A568', path, `is not allowed with msgType ${type}`)
