/** Converts brand messages and buttons of Kakao messages to the fields of NHN Cloud. */
import type { SubmissionContent as Brandmessage } from '../../../channels/brandmessage/brandmessage.ts'
import type { TemplateVariables } from '../../../channels/brandmessage/variables.ts'
import type { FileReference } from '../../../channels/channel.ts'
import type { KakaoButton } from '../../../channels/kakao/buttons.ts'
import type { Carousel } from '../../../channels/kakao/carousel.ts'
import type { Coupon } from '../../../channels/kakao/coupon.ts'
import type { KakaoImage } from '../../../channels/kakao/image.ts'
import type { BubbleType } from '../../../channels/kakao/limits.ts'
import { selectImageKind } from '../http/image-kind.ts'
import { flattenVariables } from './brand-variables.ts'
import { isRefusal, refused, type ProviderRefusal } from './kit/index.ts'

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

/** URLs at NHN by the URL in the content. */
type Images = ReadonlyMap<string, string>

export function nhnBrandImageType(file: FileReference): string {
  return imageTypes[selectImageKind(file, 'default')] ?? 'IMAGE'
}

/** Returns the body of the request, or a refusal that names the first field that NHN does not support. */
export function toNhnBrandMessage(
  content: Brandmessage,
  recipient: object,
  images: Images,
  originCid: string | undefined,
): object | ProviderRefusal {
  const unsupported = findUnsupported(content)
  if (unsupported !== undefined)
    return refused('unsupported', 'nhn:brand-field', `nhn does not support ${unsupported}`)
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

function findUnsupported({ adFlag, groupTagKey, attachment, carousel }: Brandmessage): string | undefined {
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
        ...toNhnLinks(links),
      })),
    },
    commerce: attachment?.commerce,
    video: attachment?.video && toVideo(attachment.video, images),
    buttons: attachment?.button?.map(toNhnButton),
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
      ...toNhnLinks(head),
    },
    list: list.map(({ header, message, additionalContent, attachment }) => ({
      header,
      message,
      additionalContent,
      ...toImage(attachment.image, images),
      buttons: attachment.button?.map(toNhnButton),
      coupon: attachment.coupon && toCoupon(attachment.coupon),
      commerce: attachment.commerce,
    })),
    tail: tail && toNhnLinks(tail),
  }
}

function toVariables(variables: TemplateVariables | undefined, images: Images): object | ProviderRefusal {
  const cards = variables?.carousel?.map((card, index) => [card, `@$.carousel.list[${index}]`] as const)
  const templateParameter = flattenVariables(variables, cards ?? [])
  if (templateParameter === null)
    return refused('unsupported', 'nhn:variables', 'nhn accepts one text for each variable of a template')
  const { videoUrl, thumbnailUrl } = variables?.video ?? {}
  return {
    templateParameter: Object.keys(templateParameter).length === 0 ? undefined : templateParameter,
    imageParameters: variables?.image?.map((image) => toImage(image, images)),
    videoParameter: typeof videoUrl === 'string' ? { videoUrl, thumbnailUrl } : undefined,
  }
}

function toImage({ imgUrl, imgLink }: KakaoImage, images: Images): object {
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
  return { title, description, ...toNhnLinks(links) }
}

export interface NhnLinks {
  readonly urlMobile?: string
  readonly urlPc?: string
  readonly schemeAndroid?: string
  readonly schemeIos?: string
}

export function toNhnLinks({ urlMobile, urlPc, schemeAndroid, schemeIos }: NhnLinks) {
  return { linkMo: urlMobile, linkPc: urlPc, schemeAndroid, schemeIos }
}

/** Converts buttons and quick replies. */
export function toNhnButton(button: Partial<KakaoButton> & Pick<KakaoButton, 'type' | 'name'>) {
  const { type, name, chatExtra, chatEvent, bizFormKey, bizFormId, target } = button
  const { pluginId, relayId, oneclickId: oneClickId, productId } = button
  const plugin = { pluginId, relayId, oneClickId, productId }
  return { type, name, ...toNhnLinks(button), chatExtra, chatEvent, bizFormKey, bizFormId, target, ...plugin }
}
