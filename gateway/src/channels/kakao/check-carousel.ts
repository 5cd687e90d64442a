/** Enforces what the type of a carousel demands: A568 where the type refuses a part, A567 for the rest. */
import { invalidField } from '../../contract/problem.ts'
import { throwProblem, type Refuse } from '../refuse.ts'
import { checkButtons } from './buttons.ts'
import type { Card, Carousel, CarouselHead } from './carousel.ts'
import { isEmpty, limitCount, limitText, requireText, requireValue } from './check.ts'
import { checkCommerce } from './commerce.ts'
import { checkCoupon } from './coupon.ts'
import { checkImage } from './image.ts'
import { carouselLimits, type CarouselType } from './limits.ts'

export function checkCarousel(
  carousel: Carousel,
  type: CarouselType,
  path: string,
  refuse: Refuse = throwProblem,
): void {
  if (carousel.head !== undefined) {
    if (carouselLimits.byType[type].head) checkHead(carousel.head, `${path}.head`, refuse)
    else refuse(refused(type, `${path}.head`))
  }
  limitCount(carousel.list.length, carouselLimits.cards, 'A567', `${path}.list`, refuse)
  for (const [index, card] of carousel.list.entries()) checkCard(card, type, `${path}.list[${index}]`, refuse)
  if (carousel.tail !== undefined) {
    requireValue(carousel.tail.urlMobile, 'A567', `${path}.tail.urlMobile`, refuse)
  }
}

function checkHead(head: CarouselHead, path: string, refuse: Refuse): void {
  requireText(head.header, carouselLimits.head.header, 'A567', `${path}.header`, refuse)
  requireText(head.content, carouselLimits.head.content, 'A567', `${path}.content`, refuse)
  requireValue(head.imageUrl, 'A567', `${path}.imageUrl`, refuse)
  const linked = [head.urlPc, head.schemeAndroid, head.schemeIos].some((link) => !isEmpty(link))
  if (linked) requireValue(head.urlMobile, 'A567', `${path}.urlMobile`, refuse, 'any other link needs it')
}

function checkCard(card: Card, type: CarouselType, path: string, refuse: Refuse): void {
  const limits = carouselLimits.byType[type]
  if (limits.words) {
    requireText(card.header, carouselLimits.header, 'A567', `${path}.header`, refuse)
    requireText(card.message, carouselLimits.message, 'A567', `${path}.message`, refuse)
  } else {
    if (!isEmpty(card.header)) refuse(refused(type, `${path}.header`))
    if (!isEmpty(card.message)) refuse(refused(type, `${path}.message`))
  }
  if (limits.additionalContent !== null) {
    limitText(card.additionalContent, limits.additionalContent, 'A567', `${path}.additionalContent`, refuse)
  } else if (!isEmpty(card.additionalContent)) {
    refuse(refused(type, `${path}.additionalContent`))
  }
  checkCardAttachment(card.attachment, type, `${path}.attachment`, refuse)
}

function checkCardAttachment(
  attachment: Card['attachment'],
  type: CarouselType,
  path: string,
  refuse: Refuse,
): void {
  checkImage(attachment.image, `${path}.image`, refuse)
  checkButtons(attachment.button ?? [], carouselLimits.buttons, `${path}.button`, refuse)
  if (attachment.coupon !== undefined) {
    checkCoupon(attachment.coupon, carouselLimits.couponDescription, `${path}.coupon`, refuse)
  }
  const { commerce } = attachment
  if (!carouselLimits.byType[type].commerce) {
    if (commerce !== undefined) refuse(refused(type, `${path}.commerce`))
  } else if (commerce === undefined) {
    refuse(invalidField('A568', `${path}.commerce`, `a card of ${type} needs it`))
  } else {
    checkCommerce(commerce, `${path}.commerce`, refuse)
  }
}

const refused = (type: CarouselType, path: string) =>
  invalidField('A568', path, `msgType ${type} does not take it`)
