/**
 * Checks a send request and returns the first code that refuses it. Lengths are in UTF-16 units. The contents
 * of items and coupons are not checked. Brand message limits are those of NHN Cloud
 * (github.com/TOAST-DOCS/Alimtalk, ko/friendtalkupgrade-api-guide.md, 2026-06) and Naver Cloud
 * (api.ncloud-docs.com/docs/sens-brandmessage-send); the code that Kakao returns for each limit is assumed.
 */
import type { KakaoResultCode } from './codes.ts'
import { toObject, toText } from '../shared/json-body.ts'
import type { Fields } from '../shared/json-body.ts'
import type { KakaoOptions } from './settings.ts'

export type KakaoMessageKind = 'alimtalk' | 'brandmessage'
export type ResponseMethod = 'realtime' | 'push' | 'polling'

export interface KakaoSendRequest {
  readonly kind: KakaoMessageKind
  readonly messageType: string
  readonly serialNumber: string
  readonly to: string
  readonly message: string
  readonly templateCode: string | null
  readonly advertising: boolean
  readonly responseMethod: ResponseMethod
  readonly channelKey: string
  /** Size of the request. */
  readonly bytes: number
}

const MAX_BRAND_BYTES = 30 * 1024
const SENDER_KEY_LENGTH = 40

interface Limits {
  /** Maximum text length; 0 if the type has its text elsewhere. */
  readonly text: number
  readonly buttons: readonly [min: number, max: number]
  readonly buttonName: number
  readonly textRequired?: true
  readonly imageRequired?: true
}

const alimtalk: Limits = { text: 1000, buttons: [0, 5], buttonName: 14, textRequired: true }
const wide = { buttons: [0, 2], buttonName: 8 } as const
const onCards: Limits = { text: 0, buttons: [0, 0], buttonName: 8 }

const limits: Readonly<Record<KakaoMessageKind, Readonly<Record<string, Limits>>>> = {
  alimtalk: { AT: alimtalk, AI: alimtalk },
  brandmessage: {
    TEXT: { text: 1300, buttons: [0, 5], buttonName: 14, textRequired: true },
    IMAGE: { text: 1300, buttons: [0, 5], buttonName: 14, textRequired: true, imageRequired: true },
    WIDE: { ...wide, text: 76, textRequired: true, imageRequired: true },
    WIDE_ITEM_LIST: { ...wide, text: 0 },
    PREMIUM_VIDEO: { text: 76, buttons: [0, 1], buttonName: 8 },
    COMMERCE: { text: 0, buttons: [1, 2], buttonName: 8, imageRequired: true },
    CAROUSEL_FEED: onCards,
    CAROUSEL_COMMERCE: onCards,
  },
}

const cardLimits: Limits = { text: 180, buttons: [1, 2], buttonName: 8, imageRequired: true }
const CARDS = [2, 6] as const
const WIDE_ITEMS = [3, 4] as const

const isWithin = (count: number, [min, max]: readonly [number, number]): boolean =>
  count >= min && count <= max

const toArray = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** Checks number, names and types, which have two capital letters, or a letter and a digit. */
function buttonsAreValid(
  attachment: Fields,
  { buttons: [min, max], buttonName }: Limits,
  needsAll: boolean,
): boolean {
  const { button = [], coupon } = attachment
  if (!Array.isArray(button)) return false
  const maxButtons = coupon !== undefined && max === 5 ? 4 : max
  if (!isWithin(button.length, [needsAll ? min : 0, maxButtons])) return false
  return button.every((value) => {
    const { name, type } = toObject(value)
    return toText(name) !== '' && toText(name).length <= buttonName && /^[A-Z][A-Z0-9]$/.test(toText(type))
  })
}

/** Checks a freestyle brand message. In other messages, the template supplies missing fields. */
function freestyleCode(
  type: string,
  fields: Fields,
  isKnown: (url: string) => boolean,
): KakaoResultCode | undefined {
  const attachment = toObject(fields['attachment'])
  if (
    type === 'WIDE_ITEM_LIST' &&
    !isWithin(toArray(toObject(attachment['item'])['list']).length, WIDE_ITEMS)
  )
    return '3041'
  const cards = type.startsWith('CAROUSEL_') ? readCardAttachments(fields) : []
  if (typeof cards === 'string') return cards
  const buttons = [attachment, ...cards].flatMap(({ button }) => toArray(button))
  const addsChannel = buttons.some((button) => toObject(button)['type'] === 'AC')
  if (addsChannel && fields['targeting'] === 'I') return '3027'
  if (cards.some((card) => !buttonsAreValid(card, cardLimits, true))) return '3027'
  const cardCode = cards
    .map((card) => imageCode(cardLimits, card, isKnown))
    .find((code) => code !== undefined)
  return cardCode ?? imageCode(limits.brandmessage[type]!, attachment, isKnown)
}

/** Returns the attachments of the cards. The opening card counts toward the card limit. */
function readCardAttachments(fields: Fields): readonly Fields[] | KakaoResultCode {
  const { head, list } = toObject(fields['carousel'])
  const cards = toArray(list)
  if (!isWithin(cards.length + (head === undefined ? 0 : 1), CARDS)) return '3051'
  return cards.map((card) => toObject(toObject(card)['attachment']))
}

function textCode(
  { text, textRequired }: Limits,
  message: string,
  hasTemplate: boolean,
): KakaoResultCode | undefined {
  if (message === '' && textRequired && !hasTemplate) return '3013'
  return message.length > text && text > 0 ? '3014' : undefined
}

function imageCode(
  { imageRequired }: Limits,
  attachment: Fields,
  isKnown: (url: string) => boolean,
): KakaoResultCode | undefined {
  const url = toText(toObject(attachment['image'])['img_url'])
  if (url === '') return imageRequired ? '3024' : undefined
  return isKnown(url) ? undefined : '3024'
}

export interface ValidationContext {
  readonly options: KakaoOptions
  readonly bytes: number
  readonly isKnownImage: (url: string) => boolean
}

/** Returns the request, or the code that refuses it. */
export function validateKakaoRequest(
  kind: KakaoMessageKind,
  fields: Fields,
  context: ValidationContext,
): KakaoSendRequest | KakaoResultCode {
  const { options, bytes, isKnownImage } = context
  const messageType = toText(fields[kind === 'alimtalk' ? 'message_type' : 'chat_bubble_type'])
  const serialNumber = toText(fields['serial_number'])
  const senderKey = toText(fields['sender_key'])
  const to = toText(fields['phone_number'])
  const user = toText(fields['app_user_id']) || toText(fields['user_key'])
  const message = toText(fields['message'])
  const templateCode = toText(fields['template_code'])
  const method = toText(fields['response_method']) || 'realtime'
  const attachment = toObject(fields['attachment'])
  const hasTemplate = kind === 'brandmessage' && templateCode !== ''

  if (kind === 'brandmessage' && bytes > MAX_BRAND_BYTES) return '4144'
  if (serialNumber === '' || messageType === '' || (to === '' && user === '')) return '1004'
  if (serialNumber.length > 30 || !Object.hasOwn(limits[kind], messageType)) return '1030'
  if (options.serialPrefix && !/^\d{8}-./.test(serialNumber)) return '2006'
  if (senderKey.length !== SENDER_KEY_LENGTH) return '1003'
  if (options.senderKey !== undefined && senderKey !== options.senderKey) return '1003'
  if (to !== '' && !/^\d{8,15}$/.test(to)) return '3008'
  if (!['realtime', 'push', 'polling'].includes(method)) return '1030'
  if (method === 'polling' && toText(fields['channel_key']) === '') return '1004'
  if (kind === 'alimtalk' && (templateCode === '' || templateCode.length > 30)) return '3015'
  if (templateCode !== '' && (options.templateCode ?? templateCode) !== templateCode) return '3015'
  if (toText(fields['title']).length > 50 || toText(fields['header']).length > 20) return '3014'
  if (kind === 'brandmessage' && !['', 'Y', 'N'].includes(toText(fields['ad_flag']))) return '1030'
  if (kind === 'brandmessage' && !['M', 'N', 'I'].includes(toText(fields['targeting']))) return '1030'
  if (kind === 'brandmessage' && !/^(\d{9})?$/.test(toText(fields['reseller_code']))) return '1030'
  const typeLimits = limits[kind][messageType]!
  if (!buttonsAreValid(attachment, typeLimits, !hasTemplate)) return '3027'
  const contentCode =
    textCode(typeLimits, message, hasTemplate) ??
    (kind === 'alimtalk' || hasTemplate ? undefined : freestyleCode(messageType, fields, isKnownImage))
  if (contentCode !== undefined) return contentCode
  return {
    kind,
    messageType,
    serialNumber,
    to: to === '' ? user : to,
    message,
    templateCode: templateCode === '' ? null : templateCode,
    advertising: kind === 'brandmessage' && toText(fields['ad_flag']) !== 'N',
    responseMethod: method as ResponseMethod,
    channelKey: toText(fields['channel_key']),
    bytes,
  }
}
