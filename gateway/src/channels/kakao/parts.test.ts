import assert from 'node:assert/strict'
import { test } from 'node:test'
import { requireValid } from '../issues.ts'
import { checkCommerce, Commerce, withoutZeroDiscounts } from './commerce.ts'
import { checkCoupon, type Coupon } from './coupon.ts'
import { fits, letters, refused } from '../../../test/support/carriers/kakao.ts'
import { checkVideo } from './video.ts'
import { checkWideItems, wideItemImages, type WideItems } from './wide-items.ts'

const coupon =
  (title: string, description = 'today') =>
  () => {
    requireValid((issues) => checkCoupon({ title, description } satisfies Coupon, 12, 'coupon', issues))
  }

test('coupon.title: accepts the five fixed forms and no other', () => {
  for (const title of [
    ...[
      '1000원 할인 쿠폰',
      '1,000원 할인 쿠폰',
      '1원 할인',
      '1% 할인 쿠폰',
      '100% 할인 쿠폰',
      '배송비 할인 쿠폰',
    ],
    ...[`${letters(7)} 무료 쿠폰`, `${letters(7)} UP 쿠폰`, '포인트 UP'],
  ]) {
    coupon(title)()
  }
  for (const title of [
    ...[
      '',
      '쿠폰',
      '0원 할인 쿠폰',
      '원 할인 쿠폰',
      '0% 할인 쿠폰',
      '101% 할인 쿠폰',
      '배송비 무료 할인 쿠폰',
    ],
    ...[`${letters(8)} 무료 쿠폰`, `${letters(8)} UP 쿠폰`, ' 무료 쿠폰', '10 % 할인 쿠폰'],
  ]) {
    assert.throws(coupon(title), refused('A573', 'coupon.title'), title)
  }
})

test('coupon.description: accepts as many characters as the bubble allows at most', () => {
  coupon('배송비 할인 쿠폰', letters(12))()
  assert.throws(coupon('배송비 할인 쿠폰', letters(13)), refused('A573', 'coupon.description'))
  assert.throws(coupon('배송비 할인 쿠폰', ''), refused('A573', 'coupon.description'))
})

const product: Commerce = { title: 'shoe', regularPrice: 1_000 }
const commerce = (changes: Partial<Commerce>) => () =>
  requireValid((issues) => checkCommerce({ ...product, ...changes }, 'commerce', issues))

test('commerce.title: accepts 30 characters, rejects 31', () => {
  commerce({ title: letters(30) })()
  assert.throws(commerce({ title: letters(31) }), refused('A573', 'commerce.title'))
})

test('commerce prices: integers, both ends of each range are accepted, nothing beyond', () => {
  for (const [field, max] of [
    ['regularPrice', 99_999_999],
    ['discountPrice', 99_999_999],
    ['discountRate', 100],
    ['discountFixed', 999_999],
  ] as const) {
    const priced = { ...product, discountPrice: 1, ...(field === 'discountFixed' ? {} : { discountRate: 1 }) }
    commerce({ ...priced, [field]: 0, ...(field === 'discountPrice' ? { discountRate: 100 } : {}) })()
    commerce({ ...priced, [field]: max })()
    for (const wrong of [-1, max + 1, 1.5, NaN]) {
      assert.throws(commerce({ ...priced, [field]: wrong }), refused('A573', `commerce.${field}`))
      assert.ok(!fits(Commerce, { ...priced, [field]: wrong }))
    }
    assert.ok(fits(Commerce, { ...priced, [field]: max }))
  }
})

test('commerce discount: discountPrice needs exactly one of rate and amount, and they need it', () => {
  commerce({ discountPrice: 900, discountRate: 10 })()
  commerce({ discountPrice: 900, discountFixed: 100 })()
  assert.throws(commerce({ discountPrice: 900 }), refused('A573', 'commerce'))
  const bothDiscounts = { discountPrice: 900, discountRate: 10, discountFixed: 100 }
  assert.throws(commerce(bothDiscounts), refused('A573', 'commerce'))
  assert.throws(commerce({ discountRate: 10 }), refused('A573', 'commerce.discountPrice'))
  assert.throws(commerce({ discountFixed: 100 }), refused('A573', 'commerce.discountPrice'))
})

test('commerce zeros: zeros of an SDK that cannot omit the discount count as absent', () => {
  const zeros = { ...product, discountPrice: 0, discountRate: 0, discountFixed: 0 }
  commerce(zeros)()
  assert.deepEqual(withoutZeroDiscounts(zeros), product)
  const rate = { ...zeros, discountPrice: 900, discountRate: 10 }
  commerce(rate)()
  assert.deepEqual(withoutZeroDiscounts(rate), { ...product, discountPrice: 900, discountRate: 10 })
  const fixed = { ...zeros, discountPrice: 900, discountFixed: 100 }
  commerce(fixed)()
  assert.deepEqual(withoutZeroDiscounts(fixed), { ...product, discountPrice: 900, discountFixed: 100 })
  assert.throws(commerce({ ...zeros, discountPrice: 900 }), refused('A573', 'commerce'))
})

const tv = 'https://tv.kakao.com/v/'

test('video: a Kakao TV address of at most 500 characters, and a thumbnail likewise', () => {
  const video =
    (videoUrl: string, thumbnailUrl = tv) =>
    () =>
      requireValid((issues) => checkVideo({ videoUrl, thumbnailUrl }, 'video', issues))
  video(tv.padEnd(500, '1'), tv.padEnd(500, '1'))()
  assert.throws(video(tv.padEnd(501, '1')), refused('A573', 'video.videoUrl'))
  assert.throws(video(tv, tv.padEnd(501, '1')), refused('A573', 'video.thumbnailUrl'))
  for (const wrong of ['', '1234', 'https://example.com/v/1', 'https://tv.kakao.com.example.com/1']) {
    assert.throws(video(wrong), refused('A573', 'video.videoUrl'))
  }
})

const item = (title: string) => ({ title, imgUrl: 'https://img/1', urlMobile: 'https://example.com' })
const items = (...titles: readonly string[]): WideItems => ({ list: titles.map(item) })

test('FL item.list: accepts 3 and 4 items, rejects 2 and 5 with A521', () => {
  requireValid((issues) => checkWideItems(items('a', 'b', 'c'), 'item', issues))
  requireValid((issues) => checkWideItems(items('a', 'b', 'c', 'd'), 'item', issues))
  assert.throws(
    () => requireValid((issues) => checkWideItems(items('a', 'b'), 'item', issues)),
    refused('A521', 'item.list'),
  )
  assert.throws(
    () => requireValid((issues) => checkWideItems(items('a', 'b', 'c', 'd', 'e'), 'item', issues)),
    refused('A521', 'item.list'),
  )
})

test('FL item title: 25 characters for the first, 30 for the others', () => {
  requireValid((issues) => checkWideItems(items(letters(25), letters(30), letters(30)), 'item', issues))
  const first = items(letters(26), 'b', 'c')
  assert.throws(
    () => requireValid((issues) => checkWideItems(first, 'item', issues)),
    refused('A521', 'item.list[0].title'),
  )
  const second = items('a', letters(31), 'c')
  assert.throws(
    () => requireValid((issues) => checkWideItems(second, 'item', issues)),
    refused('A521', 'item.list[1].title'),
  )
})

test('FL item: image and URL of each are required, and the images are named', () => {
  for (const field of ['imgUrl', 'urlMobile'] as const) {
    const list = [item('a'), { ...item('b'), [field]: '' }, item('c')]
    assert.throws(
      () => requireValid((issues) => checkWideItems({ list }, 'item', issues)),
      refused('A521', `item.list[1].${field}`),
    )
  }
  assert.deepEqual(wideItemImages(items('a'), 'item'), [
    { key: 'https://img/1', path: 'item.list[0].imgUrl', first: true },
  ])
  assert.deepEqual(wideItemImages(undefined, 'item'), [])
})
