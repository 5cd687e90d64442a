/** Shows alimtalk, friendtalk and brand messages like the Kakao app. */
import type { SubmissionContent as AlimtalkContent } from '../../channels/alimtalk/alimtalk.ts'
import type { TemplateVariables } from '../../channels/brandmessage/variables.ts'
import type { KakaoButton } from '../../channels/kakao/buttons.ts'
import type { Commerce } from '../../channels/kakao/commerce.ts'
import type { Coupon } from '../../channels/kakao/coupon.ts'
import type { QuickReply } from '../../channels/kakao/quick-replies.ts'
import type { BubbleSubmission } from '../../channels/kakao/submission.ts'
import { emptyBubble, emptyCard, nonEmpty } from './bubble.ts'
import type { Bubble, BubbleButton, BubbleCard, ImageLookup } from './bubble.ts'

export function showAlimtalk(content: AlimtalkContent): Bubble {
  const { attachment = {}, supplement, link } = content
  const { item, itemHighlight } = attachment
  const lines = (item?.list ?? []).map(({ title: label, description = '' }) => ({
    label,
    value: description,
    strong: false,
  }))
  const sum = item?.summary
  const highlight =
    itemHighlight === undefined
      ? []
      : [
          {
            title: nonEmpty(itemHighlight.title),
            text: nonEmpty(itemHighlight.description),
            image: null,
            opens: null,
          },
        ]
  // The image of an AI message was registered with its template: only the messenger can show it.
  const images = content.messageType === 'AI' ? [{ file: null, address: null, opens: null }] : []
  const card: BubbleCard = {
    ...emptyCard,
    images,
    header: nonEmpty(content.header),
    title: nonEmpty(content.title),
    text: content.message,
    lines: sum === undefined ? lines : [...lines, { label: sum.title, value: sum.description, strong: true }],
    items: highlight,
    buttons: (attachment.button ?? []).map(showButton),
  }
  return {
    ...emptyBubble,
    template: content.templateCode,
    cards: [card],
    more: nonEmpty(link?.urlMobile),
    quickReplies: (supplement?.quickReply ?? []).map(showButton),
  }
}

export function showKakaoBubble(
  content: BubbleSubmission,
  imageOf: ImageLookup,
  variables?: TemplateVariables,
): Bubble {
  const { attachment = {}, carousel } = content
  const { image, item, coupon, commerce, video, button = [] } = attachment
  const body: BubbleCard = {
    ...emptyCard,
    images: [
      ...imageOf(image?.imgUrl, image?.imgLink),
      ...imageOf(video?.thumbnailUrl, video?.videoUrl),
      ...(variables?.image ?? []).flatMap(({ imgUrl, imgLink }) => imageOf(imgUrl, imgLink)),
    ],
    header: nonEmpty(content.header),
    text: nonEmpty(content.message),
    lines: toLines(variables),
    items: (item?.list ?? []).map(({ title, imgUrl, urlMobile }) => ({
      title,
      text: null,
      opens: urlMobile,
      image: imageOf(imgUrl)[0] ?? null,
    })),
    ...toPrice(commerce),
    coupon: toCoupon(coupon),
    smallPrint: nonEmpty(content.additionalContent),
    buttons: button.map(showButton),
  }
  const { head } = carousel ?? {}
  const cards: BubbleCard[] = [
    ...(head === undefined
      ? []
      : [
          {
            ...emptyCard,
            images: imageOf(head.imageUrl, head.urlMobile),
            header: head.header,
            text: head.content,
          },
        ]),
    ...(carousel?.list ?? []).map((card) => ({
      ...emptyCard,
      header: nonEmpty(card.header),
      text: nonEmpty(card.message),
      images: imageOf(card.attachment.image.imgUrl, card.attachment.image.imgLink),
      ...toPrice(card.attachment.commerce),
      coupon: toCoupon(card.attachment.coupon),
      smallPrint: nonEmpty(card.additionalContent),
      buttons: (card.attachment.button ?? []).map(showButton),
    })),
  ]
  return {
    ...emptyBubble,
    cards: cards.length === 0 ? [body] : cards,
    more: nonEmpty(carousel?.tail?.urlMobile),
  }
}

/** The template has the text; only its variables are known here. */
function toLines(variables: TemplateVariables | undefined): BubbleCard['lines'] {
  const { message, button, coupon, commerce } = variables ?? {}
  return [message, button, coupon, commerce].flatMap((values) =>
    Object.entries(values ?? {}).map(([label, value]) => ({
      label,
      strong: false,
      value: typeof value === 'string' ? value : JSON.stringify(value),
    })),
  )
}

function toPrice(commerce: Commerce | undefined): Pick<BubbleCard, 'title' | 'price'> {
  if (commerce === undefined) return { title: null, price: null }
  const { title, regularPrice, discountPrice, discountRate, discountFixed } = commerce
  const off = discountRate === undefined ? discountFixed && `-${won(discountFixed)}` : `${discountRate}%`
  const before = discountPrice === undefined ? null : won(regularPrice)
  return { title, price: { now: won(discountPrice ?? regularPrice), before, off: off ? off : null } }
}

function won(amount: number): string {
  return `${amount.toLocaleString('en-US')}원`
}

function toCoupon(coupon: Coupon | undefined): BubbleCard['coupon'] {
  if (coupon === undefined) return null
  const { title, description, urlMobile, schemeAndroid, schemeIos } = coupon
  return { title, text: description, opens: nonEmpty(urlMobile ?? schemeAndroid ?? schemeIos) }
}

const buttonActionsByType: Readonly<Record<string, BubbleButton['does']>> = {
  WL: 'url',
  AL: 'app',
  BK: 'chat',
  MD: 'chat',
  DS: 'tracking',
  BC: 'chat',
  BT: 'chat',
  AC: 'channel',
  BF: 'form',
}

function showButton(button: KakaoButton | QuickReply): BubbleButton {
  const { type, name: label, urlMobile, urlPc, schemeAndroid, schemeIos, bizFormId, chatEvent } = button
  const targets: Readonly<Record<string, string | undefined>> = {
    WL: urlMobile ?? urlPc,
    AL: schemeAndroid ?? schemeIos ?? urlMobile,
    // The text that appears in the chat.
    BK: label,
    MD: label,
    BT: chatEvent,
    BF: bizFormId,
  }
  return { label, does: buttonActionsByType[type] ?? 'other', target: nonEmpty(targets[type]) }
}
