/**
 * Converts a submission to its request: path and JSON, with fields in the order of the dealer whose program is public. Every
 * field has its source in gateway/test/contract/golden/README.md.
 */
import type { SubmissionContent as Alimtalk } from '../../../channels/alimtalk/alimtalk.ts'
import type { SubmissionContent as Brandmessage } from '../../../channels/brandmessage/brandmessage.ts'
import type { BubbleType } from '../../../channels/kakao/limits.ts'
import type { BubbleSubmission } from '../../../channels/kakao/submission.ts'
import type { Submission } from '../connector.ts'
import { convertFriendtalk, refuse, type RefusedOutcome } from '../friendtalk.ts'
import { formatNumber } from '../phone-number.ts'
import type { KakaoOptions, ResponseMethod } from './options.ts'
import { toSnakeCase, type KakaoJson } from './snake-case.ts'
import { toVariables } from './variables.ts'

export interface KakaoSendRequest {
  readonly url: string
  readonly body: string
  readonly responseMethod: ResponseMethod
}

export const sendHeaders = {
  'content-type': 'application/json; charset=utf-8',
  accept: 'application/json',
} as const

/** URLs at Kakao by the URL in the content. */
export type KakaoImageUrls = ReadonlyMap<string, string>

export type KakaoMessage =
  | { readonly channel: 'alimtalk'; readonly content: Alimtalk }
  | { readonly channel: 'brandmessage'; readonly content: Brandmessage; readonly path: string }

/** Returns the message to submit, or the reason why it cannot be submitted. */
export function toKakaoMessage(
  options: KakaoOptions,
  { message }: Pick<Submission, 'message'>,
): KakaoMessage | RefusedOutcome {
  switch (message.channel) {
    case 'alimtalk':
      return message
    case 'friendtalk': {
      const content = convertFriendtalk(options.friendtalk, message.content)
      if (!('kind' in content) && content.adFlag === 'N' && !options.brandAdFlag)
        return refuse(
          'kakao:friendtalk-ad-flag',
          'adFlag is N and a brand message is an advertisement; set brandAdFlag if Kakao accepts ad_flag N',
        )
      return 'kind' in content ? content : toBrandMessage(options, content)
    }
    case 'brandmessage':
      return toBrandMessage(options, message.content)
    default:
      return refuse('kakao:channel', 'Kakao supports only alimtalk, friendtalk and brand messages')
  }
}

function toBrandMessage({ brandPath }: KakaoOptions, content: Brandmessage): KakaoMessage | RefusedOutcome {
  if (brandPath !== undefined) return { channel: 'brandmessage', content, path: brandPath }
  return refuse('kakao:brand-path', 'set brandPath to the path of brand messages that Kakao has assigned')
}

export function toKakaoRequest(
  options: KakaoOptions,
  message: KakaoMessage,
  { to, originCid }: Pick<Submission, 'to' | 'originCid'>,
  serial: string,
  images: KakaoImageUrls,
): KakaoSendRequest {
  // No public source mentions another method for brand messages.
  const responseMethod =
    message.channel === 'alimtalk' ? options.results[message.content.messageType] : 'realtime'
  const identity = {
    serial_number: serial,
    sender_key: message.content.senderKey,
    phone_number: formatNumber(to, 'international', options.countryCode),
  }
  const body =
    message.channel === 'alimtalk'
      ? alimtalkBody(options, message.content, identity)
      : brandBody(options, message.content, identity, originCid)
  const path = message.channel === 'brandmessage' ? message.path : 'alimtalk/send'
  return {
    url: buildKakaoUrl(options.url, 'v3', options.partnerKey, path),
    body: JSON.stringify(replaceImages(body, images)),
    responseMethod,
  }
}

export function buildKakaoUrl(base: string, version: string, partnerKey: string, path: string): string {
  return `${base.replace(/\/+$/, '')}/${version}/${partnerKey}/${path}`
}

function alimtalkBody(options: KakaoOptions, content: Alimtalk, identity: KakaoJson): KakaoJson {
  const method = options.results[content.messageType]
  const { attachment, supplement, link, price, currencyType } = content
  return {
    message_type: content.messageType,
    ...identity,
    template_code: content.templateCode,
    message: content.message,
    ...(content.title !== undefined && { title: content.title }),
    ...(content.header !== undefined && { header: content.header }),
    response_method: method,
    ...(method === 'polling' && { timeout: options.pollTimeoutSeconds }),
    ...(attachment && { attachment: toSnakeCase(attachment) }),
    ...(supplement && { supplement: toSnakeCase(supplement) }),
    ...(link && { link: toSnakeCase(link) }),
    ...(method !== 'realtime' && { channel_key: options.channelKey }),
    // The dealer sends a number. Clients send digits with at most two decimals.
    ...(price !== undefined && { price: Number(price) }),
    ...(currencyType !== undefined && { currency_type: currencyType }),
  }
}

const brandTypes: Readonly<Record<BubbleType, string>> = {
  FT: 'TEXT',
  FI: 'IMAGE',
  FW: 'WIDE',
  FL: 'WIDE_ITEM_LIST',
  FC: 'CAROUSEL_FEED',
  FP: 'PREMIUM_VIDEO',
  FM: 'COMMERCE',
  FA: 'CAROUSEL_COMMERCE',
}

function brandBody(
  options: KakaoOptions,
  content: Brandmessage,
  identity: KakaoJson,
  originCid: string | undefined,
): KakaoJson {
  const { templateCode, unsubscribePhoneNumber: phone, unsubscribeAuthNumber: code } = content
  const reseller = originCid ?? content.originCid ?? options.originCode
  const contentType = content.sendType === 'basic' ? options.brandContentType : undefined
  return {
    chat_bubble_type: brandTypes[content.messageType],
    ...identity,
    targeting: content.targeting ?? options.brandTargeting,
    ...(templateCode !== undefined && { template_code: templateCode }),
    ...(contentType !== undefined && { content_type: contentType }),
    ...(content.message !== undefined && { message: content.message }),
    ...(options.brandAdFlag && content.adFlag === 'N' && { ad_flag: 'N' }),
    ...bubbleFields(content),
    ...toVariables(content.variables),
    ...(reseller !== undefined && { reseller_code: reseller }),
    ...(phone !== undefined && { unsubscribe_phone_number: phone }),
    ...(code !== undefined && { unsubscribe_auth_number: code }),
  }
}

/** Omits fields that have their default. */
function bubbleFields(content: BubbleSubmission): KakaoJson {
  const { header, attachment, carousel, additionalContent, groupTagKey } = content
  return {
    ...(attachment && { attachment: toSnakeCase(attachment) }),
    ...(header !== undefined && { header }),
    ...(carousel && { carousel: toSnakeCase(carousel) }),
    ...(additionalContent !== undefined && { additional_content: additionalContent }),
    ...(content.adult === 'Y' && { adult: 'Y' }),
    ...(content.pushAlarm === 'N' && { push_alarm: 'N' }),
    ...(groupTagKey !== undefined && { group_tag_key: groupTagKey }),
  }
}

const imageFields = new Set(['img_url', 'image_url', 'thumbnail_url'])

function replaceImages(value: unknown, images: KakaoImageUrls): unknown {
  if (images.size === 0) return value
  if (Array.isArray(value)) return value.map((inner) => replaceImages(inner, images))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => {
      const imageUrl = imageFields.has(name) && typeof inner === 'string' ? images.get(inner) : undefined
      return [name, imageUrl ?? replaceImages(inner, images)]
    }),
  )
}
