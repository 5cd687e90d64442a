/** Writes the elements of SubmitReq in the order of each dialect's samples; for 3GPP in the order of its schema. */
import type { SubmissionContent } from '../../../channels/mms/mms.ts'
import { escapeXml } from './charset.ts'
import { dialects } from './dialect.ts'
import type { Mm7Options } from './options.ts'

export interface SubmitInput {
  readonly options: Mm7Options
  readonly content: SubmissionContent
  /** Sender in the carrier's number format. */
  readonly from: string
  readonly to: string
  readonly originCode: string | undefined
  readonly isAdvertisement: boolean
  readonly validUntil: Date
  readonly contentId: string
  readonly now: Date
}

const element = (name: string, text: string): string => `<${name}>${escapeXml(text)}</${name}>`
const optional = (name: string, text: string | undefined): string =>
  text === undefined || text === '' ? '' : element(name, text)

export function submitElements(input: SubmitInput): string {
  switch (input.options.dialect) {
    case '3gpp':
      return standardElements(input)
    case 'skt':
      return sktElements(input)
    case 'kt':
      return ktElements(input)
    case 'lgu':
      return lguElements(input)
  }
}

const writeVersion = ({ options }: SubmitInput): string =>
  element('MM7Version', options.version ?? dialects[options.dialect].version)

function writeSender({ options }: SubmitInput, rest: string): string {
  const ids = element('VASPID', options.vaspId) + element('VASID', options.vasId)
  return `<SenderIdentification>${ids}${rest}</SenderIdentification>`
}

const writeRecipients = ({ to }: SubmitInput): string =>
  `<Recipients><To>${element('Number', to)}</To></Recipients>`

const writeContentReference = ({ contentId }: SubmitInput, allow: string): string =>
  `<Content href="cid:${escapeXml(contentId)}" allowAdaptations="${allow}"/>`

function standardElements(input: SubmitInput): string {
  const { from, content, isAdvertisement, now, validUntil } = input
  return [
    writeVersion(input),
    writeSender(input, `<SenderAddress>${element('Number', from)}</SenderAddress>`),
    writeRecipients(input),
    element('MessageClass', isAdvertisement ? 'Advertisement' : 'Personal'),
    element('TimeStamp', utcTime(now)),
    element('ExpiryDate', utcTime(validUntil)),
    element('DeliveryReport', 'true'),
    element('ReadReply', 'false'),
    optional('Subject', content.title),
    writeContentReference(input, 'true'),
  ].join('')
}

function sktElements(input: SubmitInput): string {
  const { options, from, content, now, validUntil, originCode } = input
  const origin = optional('X-SKT-ORIG-BPID', originCode)
  const isInSender = options.skt.originPlace === 'sender'
  const sender = [
    element('X-SKT-BPID', options.partnerId!),
    isInSender ? origin : '',
    element('X-SKT-RELAY-BPID', options.skt.relayId),
    element('SenderAddress', from),
  ]
  return [
    writeVersion(input),
    writeSender(input, sender.join('')),
    isInSender ? '' : origin,
    writeRecipients(input),
    '<LinkedID/>',
    element('MessageClass', 'Personal'),
    element('TimeStamp', mailTime(now)),
    element('ExpiryDate', mailTime(validUntil)),
    element('DeliveryReport', 'True'),
    element('ReadReply', 'False'),
    element('Priority', 'Normal'),
    element('DistributionIndicator', 'False'),
    `<X-SKT:X-SKT xmlns:X-SKT="http://vmg.nate.com:8080/soap/skt-schema.xsd">${element('X-SKT-Alias', from)}</X-SKT:X-SKT>`,
    element('Subject', content.title ?? ''),
    writeContentReference(input, 'True'),
  ].join('')
}

function ktElements(input: SubmitInput): string {
  const { options, from, content, now, validUntil, originCode } = input
  const billed = element('SenderAddress', options.billingNumber ?? from)
  return [
    element('ServiceType', 'MMSMT1'),
    writeVersion(input),
    writeSender(input, element('CPID', options.partnerId!) + billed + element('CallBack', from)),
    writeRecipients(input),
    element('MessageClass', 'GENERAL'),
    element('TimeStamp', koreanTime(now)),
    options.expiryDate ? element('ExpiryDate', koreanTime(validUntil)) : '',
    element('Subject', content.title ?? ''),
    element('DeliveryReport', 'TRUE'),
    element('ReadReply', 'FALSE'),
    optional('ResellerCode', originCode),
  ].join('')
}

function lguElements(input: SubmitInput): string {
  const { options, from, content, now, validUntil, originCode } = input
  const billed = element('SenderAddress', options.billingNumber ?? from)
  return [
    writeVersion(input),
    writeSender(input, billed + element('CallBack', from)),
    writeRecipients(input),
    element('TimeStamp', `${koreanTime(now)}+09:00`),
    options.expiryDate ? element('ExpiryDate', `${koreanTime(validUntil)}+09:00`) : '',
    element('DeliveryReport', 'True'),
    optional('KisaOrigCode', originCode),
    element('Subject', content.title ?? ''),
    writeContentReference(input, 'True'),
  ].join('')
}

const utcTime = (at: Date): string => `${at.toISOString().slice(0, 19)}Z`

const inKorea = (at: Date): Date => new Date(at.getTime() + 9 * 3_600_000)

/** `2026-11-15T13:04:27` */
const koreanTime = (at: Date): string => inKorea(at).toISOString().slice(0, 19)

/** `Sun, 15 Nov 2026 13:04:27 +0900` */
const mailTime = (at: Date): string => inKorea(at).toUTCString().replace('GMT', '+0900')
