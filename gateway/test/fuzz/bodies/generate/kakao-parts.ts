/** Generates valid parts of Kakao messages: buttons of every type, coupons, products, carousels. */
import fc from 'fast-check'
import { fields, imgUrl, many, words } from './values.ts'

export const linkAddress = fc.constantFrom('https://example.com', 'https://example.com/길?a=1')
const scheme = fc.constantFrom('app://open', 'kakaotalk://launch')
const allTypes = ['WL', 'AL', 'BK', 'MD', 'DS', 'BC', 'BT', 'AC', 'BF']

function button(type: string, maxName: number): fc.Arbitrary<Record<string, unknown>> {
  const base = { type: fc.constant(type), name: words(maxName) }
  switch (type) {
    case 'WL':
      return fields({ ...base, urlMobile: linkAddress, urlPc: linkAddress }, ['type', 'name', 'urlMobile'])
    case 'AL':
      return fields({ ...base, schemeIos: scheme, schemeAndroid: scheme, urlMobile: linkAddress }, [
        'type',
        'name',
        'schemeIos',
        'schemeAndroid',
      ])
    case 'BF':
      return fc.record({ ...base, bizFormId: fc.constantFrom('1', '42') })
    default:
      return fields({ ...base, chatExtra: words(10) }, ['type', 'name'])
  }
}

export function buttons(min: number, max: number, maxName: number, types: readonly string[] = allTypes) {
  return many(fc.oneof(...types.map((type) => button(type, maxName))), min, max)
}

export const image = fields({ imgUrl, imgLink: linkAddress }, ['imgUrl'])

export const coupon = (maxDescription: number) =>
  fc.record({
    title: fc.constantFrom(
      '1,000원 할인 쿠폰',
      '10% 할인 쿠폰',
      '배송비 할인 쿠폰',
      '커피 무료 쿠폰',
      '등급 UP 쿠폰',
    ),
    description: words(maxDescription),
  })

const price = fc.integer({ min: 0, max: 99_999_999 })
export const commerce = fc.oneof(
  fc.record({ title: words(30), regularPrice: price }),
  fc.record({
    title: words(30),
    regularPrice: price,
    discountPrice: price,
    discountRate: fc.integer({ min: 1, max: 100 }),
  }),
)

export const wideItems = fc.record({
  list: many(fc.record({ title: words(25), imgUrl, urlMobile: linkAddress }), 3, 4),
})

const tail = fields({ urlMobile: linkAddress, urlPc: linkAddress }, ['urlMobile'])
const cardButtons = buttons(1, 2, 8)

export const carouselFeed = fields(
  {
    list: many(
      fc.record({
        header: words(20),
        message: words(180),
        attachment: fields({ image, button: cardButtons, coupon: coupon(12) }, ['image', 'button']),
      }),
      2,
      10,
    ),
    tail,
  },
  ['list'],
)

export const carouselCommerce = fields(
  {
    head: fc.record({ header: words(20), content: words(50), imageUrl: imgUrl }),
    list: many(
      fields(
        { additionalContent: words(34), attachment: fc.record({ image, button: cardButtons, commerce }) },
        ['attachment'],
      ),
      2,
      6,
    ),
    tail,
  },
  ['list'],
)
