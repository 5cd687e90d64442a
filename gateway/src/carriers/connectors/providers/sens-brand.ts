/** Converts brand messages and buttons of Kakao messages to the fields of Naver SENS. */
import type { SubmissionContent as Brandmessage } from '../../../channels/brandmessage/brandmessage.ts'
import type { FileReference } from '../../../channels/channel.ts'
import type { KakaoButton } from '../../../channels/kakao/buttons.ts'
import type { BubbleType } from '../../../channels/kakao/limits.ts'
import { selectImageKind } from '../http/image-kind.ts'
import { flattenVariables } from './brand-variables.ts'
import { refused, type ProviderRefusal } from './kit/index.ts'

const messageTypes: Readonly<Record<BubbleType, string>> = {
  FT: 'TEXT',
  FI: 'IMAGE',
  FW: 'WIDE_IMAGE',
  FL: 'WIDE_ITEM_LIST',
  FC: 'CAROUSEL_FEED',
  FP: 'PREMIUM_VIDEO',
  FM: 'COMMERCE',
  FA: 'CAROUSEL_COMMERCE',
}
const imageTypes: Readonly<Record<string, string>> = {
  default: 'BASIC',
  wide: 'WIDE',
  'wideItemList/first': 'WIDE_ITEM_LIST_MAIN',
  wideItemList: 'WIDE_ITEM_LIST_SUB',
  carouselFeed: 'CAROUSEL_FEED',
  carouselCommerce: 'CAROUSEL_COMMERCE',
}

export function sensBrandImageType(file: FileReference): string {
  return imageTypes[selectImageKind(file, 'default')] ?? 'BASIC'
}

/**
 * Returns the body of the request, or a refusal that names the first field that SENS does not support. `images` maps each
 * image of the content to its id at SENS.
 */
export function toSensBrandMessage(
  content: Brandmessage,
  recipient: object,
  images: ReadonlyMap<string, string>,
): object | ProviderRefusal {
  const unsupported = findUnsupported(content)
  if (unsupported !== undefined)
    return refused('unsupported', 'sens:brand-field', `sens does not support ${unsupported}`)
  const { attachment } = content
  const toImageId = (key: string) => images.get(key) ?? key
  const templateParameters = flattenVariables(content.variables, [])
  if (templateParameters === null)
    return refused('unsupported', 'sens:variables', 'sens accepts one text for each variable of a template')
  const isBasic = content.sendType === 'basic'
  const message = {
    ...recipient,
    templateParameters: isBasic ? templateParameters : undefined,
    content: content.message,
    headerContent: content.header,
    additionalContent: content.additionalContent,
    image: attachment?.image && {
      imageId: toImageId(attachment.image.imgUrl),
      imageLink: attachment.image.imgLink,
    },
    item: attachment?.item && {
      list: attachment.item.list.map(({ title, imgUrl, ...links }) => ({
        title,
        imageId: toImageId(imgUrl),
        ...toLinks(links),
      })),
    },
    commerce: attachment?.commerce && toTexts(attachment.commerce),
    coupon: attachment?.coupon && {
      title: attachment.coupon.title,
      description: attachment.coupon.description,
      ...toLinks(attachment.coupon),
    },
    buttons: attachment?.button?.map(toSensButton),
  }
  return {
    messageType: messageTypes[content.messageType],
    templateCode: isBasic ? content.templateCode : undefined,
    targeting: content.targeting,
    isAdult: content.adult === 'Y' ? true : undefined,
    messages: [message],
  }
}

function findUnsupported(content: Brandmessage): string | undefined {
  const { attachment, variables, carousel } = content
  if (content.adFlag === 'N') return 'adFlag N: every brand message is an advertisement'
  if (content.pushAlarm === 'N') return 'pushAlarm N'
  if (content.groupTagKey !== undefined) return 'groupTagKey'
  if (content.unsubscribePhoneNumber !== undefined || content.unsubscribeAuthNumber !== undefined)
    return 'an opt-out number: the number of the channel is used'
  if (carousel !== undefined || variables?.carousel !== undefined) return 'carousels'
  if (attachment?.video !== undefined || variables?.video !== undefined) return 'new videos'
  if (variables?.image !== undefined) return 'images as variables'
  const fields = ['bizFormKey', 'chatExtra', 'chatEvent', 'target', 'pluginId', 'relayId'] as const
  const field = fields.find((name) => attachment?.button?.some((button) => button[name] !== undefined))
  return field === undefined ? undefined : `${field} of a button`
}

/** Converts numbers to strings: SENS accepts prices as strings. */
function toTexts(values: Readonly<Record<string, string | number>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]))
}

interface Links {
  readonly urlMobile?: string
  readonly urlPc?: string
  readonly schemeAndroid?: string
  readonly schemeIos?: string
}

function toLinks({ urlMobile, urlPc, schemeAndroid, schemeIos }: Links) {
  return { linkMobile: urlMobile, linkPc: urlPc, schemeAndroid, schemeIos }
}

export function toSensButton(button: KakaoButton): object {
  return { type: button.type, name: button.name, bizFormId: button.bizFormId, ...toLinks(button) }
}
