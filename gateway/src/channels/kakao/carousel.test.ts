import assert from 'node:assert/strict'
import { test } from 'node:test'
import { requireValid } from '../issues.ts'
import { Carousel, carouselImages, type Card } from './carousel.ts'
import { checkKakaoCarousel } from './check-carousel.ts'
import { fits, letters, refused } from '../../../test/support/carriers/kakao.ts'

const attachment: Card['attachment'] = {
  image: { imgUrl: 'https://img/1' },
  button: [{ type: 'BK', name: 'menu' }],
}
const feed: Card = { header: 'head', message: 'words', attachment }
const product: Card = { attachment: { ...attachment, commerce: { title: 'shoe', regularPrice: 1 } } }
const cards = (card: Card, count: number): Carousel => ({ list: Array.from({ length: count }, () => card) })
const checkFc = (carousel: Carousel) => () =>
  requireValid((issues) => checkKakaoCarousel(carousel, 'FC', 'carousel', issues))
const checkFa = (carousel: Carousel) => () =>
  requireValid((issues) => checkKakaoCarousel(carousel, 'FA', 'carousel', issues))
const oneFeed = (changes: Partial<Card>): Carousel => ({ list: [feed, { ...feed, ...changes }] })
const oneProduct = (changes: Partial<Card>): Carousel => ({ list: [product, { ...product, ...changes }] })

test('carousel.list: accepts 2 to 10 cards, rejects 1 and 11 with A567', () => {
  for (const count of [2, 10]) {
    checkFc(cards(feed, count))()
    checkFa(cards(product, count))()
  }
  for (const count of [1, 11]) {
    assert.throws(checkFc(cards(feed, count)), refused('A567', 'carousel.list'))
  }
})

test('FC card: header 20 and message 180 characters, both required', () => {
  checkFc(oneFeed({ header: letters(20), message: letters(180) }))()
  assert.throws(checkFc(oneFeed({ header: letters(21) })), refused('A567', 'carousel.list[1].header'))
  assert.throws(checkFc(oneFeed({ message: letters(181) })), refused('A567', 'carousel.list[1].message'))
  assert.throws(
    checkFc({ list: [feed, { message: 'm', attachment }] }),
    refused('A567', 'carousel.list[1].header'),
  )
  assert.throws(
    checkFc({ list: [feed, { header: 'h', attachment }] }),
    refused('A567', 'carousel.list[1].message'),
  )
})

test('FC card: rejects commerce and additionalContent with A568', () => {
  const sold = { ...attachment, commerce: { title: 'shoe', regularPrice: 1 } }
  assert.throws(
    checkFc(oneFeed({ attachment: sold })),
    refused('A568', 'carousel.list[1].attachment.commerce'),
  )
  assert.throws(
    checkFc(oneFeed({ additionalContent: 'x' })),
    refused('A568', 'carousel.list[1].additionalContent'),
  )
})

test('FA card: needs commerce, rejects header and message with A568, accepts 34 characters of additionalContent', () => {
  checkFa(oneProduct({ additionalContent: letters(34) }))()
  assert.throws(
    checkFa(oneProduct({ additionalContent: letters(35) })),
    refused('A567', 'carousel.list[1].additionalContent'),
  )
  assert.throws(checkFa(oneProduct({ attachment })), refused('A568', 'carousel.list[1].attachment.commerce'))
  assert.throws(checkFa(oneProduct({ header: 'x' })), refused('A568', 'carousel.list[1].header'))
  assert.throws(checkFa(oneProduct({ message: 'x' })), refused('A568', 'carousel.list[1].message'))
})

test('card buttons: 1 to 2, names of 8 characters', () => {
  const withButtons = (...names: readonly string[]) =>
    oneFeed({ attachment: { ...attachment, button: names.map((name) => ({ type: 'BK', name })) } })
  checkFc(withButtons(letters(8)))()
  checkFc(withButtons('a', 'b'))()
  const path = 'carousel.list[1].attachment.button'
  assert.throws(checkFc(withButtons()), refused('A503', path))
  assert.throws(checkFc(withButtons('a', 'b', 'c')), refused('A503', path))
  assert.throws(checkFc(withButtons('a', letters(9))), refused('A525', `${path}[1].name`))
})

test('card coupon: 12 characters of description; card image: required', () => {
  const withCoupon = (description: string) =>
    oneFeed({ attachment: { ...attachment, coupon: { title: '배송비 할인 쿠폰', description } } })
  checkFc(withCoupon(letters(12)))()
  const path = 'carousel.list[1].attachment'
  assert.throws(checkFc(withCoupon(letters(13))), refused('A573', `${path}.coupon.description`))
  const imageless = oneFeed({ attachment: { ...attachment, image: { imgUrl: '' } } })
  assert.throws(checkFc(imageless), refused('A513', `${path}.image.imgUrl`))
})

const head = { header: 'head', content: 'words', imageUrl: 'https://img/0' }

test('carousel.head: rejected with FC; header 20 and content 50 characters, and an image', () => {
  const withHead = (changes: Partial<typeof head>) =>
    checkFa({ ...cards(product, 2), head: { ...head, ...changes } })
  withHead({ header: letters(20), content: letters(50) })()
  assert.throws(withHead({ header: letters(21) }), refused('A567', 'carousel.head.header'))
  assert.throws(withHead({ content: letters(51) }), refused('A567', 'carousel.head.content'))
  assert.throws(withHead({ imageUrl: '' }), refused('A567', 'carousel.head.imageUrl'))
  assert.throws(checkFc({ ...cards(feed, 2), head }), refused('A568', 'carousel.head'))
})

test('carousel.head.urlMobile: required with any other link', () => {
  const linked = (link: object) => checkFa({ ...cards(product, 2), head: { ...head, ...link } })
  linked({ urlMobile: 'https://m' })()
  linked({ urlMobile: 'https://m', urlPc: 'https://p', schemeIos: 'a://', schemeAndroid: 'a://' })()
  for (const link of [{ urlPc: 'https://p' }, { schemeIos: 'a://' }, { schemeAndroid: 'a://' }]) {
    assert.throws(linked(link), refused('A567', 'carousel.head.urlMobile'))
  }
})

test('carousel.tail: needs urlMobile', () => {
  checkFc({ ...cards(feed, 2), tail: { urlMobile: 'https://m' } })()
  assert.throws(
    checkFc({ ...cards(feed, 2), tail: { urlMobile: '' } }),
    refused('A567', 'carousel.tail.urlMobile'),
  )
  assert.ok(!fits(Carousel, { ...cards(feed, 2), tail: { urlPc: 'https://p' } }))
})

test('carousel images: the head first, then each card, by path', () => {
  assert.ok(fits(Carousel, { ...cards(product, 2), head }))
  assert.deepEqual(carouselImages({ ...cards(product, 1), head }, 'carousel'), [
    { key: 'https://img/0', path: 'carousel.head.imageUrl' },
    { key: 'https://img/1', path: 'carousel.list[0].attachment.image.imgUrl' },
  ])
})
