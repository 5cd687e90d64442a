/**
 * Checks a send request as the service does, and says the first code that refuses it. Pure. Lengths are counted in
 * UTF-16 units. It checks what decides acceptance; the contents of items, coupons and carousels are not checked.
 */
import type { Code } from './codes.ts'
import { objectOf, textOf } from '../shared/json-body.ts'
import type { Fields } from '../shared/json-body.ts'
import type { KakaoOptions } from './settings.ts'

export type Kind = 'alimtalk' | 'friendtalk' | 'brandmessage'
export type ResponseMethod = 'realtime' | 'push' | 'polling'

export interface SendRequest {
  readonly kind: Kind
  readonly messageType: string
  readonly serialNumber: string
  readonly to: string
  readonly message: string
  readonly templateCode: string | null
  readonly advertising: boolean
  readonly responseMethod: ResponseMethod
  readonly channelKey: string
  /** Octets of the request. */
  readonly bytes: number
}

const MAX_BRAND_BYTES = 30 * 1024
const SENDER_KEY_LENGTH = 40
const MAX_BUTTONS = 5

/** Longest text by message type. Types without an entry have their text elsewhere. */
const maxText: Readonly<Record<Kind, Readonly<Record<string, number>>>> = {
  alimtalk: { AT: 1000, AI: 1000 },
  friendtalk: { FT: 1300, FI: 400, FW: 76, FL: 0, FC: 0, FP: 76, FM: 0, FA: 0 },
  brandmessage: {
    TEXT: 1300,
    IMAGE: 400,
    WIDE: 76,
    WIDE_ITEM_LIST: 0,
    CAROUSEL_FEED: 0,
    PREMIUM_VIDEO: 76,
    COMMERCE: 0,
    CAROUSEL_COMMERCE: 0,
  },
}

const textRequired = new Set(['AT', 'AI', 'FT', 'FI', 'FW', 'TEXT', 'IMAGE', 'WIDE'])
const imageRequired = new Set(['FI', 'FW', 'IMAGE', 'WIDE'])
const carouselRequired = new Set(['FC', 'FA', 'CAROUSEL_FEED', 'CAROUSEL_COMMERCE'])

/** A button name is at most 14 characters, and its type is two capital letters or a letter and a digit. */
function buttonsAreValid(attachment: Fields): boolean {
  const buttons = attachment['button']
  if (buttons === undefined) return true
  if (!Array.isArray(buttons) || buttons.length > MAX_BUTTONS) return false
  return buttons.every((button) => {
    const { name, type } = objectOf(button)
    return textOf(name) !== '' && textOf(name).length <= 14 && /^[A-Z][A-Z0-9]$/.test(textOf(type))
  })
}

function textCode(kind: Kind, type: string, message: string, templated: boolean): Code | undefined {
  const limit = maxText[kind][type]!
  if (message === '' && textRequired.has(type) && !templated) return '3013'
  return message.length > limit && limit > 0 ? '3014' : undefined
}

function imageCode(type: string, attachment: Fields, known: (url: string) => boolean): Code | undefined {
  const url = textOf(objectOf(attachment['image'])['img_url'])
  if (url === '') return imageRequired.has(type) ? '3024' : undefined
  return known(url) ? undefined : '3024'
}

export interface Context {
  readonly options: KakaoOptions
  readonly bytes: number
  readonly knownImage: (url: string) => boolean
}

/** The request, or the code that refuses it. */
export function validate(kind: Kind, fields: Fields, context: Context): SendRequest | Code {
  const { options, bytes, knownImage } = context
  const messageType = textOf(fields['message_type'])
  const serialNumber = textOf(fields['serial_number'])
  const senderKey = textOf(fields['sender_key'])
  const to = textOf(fields['phone_number'])
  const user = textOf(fields['app_user_id']) || textOf(fields['user_key'])
  const message = textOf(fields['message'])
  const templateCode = textOf(fields['template_code'])
  const method = textOf(fields['response_method']) || 'realtime'
  const attachment = objectOf(fields['attachment'])
  const templated = kind === 'brandmessage' && templateCode !== ''

  if (kind === 'brandmessage' && bytes > MAX_BRAND_BYTES) return '4144'
  if (serialNumber === '' || messageType === '' || (to === '' && user === '')) return '1004'
  if (serialNumber.length > 30 || !Object.hasOwn(maxText[kind], messageType)) return '1030'
  if (options.serialPrefix && !/^\d{8}-./.test(serialNumber)) return '2006'
  if (senderKey.length !== SENDER_KEY_LENGTH) return '1003'
  if (options.senderKey !== undefined && senderKey !== options.senderKey) return '1003'
  if (to !== '' && !/^\d{8,15}$/.test(to)) return '3008'
  if (!['realtime', 'push', 'polling'].includes(method)) return '1030'
  if (method === 'polling' && textOf(fields['channel_key']) === '') return '1004'
  if (kind === 'alimtalk' && (templateCode === '' || templateCode.length > 30)) return '3015'
  if (templateCode !== '' && (options.templateCode ?? templateCode) !== templateCode) return '3015'
  if (textOf(fields['title']).length > 50 || textOf(fields['header']).length > 20) return '3014'
  if (kind !== 'alimtalk' && !['', 'Y', 'N'].includes(textOf(fields['ad_flag']))) return '1030'
  if (kind === 'brandmessage' && !['M', 'N', 'I'].includes(textOf(fields['targeting']))) return '1030'
  if (kind === 'brandmessage' && !/^(\d{9})?$/.test(textOf(fields['reseller_code']))) return '1030'
  if (!buttonsAreValid(attachment)) return '3027'
  const carousel = objectOf(fields['carousel'])['list']
  if (carouselRequired.has(messageType) && !templated && !Array.isArray(carousel)) return '1004'
  const wrong =
    textCode(kind, messageType, message, templated) ??
    (kind === 'alimtalk' || templated ? undefined : imageCode(messageType, attachment, knownImage))
  if (wrong !== undefined) return wrong
  return {
    kind,
    messageType,
    serialNumber,
    to: to === '' ? user : to,
    message,
    templateCode: templateCode === '' ? null : templateCode,
    advertising: kind === 'brandmessage' || (kind === 'friendtalk' && textOf(fields['ad_flag']) !== 'N'),
    responseMethod: method as ResponseMethod,
    channelKey: textOf(fields['channel_key']),
    bytes,
  }
}
