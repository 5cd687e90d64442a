/** Checks brand messages against the limits of the API guide. Check functions return 0 or a code. */
import { toObject, toText, toObjects } from '../shared/json-body.ts'
import type { Fields } from '../shared/json-body.ts'
import type { KakaoCode } from './codes.ts'
import type { ImageType } from './images.ts'
import type { NhnOptions } from './settings.ts'
import { checkSender, checkTemplateCode, isHttp } from './validate-alimtalk.ts'

/** A `content` limit of 0 forbids content. Carousels have buttons and images on their cards. */
interface BubbleLimits {
  readonly content: number
  readonly buttons: readonly [min: number, max: number]
  readonly image?: ImageType
}

const bubbles: Readonly<Record<string, BubbleLimits>> = {
  TEXT: { content: 1300, buttons: [0, 5] },
  IMAGE: { content: 1300, buttons: [0, 5], image: 'IMAGE' },
  WIDE: { content: 76, buttons: [0, 2], image: 'WIDE_IMAGE' },
  WIDE_ITEM_LIST: { content: 0, buttons: [0, 2] },
  PREMIUM_VIDEO: { content: 76, buttons: [0, 1] },
  COMMERCE: { content: 0, buttons: [1, 2], image: 'IMAGE' },
  CAROUSEL_FEED: { content: 0, buttons: [0, 0] },
  CAROUSEL_COMMERCE: { content: 0, buttons: [0, 0] },
}
const textRequired = ['TEXT', 'IMAGE', 'WIDE']
const couponTitle =
  /^(?:\d{1,8}원 할인 쿠폰|(?:\d{1,2}|100)% 할인 쿠폰|배송비 할인 쿠폰|.{1,7} 무료 쿠폰|.{1,7} UP 쿠폰)$/

export type KnowsImage = (url: string, type: ImageType) => boolean

export function checkBrand(
  style: 'freestyle' | 'basic',
  fields: Fields,
  options: NhnOptions,
  knowsImage: KnowsImage,
): KakaoCode {
  const code = checkSender(fields, options) || checkUnsubscribe(fields)
  if (code !== 0) return code
  for (const recipient of toObjects(fields['recipientList'])) {
    const { targeting } = recipient
    if (targeting === undefined ? style === 'basic' : !['M', 'N', 'I'].includes(toText(targeting)))
      return -3298
    const recipientCode = checkUnsubscribe(recipient)
    if (recipientCode !== 0) return recipientCode
  }
  return style === 'basic' ? checkTemplateCode(fields, options, Infinity) : checkBubble(fields, knowsImage)
}

function checkUnsubscribe({ unsubscribeNo, unsubscribeAuthNo }: Fields): KakaoCode {
  if (unsubscribeNo !== undefined && !/^080-?\d{3,4}-?\d{4}$/.test(toText(unsubscribeNo))) return -3340
  if (unsubscribeAuthNo === undefined) return 0
  return unsubscribeNo !== undefined && /^\d{1,9}$/.test(toText(unsubscribeAuthNo)) ? 0 : -3341
}

function checkBubble(fields: Fields, knowsImage: KnowsImage): KakaoCode {
  const type = toText(fields['chatBubbleType'])
  const limits = Object.hasOwn(bubbles, type) ? bubbles[type]! : undefined
  if (limits === undefined) return 4
  const content = toText(fields['content'])
  if (content === '' && textRequired.includes(type)) return -3303
  if (content !== '' && limits.content === 0) return -3305
  if (content.length > limits.content) return -3304
  return (
    checkImage(toObject(fields['image'])['imageUrl'], limits.image, knowsImage) ||
    checkButtons(type, toObjects(fields['buttons']), limits.buttons, fields) ||
    checkCoupon(type, fields['coupon']) ||
    checkElements(type, fields, knowsImage)
  )
}

function checkElements(type: string, fields: Fields, knowsImage: KnowsImage): KakaoCode {
  switch (type) {
    case 'WIDE_ITEM_LIST':
      return checkItems(fields, knowsImage)
    case 'PREMIUM_VIDEO':
      if (toText(fields['header']).length > 20) return -3304
      return toText(toObject(fields['video'])['videoUrl']) === '' ? -3317 : 0
    case 'COMMERCE':
      if (toText(fields['additionalContent']).length > 34) return -3304
      return isCommerce(fields['commerce']) ? 0 : -3316
    case 'CAROUSEL_FEED':
    case 'CAROUSEL_COMMERCE':
      return checkCarousel(type, toObject(fields['carousel']), knowsImage)
    default:
      return 0
  }
}

function checkImage(url: unknown, type: ImageType | undefined, knowsImage: KnowsImage): KakaoCode {
  if (type === undefined) return 0
  if (toText(url) === '') return -3319
  return knowsImage(toText(url), type) ? 0 : -8002
}

function checkButtons(
  type: string,
  buttons: readonly Fields[],
  [min, max]: readonly [number, number],
  { coupon }: Fields,
): KakaoCode {
  const isBasic = type === 'TEXT' || type === 'IMAGE'
  if (buttons.length < min) return -3306
  if (buttons.length > (isBasic && coupon !== undefined ? max - 1 : max)) return -3304
  const channelButton = buttons.findIndex((button) => button['type'] === 'AC')
  if (channelButton > 0 && isBasic) return -3311
  if (channelButton >= 0 && !isBasic && channelButton !== buttons.length - 1) return -3312
  for (const button of buttons) {
    const code = checkButton(button, isBasic ? 14 : 8)
    if (code !== 0) return code
  }
  return 0
}

function checkButton(button: Fields, maxName: number): KakaoCode {
  const { type, linkMo, linkPc, schemeIos, schemeAndroid } = button
  const name = toText(button['name'])
  if (name === '') return -3303
  if (name.length > maxName) return -3304
  if (!['WL', 'AL', 'BK', 'MD', 'AC', 'BT', 'BF'].includes(toText(type))) return -3328
  if (type === 'AC' && name !== '채널 추가') return -3348
  if (type === 'WL' && toText(linkMo) === '') return -3307
  if (type === 'AL' && [linkMo, schemeIos, schemeAndroid].filter(Boolean).length < 2) return -3309
  if ([linkMo, linkPc, schemeIos, schemeAndroid].some((link) => toText(link).length > 1000)) return -3304
  return isHttp(linkMo) && isHttp(linkPc) ? 0 : -3310
}

function checkCoupon(type: string, coupon: unknown): KakaoCode {
  if (coupon === undefined) return 0
  const { title, description, linkMo, schemeIos, schemeAndroid } = toObject(coupon)
  const maxDescription = ['WIDE', 'WIDE_ITEM_LIST', 'PREMIUM_VIDEO'].includes(type) ? 18 : 12
  if (toText(title) === '' || toText(description) === '') return -3314
  if (!couponTitle.test(toText(title))) return -3315
  if (toText(description).length > maxDescription) return -3304
  return [linkMo, schemeIos, schemeAndroid].some(Boolean) ? 0 : -3313
}

function checkItems(fields: Fields, knowsImage: KnowsImage): KakaoCode {
  const header = toText(fields['header'])
  const items = toObjects(toObject(fields['item'])['list'])
  if (header === '') return -3303
  if (header.length > 20 || items.length < 3 || items.length > 4) return -3304
  for (const [index, item] of items.entries()) {
    const title = toText(item['title'])
    if ((title === '' && index > 0) || toText(item['linkMo']) === '') return -3325
    if (title.length > (index === 0 ? 25 : 30)) return -3304
    const type = index === 0 ? 'MAIN_WIDE_ITEMLIST_IMAGE' : 'NORMAL_WIDE_ITEMLIST_IMAGE'
    const code = checkImage(item['imageUrl'], type, knowsImage)
    if (code !== 0) return code
  }
  return 0
}

/** A discounted price requires the rate or the amount of the discount. */
function isCommerce(value: unknown): boolean {
  const { title, regularPrice, discountPrice, discountRate, discountFixed } = toObject(value)
  const isPrice = (price: unknown): boolean => Number.isInteger(price) && Number(price) >= 0
  if (toText(title) === '' || toText(title).length > 30 || !isPrice(regularPrice)) return false
  return (
    discountPrice === undefined ||
    (isPrice(discountPrice) && (isPrice(discountRate) || isPrice(discountFixed)))
  )
}

function checkCarousel(type: string, carousel: Fields, knowsImage: KnowsImage): KakaoCode {
  const { head, tail } = carousel
  const cards = toObjects(carousel['list'])
  const isFeed = type === 'CAROUSEL_FEED'
  const [min, max] = head === undefined ? [2, 6] : [1, 5]
  if (cards.length < min || cards.length > max) return -3320
  if (tail !== undefined && toText(toObject(tail)['linkMo']) === '') return -3323
  const imageType: ImageType = isFeed ? 'CAROUSEL_FEED_IMAGE' : 'CAROUSEL_COMMERCE_IMAGE'
  if (head !== undefined) {
    const { header, content, imageUrl } = toObject(head)
    if (isFeed) return -3305
    if ([header, content, imageUrl].some((value) => toText(value) === '')) return -3322
  }
  for (const card of cards) {
    const isComplete = isFeed
      ? toText(card['header']) !== '' && toText(card['message']) !== ''
      : isCommerce(card['commerce'])
    if (!isComplete) return isFeed ? -3334 : -3332
    if (toText(card['header']).length > 20 || toText(card['message']).length > 180) return -3304
    const code =
      checkImage(card['imageUrl'], imageType, knowsImage) ||
      checkButtons(type, toObjects(card['buttons']), [1, 2], card) ||
      checkCoupon(type, card['coupon'])
    if (code !== 0) return code
  }
  return 0
}
