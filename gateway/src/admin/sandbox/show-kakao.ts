/** Alimtalk, friendtalk and brand message as Kakao's app shows them. Pure. */
import type { SubmissionContent as AlimtalkContent } from '../../channels/alimtalk/alimtalk.ts'
import type { TemplateVariables } from '../../channels/brandmessage/variables.ts'
import type { Button as KakaoButton } from '../../channels/kakao/buttons.ts'
import type { Commerce } from '../../channels/kakao/commerce.ts'
import type { Coupon } from '../../channels/kakao/coupon.ts'
import type { QuickReply } from '../../channels/kakao/quick-replies.ts'
import type { BubbleSubmission } from '../../channels/kakao/submission.ts'
import { emptyBubble, emptyCard, given } from './bubble.ts'
import type { Bubble, Button, Card, ImageOf } from './bubble.ts'

export function showAlimtalk(content: AlimtalkContent): Bubble {
  const { attachment = {}, supplement, link } = content
  const { item, itemHighlight } = attachment
  const lines = (item?.list ?? []).map(({ title: label, description = '' }) => ({
    ...{ label, value: description, strong: false },
  }))
  const sum = item?.summary
  const highlight =
    itemHighlight === undefined
      ? []
      : [
          {
            ...{ title: given(itemHighlight.title), text: given(itemHighlight.description) },
            ...{ image: null, opens: null },
          },
        ]
  // The picture of an AI message was registered with its template: only the messenger has it.
  const images = content.messageType === 'AI' ? [{ file: null, address: null, opens: null }] : []
  const card: Card = {
    ...emptyCard,
    ...{ images, header: given(content.header), title: given(content.title), text: content.message },
    lines: sum === undefined ? lines : [...lines, { label: sum.title, value: sum.description, strong: true }],
    items: highlight,
    buttons: (attachment.button ?? []).map(showButton),
  }
  return {
    ...emptyBubble,
    template: content.templateCode,
    cards: [card],
    more: given(link?.urlMobile),
    quickReplies: (supplement?.quickReply ?? []).map(showButton),
  }
}

export function showKakaoBubble(
  content: BubbleSubmission,
  imageOf: ImageOf,
  variables?: TemplateVariables,
): Bubble {
  const { attachment = {}, carousel } = content
  const { image, item, coupon, commerce, video, button = [] } = attachment
  const body: Card = {
    ...emptyCard,
    images: [
      ...imageOf(image?.imgUrl, image?.imgLink),
      ...imageOf(video?.thumbnailUrl, video?.videoUrl),
      ...(variables?.image ?? []).flatMap(({ imgUrl, imgLink }) => imageOf(imgUrl, imgLink)),
    ],
    ...{ header: given(content.header), text: given(content.message) },
    lines: linesOf(variables),
    items: (item?.list ?? []).map(({ title, imgUrl, urlMobile }) => ({
      ...{ title, text: null, opens: urlMobile, image: imageOf(imgUrl)[0] ?? null },
    })),
    ...priceOf(commerce),
    coupon: couponOf(coupon),
    smallPrint: given(content.additionalContent),
    buttons: button.map(showButton),
  }
  const { head } = carousel ?? {}
  const cards: Card[] = [
    ...(head === undefined
      ? []
      : [
          {
            ...{ ...emptyCard, images: imageOf(head.imageUrl, head.urlMobile) },
            ...{ header: head.header, text: head.content },
          },
        ]),
    ...(carousel?.list ?? []).map((card) => ({
      ...{ ...emptyCard, header: given(card.header), text: given(card.message) },
      images: imageOf(card.attachment.image.imgUrl, card.attachment.image.imgLink),
      ...priceOf(card.attachment.commerce),
      coupon: couponOf(card.attachment.coupon),
      smallPrint: given(card.additionalContent),
      buttons: (card.attachment.button ?? []).map(showButton),
    })),
  ]
  return {
    ...emptyBubble,
    cards: cards.length === 0 ? [body] : cards,
    more: given(carousel?.tail?.urlMobile),
  }
}

/** The template has the text; its variables are all that is known here. */
function linesOf(variables: TemplateVariables | undefined): Card['lines'] {
  const { message, button, coupon, commerce } = variables ?? {}
  return [message, button, coupon, commerce].flatMap((values) =>
    Object.entries(values ?? {}).map(([label, value]) => ({
      ...{ label, strong: false },
      value: typeof value === 'string' ? value : JSON.stringify(value),
    })),
  )
}

function priceOf(commerce: Commerce | undefined): Pick<Card, 'title' | 'price'> {
  if (commerce === undefined) return { title: null, price: null }
  const { title, regularPrice, discountPrice, discountRate, discountFixed } = commerce
  const off = discountRate === undefined ? discountFixed && `-${won(discountFixed)}` : `${discountRate}%`
  const before = discountPrice === undefined ? null : won(regularPrice)
  return { title, price: { now: won(discountPrice ?? regularPrice), before, off: off ? off : null } }
}

function won(amount: number): string {
  return `${amount.toLocaleString('en-US')}원`
}

function couponOf(coupon: Coupon | undefined): Card['coupon'] {
  if (coupon === undefined) return null
  const { title, description, urlMobile, schemeAndroid, schemeIos } = coupon
  return { title, text: description, opens: given(urlMobile ?? schemeAndroid ?? schemeIos) }
}

const deeds: Readonly<Record<string, Button['does']>> = {
  ...{ WL: 'url', AL: 'app', BK: 'chat', MD: 'chat', DS: 'tracking' },
  ...{ BC: 'chat', BT: 'chat', AC: 'channel', BF: 'form' },
}

function showButton(button: KakaoButton | QuickReply): Button {
  const { type, name: label, urlMobile, urlPc, schemeAndroid, schemeIos, bizFormId, chatEvent } = button
  const targets: Readonly<Record<string, string | undefined>> = {
    WL: urlMobile ?? urlPc,
    AL: schemeAndroid ?? schemeIos ?? urlMobile,
    // The text that appears in the chat.
    ...{ BK: label, MD: label, BT: chatEvent },
    BF: bizFormId,
  }
  return { label, does: deeds[type] ?? 'other', target: given(targets[type]) }
}
