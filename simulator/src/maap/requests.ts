/**
 * Parses a send request of the carriers or the KT relay and returns the first code that refuses its envelope.
 * content.ts checks the content: a carrier refuses it in the response, the relay by a status.
 */
import { isObject, toObject, toText } from '../shared/json-body.ts'
import type { Fields } from '../shared/json-body.ts'
import type { MaapCode } from './codes.ts'
import type { MaapContent } from './content.ts'
import type { MaapProduct } from './formats.ts'
import type { MaapOptions } from './settings.ts'

export interface MaapSendRequest extends MaapContent {
  readonly id: string
  readonly to: string
  readonly chatbotId: string
  readonly replyId: string
  /** Fallback of the relay if RCS fails. */
  readonly legacyType: string | undefined
  readonly fields: Fields
  /** Size of the request. */
  readonly bytes: number
}

const products: readonly string[] = ['sms', 'lms', 'mms', 'tmplt', 'itmpl', 'chat']

const serviceTypes: Readonly<Record<string, MaapProduct>> = {
  RCSSMS: 'sms',
  RCSLMS: 'lms',
  RCSMMS: 'mms',
  RCSTMPL: 'tmplt',
  RCSITMPL: 'itmpl',
  RCSCHAT: 'chat',
}

export function toServiceType(product: MaapProduct | undefined): string {
  return Object.keys(serviceTypes).find((type) => serviceTypes[type] === product) ?? 'RCSSMS'
}

/** Returns whether the field is a string of 1 to `max` characters. */
function hasText(fields: Fields, name: string, max: number): boolean {
  const value = toText(fields[name])
  return value !== '' && value.length <= max
}

/** Like `hasText`, but the field is optional. */
function hasOptionalText(fields: Fields, name: string, max: number): boolean {
  return fields[name] === undefined || hasText(fields, name, max)
}

function footerIsValid(footer: string): boolean {
  return /^[\d-]{1,20}$/.test(footer)
}

function readContent(
  fields: Fields,
  product: MaapProduct | undefined,
): MaapContent & { chatbotId: string; replyId: string } {
  return {
    messagebaseId: toText(fields['messagebaseId']),
    product,
    header: toText(fields['header']),
    footer: toText(fields['footer']),
    body: fields['body'],
    buttons: fields['buttons'],
    chipList: fields['chipList'],
    chatbotId: toText(fields['chatbotId']),
    replyId: toText(fields['replyId']),
  }
}

export function readCarrierRequest(
  fields: Fields,
  bytes: number,
  options: MaapOptions,
): MaapSendRequest | MaapCode {
  const { agencyKey, brandKey, chatbotId } = options
  if (!hasText(fields, 'clientMsgId', 40) || !hasText(fields, 'agencyId', 20)) return '55802'
  if (!hasText(fields, 'messagebaseId', 40) || !hasOptionalText(fields, 'groupId', 20)) return '55802'
  const to = toText(fields['userContact'])
  if (!/^\d{8,15}$/.test(to)) return '55817'
  const content = readContent(fields, undefined)
  if (!/^\d{3,20}$/.test(content.chatbotId)) return '55302'
  if (chatbotId !== undefined && content.chatbotId !== chatbotId) return '55819'
  if (!hasText(fields, 'agencyKey', 64)) return '51101'
  if ((agencyKey ?? fields['agencyKey']) !== fields['agencyKey']) return '51102'
  if (!hasText(fields, 'brandKey', 64)) return '51103'
  if ((brandKey ?? fields['brandKey']) !== fields['brandKey']) return '51104'
  const { productCode, expiryOption, copyAllowed } = fields
  if (productCode !== undefined && !products.includes(toText(productCode))) return '55509'
  if (expiryOption !== undefined && ![1, 2, 3, 4].includes(expiryOption as number)) return '55810'
  if (copyAllowed !== undefined && typeof copyAllowed !== 'boolean') return '55802'
  const { header, footer } = content
  if (header !== '0' && header !== '1') return '55703'
  if (header === '0' && fields['footer'] !== undefined) return '55704'
  if (header === '1' && footer === '') return '55705'
  if (header === '1' && !footerIsValid(footer)) return '55706'
  const product = productCode === undefined ? undefined : (productCode as MaapProduct)
  const id = toText(fields['clientMsgId'])
  return { ...content, product, id, to, legacyType: undefined, fields, bytes }
}

function legacyIsValid(legacy: Fields): boolean {
  const { contentCount, kisaOrigCode } = legacy
  return (
    ['SMS', 'LMS', 'MMS'].includes(toText(legacy['serviceType'])) &&
    hasText(legacy, 'callback', 20) &&
    hasText(legacy, 'msg', 4000) &&
    hasOptionalText(legacy, 'subject', 50) &&
    hasOptionalText(legacy, 'prefix', 10) &&
    [0, 1, 2, 3].includes(contentCount as number) &&
    (kisaOrigCode === undefined || /^\d{9}$/.test(JSON.stringify(kisaOrigCode).replaceAll('"', '')))
  )
}

export function readRelayRequest(
  fields: Fields,
  bytes: number,
  options: MaapOptions,
): MaapSendRequest | MaapCode {
  const [common, rcs] = [toObject(fields['common']), toObject(fields['rcs'])]
  const { agencyKey, brandKey, chatbotId } = options
  const kind = toText(common['msgServiceType'])
  if (!hasText(common, 'msgId', 40) || !hasOptionalText(common, 'msgGroupId', 20)) return '72101'
  if (common['scheduleType'] !== undefined && common['scheduleType'] !== 0) return '72101'
  if (kind !== 'rcs' && kind !== 'rcs, legacy') return '72101'
  const to = toText(common['userContact'])
  if (!/^\d{8,15}$/.test(to)) return '75008'
  const service = toText(rcs['serviceType'])
  if (!Object.hasOwn(serviceTypes, service)) return '72123'
  const content = readContent(rcs, serviceTypes[service])
  if (!/^\d{3,20}$/.test(content.chatbotId)) return '72103'
  if (chatbotId !== undefined && content.chatbotId !== chatbotId) return '72122'
  if (!hasText(rcs, 'messagebaseId', 40) || !hasOptionalText(rcs, 'agencyId', 20) || !isObject(rcs['body']))
    return '72103'
  if (!hasText(rcs, 'agencyKey', 64) || !hasText(rcs, 'brandKey', 64)) return '72103'
  if ((agencyKey ?? rcs['agencyKey']) !== rcs['agencyKey']) return '72103'
  if ((brandKey ?? rcs['brandKey']) !== rcs['brandKey']) return '72103'
  if (rcs['expiryOption'] !== undefined && ![1, 2].includes(rcs['expiryOption'] as number)) return '72125'
  if (rcs['copyAllowed'] !== undefined && typeof rcs['copyAllowed'] !== 'boolean') return '72103'
  const { header, footer } = content
  if (header !== '0' && header !== '1') return '72126'
  if (header === '0' ? rcs['footer'] !== undefined : !footerIsValid(footer)) return '72127'
  const legacy = toObject(fields['legacy'])
  const fallsBack = kind === 'rcs, legacy'
  if (fallsBack && !legacyIsValid(legacy)) return '72102'
  const legacyType = fallsBack ? toText(legacy['serviceType']) : undefined
  return { ...content, id: toText(common['msgId']), to, legacyType, fields, bytes }
}
