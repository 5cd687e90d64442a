/** The smallest complete bubble of every msgType, as a flow entry. */
import type { BubbleContent } from '../../../src/channels/kakao/bubble.ts'
import type { KakaoButton } from '../../../src/channels/kakao/buttons.ts'
import type { Coupon } from '../../../src/channels/kakao/coupon.ts'
import type { BubbleType } from '../../../src/channels/kakao/limits.ts'

export const buttons = (count: number, name = 'menu'): KakaoButton[] =>
  Array.from({ length: count }, () => ({ type: 'BK', name }))

export const coupon: Coupon = { title: '배송비 할인 쿠폰', description: 'today' }

const senderKey = 'profile'
const text = 'hello'
const image = { imgUrl: 'https://img/1' }
const commerce = { title: 'shoe', regularPrice: 1_000 }
const item = { title: 'a', imgUrl: 'https://img/2', urlMobile: 'https://example.com' }
const feed = { header: 'head', message: 'words', attachment: { image, button: buttons(1) } }
const product = { attachment: { image, button: buttons(1), commerce } }
const head = { header: 'head', content: 'words', imageUrl: 'https://img/3' }

export const bubbles: Readonly<Record<BubbleType, BubbleContent>> = {
  FT: { senderKey, msgType: 'FT', text },
  FI: { senderKey, msgType: 'FI', text, attachment: { image } },
  FW: { senderKey, msgType: 'FW', text, attachment: { image } },
  FL: { senderKey, msgType: 'FL', header: 'head', attachment: { item: { list: [item, item, item] } } },
  FC: { senderKey, msgType: 'FC', carousel: { list: [feed, feed] } },
  FM: { senderKey, msgType: 'FM', attachment: { image, commerce, button: buttons(1) } },
  FA: { senderKey, msgType: 'FA', carousel: { head, list: [product, product] } },
  FP: { senderKey, msgType: 'FP', attachment: { video: { videoUrl: 'https://tv.kakao.com/v/1' } } },
}
