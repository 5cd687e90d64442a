/** Brand messages and the buttons of Kakao messages in the fields of NHN Cloud. */
import type { SubmissionContent as Brandmessage } from '../../channels/brandmessage/brandmessage.ts'
import type { TemplateVariables } from '../../channels/brandmessage/variables.ts'
import type { FileReference } from '../../channels/channel.ts'
import type { Button } from '../../channels/kakao/buttons.ts'
import type { Carousel } from '../../channels/kakao/carousel.ts'
import type { Coupon } from '../../channels/kakao/coupon.ts'
import type { Image } from '../../channels/kakao/image.ts'
import type { BubbleType } from '../../channels/kakao/limits.ts'
import { imageKindOf } from '../image-kind.ts'
import { flattenVariables } from './brand-variables.ts'
import { isRefusal, refused, type Refusal } from './kit/index.ts'

const bubbleTypes: Readonly<Record<BubbleType, string>> = {
  FT: 'TEXT',
  FI: 'IMAGE',
  FW: 'WIDE',
  FL: 'WIDE_ITEM_LIST',
  FC: 'CAROUSEL_FEED',
  FP: 'PREMIUM_VIDEO',
  FM: 'COMMERCE',
  FA: 'CAROUSEL_COMMERCE',
}
const imageTypes: Readonly<Record<string, string>> = {
  default: 'IMAGE',
  wide: 'WIDE_IMAGE',
  'wideItemList/first': 'MAIN_WIDE_ITEMLIST_IMAGE',
  wideItemList: 'NORMAL_WIDE_ITEMLIST_IMAGE',
  carouselFeed: 'CAROUSEL_FEED_IMAGE',
  carouselCommerce: 'CAROUSEL_COMMERCE_IMAGE',
}

/** Addresses at NHN by the address that the content has. */
type Images = ReadonlyMap<string, string>

export function brandImageType(file: FileReference): string {
  return imageTypes[imageKindOf(file, 'default')] ?? 'IMAGE'
}

/** Returns the body of the request, or the first thing that NHN has no field for. */
export function toBrandMessage(
  content: Brandmessage,
  recipient: object,
  images: Images,
  originCid: string | undefined,
): object | Refusal {
  const missing = findMissing(content)
  if (missing !== undefined)
    return refused('unsupported', 'nhn:brand-field', `nhn has no field for ${missing}`)
  const common = {
    senderKey: content.senderKey,
    pushAlarm: content.pushAlarm === 'Y',
    unsubscribeNo: content.unsubscribePhoneNumber,
    unsubscribeAuthNo: content.unsubscribeAuthNumber,
    resellerCode: originCid ?? content.originCid,
  }
  const target = { ...recipient, targeting: content.targeting }
  if (content.sendType === 'free')
    return {
      ...common,
      chatBubbleType: bubbleTypes[content.messageType],
      adult: content.adult === 'Y',
      ...toBubble(content, images),
      recipientList: [target],
    }
  const variables = toVariables(content.variables, images)
  if (isRefusal(variables)) return variables
  return { ...common, templateCode: content.templateCode, recipientList: [{ ...target, ...variables }] }
}

function findMissing({ adFlag, groupTagKey, attachment, carousel }: Brandmessage): string | undefined {
  if (adFlag === 'N') return 'adFlag N: every brand message is an advertisement'
  if (groupTagKey !== undefined) return 'groupTagKey'
  const buttons = [attachment, ...(carousel?.list.map((card) => card.attachment) ?? [])].flatMap(
    (part) => part?.button ?? [],
  )
  const fields = ['bizFormId', 'target', 'pluginId', 'relayId', 'oneclickId', 'productId'] as const
  const field = fields.find((name) => buttons.some((button) => button[name] !== undefined))
  return field === undefined ? undefined : `${field} of a button`
}

function toBubble(content: Brandmessage, images: Images): object {
  const { attachment, carousel } = content
  return {
    content: content.message,
    header: content.header,
    additionalContent: content.additionalContent,
    image: attachment?.image && toImage(attachment.image, images),
    item: attachment?.item && {
      list: attachment.item.list.map(({ title, imgUrl, ...links }) => ({
        title,
        imageUrl: images.get(imgUrl) ?? imgUrl,
        ...toLinks(links),
      })),
    },
    commerce: attachment?.commerce,
    video: attachment?.video && toVideo(attachment.video, images),
    buttons: attachment?.button?.map(toButton),
    coupon: attachment?.coupon && toCoupon(attachment.coupon),
    carousel: carousel && toCarousel(carousel, images),
  }
}

function toCarousel({ head, list, tail }: Carousel, images: Images): object {
  return {
    head: head && {
      header: head.header,
      content: head.content,
      imageUrl: images.get(head.imageUrl) ?? head.imageUrl,
      ...toLinks(head),
    },
    list: list.map(({ header, message, additionalContent, attachment }) => ({
      header,
      message,
      additionalContent,
      ...toImage(attachment.image, images),
      buttons: attachment.button?.map(toButton),
      coupon: attachment.coupon && toCoupon(attachment.coupon),
      commerce: attachment.commerce,
    })),
    tail: tail && toLinks(tail),
  }
}

function toVariables(variables: TemplateVariables | undefined, images: Images): object | Refusal {
  const cards = variables?.carousel?.map((card, index) => [card, `@$.carousel.list[${index}]`] as const)
  const templateParameter = flattenVariables(variables, cards ?? [])
  if (templateParameter === null)
    return refused('unsupported', 'nhn:variables', 'nhn takes one text for each variable of a template')
  const { videoUrl, thumbnailUrl } = variables?.video ?? {}
  return {
    templateParameter: Object.keys(templateParameter).length === 0 ? undefined : templateParameter,
    imageParameters: variables?.image?.map((image) => toImage(image, images)),
    videoParameter: typeof videoUrl === 'string' ? { videoUrl, thumbnailUrl } : undefined,
  }
}

function toImage({ imgUrl, imgLink }: Image, images: Images): object {
  return { imageUrl: images.get(imgUrl) ?? imgUrl, imageLink: imgLink }
}

function toVideo(video: { readonly videoUrl: string; readonly thumbnailUrl?: string }, images: Images) {
  const { videoUrl, thumbnailUrl = '' } = video
  return {
    videoUrl,
    thumbnailUrl: thumbnailUrl === '' ? undefined : (images.get(thumbnailUrl) ?? thumbnailUrl),
  }
}

function toCoupon({ title, description, ...links }: Coupon): object {
  return { title, description, ...toLinks(links) }
}

export interface Links {
  readonly urlMobile?: string
  readonly urlPc?: string
  readonly schemeAndroid?: string
  readonly schemeIos?: string
}

export function toLinks({ urlMobile, urlPc, schemeAndroid, schemeIos }: Links) {
  return { linkMo: urlMobile, linkPc: urlPc, schemeAndroid, schemeIos }
}

/** Also for quick replies. */
export function toButton(button: Partial<Button> & Pick<Button, 'type' | 'name'>) {
  const { type, name, chatExtra, chatEvent, bizFormKey, bizFormId, target } = button
  const { pluginId, relayId, oneclickId: oneClickId, productId } = button
  const plugin = { pluginId, relayId, oneClickId, productId }
  return { type, name, ...toLinks(button), chatExtra, chatEvent, bizFormKey, bizFormId, target, ...plugin }
}
