/** Omni flows of a friendtalk carousel and of a brand message. */
import * as sdk from '@infobank/infobank-omni-sdk-js'
import { link } from './messages.ts'

export function carouselFlow(imgUrl: string): object[] {
  const button = new sdk.KakaoButtonBuilder().setType('WL').setName('Shop').setUrlMobile(link).build()
  const coupon = new sdk.FriendtalkCouponBuilder()
    .setTitle('1000원 할인 쿠폰')
    .setDescription('Today')
    .setUrlMobile(link)
    .build()
  const attachment = new sdk.FriendtalkCarouselListAttachmentBuilder()
    .setButton([button])
    .setImage({ imgUrl })
    .setCoupon(coupon)
    .build()
  const card = new sdk.FriendtalkCarouselListBuilder()
    .setHeader('Card')
    .setMessage('Dear #{name}')
    .setAttachment(attachment)
    .build()
  const carousel = new sdk.FriendtalkCarouselBuilder()
    .setList([card, card])
    .setTail(new sdk.FriendtalkCarouselTailBuilder().setUrlPc(link).setUrlMobile(link).build())
    .build()
  const friendtalk = new sdk.FriendtalkBuilder()
    .setSenderKey('sender')
    .setMsgType('FC')
    .setAdFlag('Y')
    .setCarousel(carousel)
    .build()
  return new sdk.MessageFlowBuilder().setFriendtalk(friendtalk).build()
}

/**
 * Written out because the flow builder has no brand message. `setAddtionalContent` is misspelled in the SDK.
 */
export function brandFlow(imgUrl: string): object[] {
  const button = new sdk.KakaoButtonBuilder().setType('WL').setName('Shop').setUrlMobile(link).build()
  const commerce = new sdk.FriendtalkCommerceBuilder()
    .setTitle('Shoes')
    .setRegularPrice(10_000)
    .setDiscountPrice(9_000)
    .setDiscountRate(10)
    .build()
  const attachment = new sdk.FriendtalkAttachmentBuilder()
    .setImage({ imgUrl })
    .setButton([button])
    .setCommerce(commerce)
    .build()
  const brandmessage = new sdk.BrandMessageBuilder()
    .setSenderKey('sender')
    .setSendType('free')
    .setMsgType('FM')
    .setAttachment(attachment)
    .setAddtionalContent('Only today')
    .setAdult('N')
    .build()
  return [{ brandmessage }]
}
