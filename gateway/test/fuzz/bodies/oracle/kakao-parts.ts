/** Checks the parts of Kakao messages: buttons, links, coupons, products, carousels. */
import { toFields, toArray, type Violations, type Fields } from './fields.ts'

const buttonTypes = ['WL', 'AL', 'BK', 'MD', 'DS', 'BC', 'BT', 'AC', 'BF']

/** Allowed number of buttons and maximum length of a button's name. */
export interface ButtonRow {
  readonly min: number
  readonly max: number
  readonly name: number
}

export function checkButtons(buttons: unknown, row: ButtonRow, found: Violations, at: string): void {
  found.count(buttons, row.min, row.max, at)
  for (const candidate of toArray(buttons)) {
    const button = toFields(candidate)
    found.oneOf(button['type'], buttonTypes, `${at}.type`)
    found.needs(button['name'], row.name, `${at}.name`)
    checkLink(button, found, at)
  }
}

export function checkLink(action: Fields, found: Violations, at: string): void {
  const { type, urlMobile, schemeIos, schemeAndroid } = action
  if (type === 'WL') found.needs(urlMobile, Infinity, `${at}.urlMobile`)
  const targets = [urlMobile, schemeIos, schemeAndroid].filter((target) => target !== undefined)
  if (type === 'AL') found.expect(targets.length >= 2, `${at} with ${targets.length} of three targets`)
}

export function checkCoupon(coupon: unknown, max: number, found: Violations, at: string): void {
  if (coupon === undefined) return
  const { title, description } = toFields(coupon)
  found.matches(
    title,
    /^([\d,]+원 할인|\d{1,3}% 할인|배송비 할인|.{1,7} 무료|.{1,7} UP)( 쿠폰)?$/su,
    `${at}.title`,
  )
  found.needs(description, max, `${at}.description`)
}

export function checkCommerce(commerce: unknown, found: Violations, at: string): void {
  const { title, ...prices } = toFields(commerce)
  found.needs(title, 30, `${at}.title`)
  const maxValues = {
    regularPrice: 99_999_999,
    discountPrice: 99_999_999,
    discountRate: 100,
    discountFixed: 999_999,
  }
  for (const [name, max] of Object.entries(maxValues)) {
    const price = prices[name]
    if (price === undefined && name !== 'regularPrice') continue
    found.expect(
      typeof price === 'number' && Number.isInteger(price) && price >= 0 && price <= max,
      `${at}.${name} is not an integer up to ${max}`,
    )
  }
}

export function checkCarousel(carousel: Fields, msgType: unknown, found: Violations, at: string): void {
  const { head, list, tail } = carousel
  const feed = msgType === 'FC'
  if (head !== undefined) {
    found.expect(!feed, `${at}head with FC`)
    found.needs(toFields(head)['header'], 20, `${at}head.header`)
    found.needs(toFields(head)['content'], 50, `${at}head.content`)
    found.needs(toFields(head)['imageUrl'], Infinity, `${at}head.imageUrl`)
  }
  found.count(list, 2, 10, `${at}list`)
  for (const card of toArray(list)) checkCard(toFields(card), feed, found, `${at}list.`)
  if (tail !== undefined) found.needs(toFields(tail)['urlMobile'], Infinity, `${at}tail.urlMobile`)
}

function checkCard(card: Fields, feed: boolean, found: Violations, at: string): void {
  const { image, button, coupon, commerce } = toFields(card['attachment'])
  if (feed) {
    found.needs(card['header'], 20, `${at}header`)
    found.needs(card['message'], 180, `${at}message`)
    found.expect(commerce === undefined, `${at}commerce with FC`)
  } else {
    found.expect(card['header'] === undefined && card['message'] === undefined, `${at}words with FA`)
    checkCommerce(commerce, found, `${at}commerce`)
  }
  found.within(card['additionalContent'], 34, `${at}additionalContent`)
  found.needs(toFields(image)['imgUrl'], Infinity, `${at}image.imgUrl`)
  checkButtons(button, { min: 0, max: 5, name: 14 }, found, `${at}button`)
  checkCoupon(coupon, 18, found, `${at}coupon`)
}
