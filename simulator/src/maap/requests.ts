/**
 * Reads a send request in either shape, the carriers' or the KT relay's, and says the first code that refuses its
 * envelope. Pure. The content is checked by content.ts: a carrier refuses it at once, the relay fails it by status.
 */
import { isObject, objectOf, textOf } from '../shared/json-body.ts'
import type { Fields } from '../shared/json-body.ts'
import type { Code } from './codes.ts'
import type { Content } from './content.ts'
import type { Product } from './formats.ts'
import type { MaapOptions } from './settings.ts'

export interface SendRequest extends Content {
  readonly id: string
  readonly to: string
  readonly chatbotId: string
  readonly replyId: string
  /** What the relay sends when RCS fails. */
  readonly legacyType: string | undefined
  readonly fields: Fields
  /** Octets of the request. */
  readonly bytes: number
}

const products: readonly string[] = ['sms', 'lms', 'mms', 'tmplt', 'itmpl', 'chat']

const serviceTypes: Readonly<Record<string, Product>> = {
  RCSSMS: 'sms',
  RCSLMS: 'lms',
  RCSMMS: 'mms',
  RCSTMPL: 'tmplt',
  RCSITMPL: 'itmpl',
  RCSCHAT: 'chat',
}

export function serviceTypeOf(product: Product | undefined): string {
  return Object.keys(serviceTypes).find((type) => serviceTypes[type] === product) ?? 'RCSSMS'
}

/** A text of 1 to `max` characters. */
function has(fields: Fields, name: string, max: number): boolean {
  const value = textOf(fields[name])
  return value !== '' && value.length <= max
}

/** Missing, or of 1 to `max` characters. */
function mayHave(fields: Fields, name: string, max: number): boolean {
  return fields[name] === undefined || has(fields, name, max)
}

function footerIsValid(footer: string): boolean {
  return /^[\d-]{1,20}$/.test(footer)
}

function contentOf(
  fields: Fields,
  product: Product | undefined,
): Content & { chatbotId: string; replyId: string } {
  return {
    messagebaseId: textOf(fields['messagebaseId']),
    product,
    header: textOf(fields['header']),
    footer: textOf(fields['footer']),
    body: fields['body'],
    buttons: fields['buttons'],
    chipList: fields['chipList'],
    chatbotId: textOf(fields['chatbotId']),
    replyId: textOf(fields['replyId']),
  }
}

export function readCarrierRequest(fields: Fields, bytes: number, options: MaapOptions): SendRequest | Code {
  const { agencyKey, brandKey, chatbotId } = options
  if (!has(fields, 'clientMsgId', 40) || !has(fields, 'agencyId', 20)) return '55802'
  if (!has(fields, 'messagebaseId', 40) || !mayHave(fields, 'groupId', 20)) return '55802'
  const to = textOf(fields['userContact'])
  if (!/^\d{8,15}$/.test(to)) return '55817'
  const content = contentOf(fields, undefined)
  if (!/^\d{3,20}$/.test(content.chatbotId)) return '55302'
  if (chatbotId !== undefined && content.chatbotId !== chatbotId) return '55819'
  if (!has(fields, 'agencyKey', 64)) return '51101'
  if ((agencyKey ?? fields['agencyKey']) !== fields['agencyKey']) return '51102'
  if (!has(fields, 'brandKey', 64)) return '51103'
  if ((brandKey ?? fields['brandKey']) !== fields['brandKey']) return '51104'
  const { productCode, expiryOption, copyAllowed } = fields
  if (productCode !== undefined && !products.includes(textOf(productCode))) return '55509'
  if (expiryOption !== undefined && ![1, 2, 3, 4].includes(expiryOption as number)) return '55810'
  if (copyAllowed !== undefined && typeof copyAllowed !== 'boolean') return '55802'
  const { header, footer } = content
  if (header !== '0' && header !== '1') return '55703'
  if (header === '0' && fields['footer'] !== undefined) return '55704'
  if (header === '1' && footer === '') return '55705'
  if (header === '1' && !footerIsValid(footer)) return '55706'
  const product = productCode === undefined ? undefined : (productCode as Product)
  const id = textOf(fields['clientMsgId'])
  return { ...content, product, id, to, legacyType: undefined, fields, bytes }
}

function legacyIsValid(legacy: Fields): boolean {
  const { contentCount, kisaOrigCode } = legacy
  return (
    ['SMS', 'LMS', 'MMS'].includes(textOf(legacy['serviceType'])) &&
    has(legacy, 'callback', 20) &&
    has(legacy, 'msg', 4000) &&
    mayHave(legacy, 'subject', 50) &&
    mayHave(legacy, 'prefix', 10) &&
    [0, 1, 2, 3].includes(contentCount as number) &&
    (kisaOrigCode === undefined || /^\d{9}$/.test(JSON.stringify(kisaOrigCode).replaceAll('"', '')))
  )
}

export function readRelayRequest(fields: Fields, bytes: number, options: MaapOptions): SendRequest | Code {
  const [common, rcs] = [objectOf(fields['common']), objectOf(fields['rcs'])]
  const { agencyKey, brandKey, chatbotId } = options
  const kind = textOf(common['msgServiceType'])
  if (!has(common, 'msgId', 40) || !mayHave(common, 'msgGroupId', 20)) return '72101'
  if (common['scheduleType'] !== undefined && common['scheduleType'] !== 0) return '72101'
  if (kind !== 'rcs' && kind !== 'rcs, legacy') return '72101'
  const to = textOf(common['userContact'])
  if (!/^\d{8,15}$/.test(to)) return '75008'
  const service = textOf(rcs['serviceType'])
  if (!Object.hasOwn(serviceTypes, service)) return '72123'
  const content = contentOf(rcs, serviceTypes[service])
  if (!/^\d{3,20}$/.test(content.chatbotId)) return '72103'
  if (chatbotId !== undefined && content.chatbotId !== chatbotId) return '72122'
  if (!has(rcs, 'messagebaseId', 40) || !mayHave(rcs, 'agencyId', 20) || !isObject(rcs['body']))
    return '72103'
  if (!has(rcs, 'agencyKey', 64) || !has(rcs, 'brandKey', 64)) return '72103'
  if ((agencyKey ?? rcs['agencyKey']) !== rcs['agencyKey']) return '72103'
  if ((brandKey ?? rcs['brandKey']) !== rcs['brandKey']) return '72103'
  if (rcs['expiryOption'] !== undefined && ![1, 2].includes(rcs['expiryOption'] as number)) return '72125'
  if (rcs['copyAllowed'] !== undefined && typeof rcs['copyAllowed'] !== 'boolean') return '72103'
  const { header, footer } = content
  if (header !== '0' && header !== '1') return '72126'
  if (header === '0' ? rcs['footer'] !== undefined : !footerIsValid(footer)) return '72127'
  const legacy = objectOf(fields['legacy'])
  const fallsBack = kind === 'rcs, legacy'
  if (fallsBack && !legacyIsValid(legacy)) return '72102'
  const legacyType = fallsBack ? textOf(legacy['serviceType']) : undefined
  return { ...content, id: textOf(common['msgId']), to, legacyType, fields, bytes }
}
