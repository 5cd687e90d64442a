/**
 * Converts a neutral submission to the body of a submit_sm. A submission that cannot be sent is a refusal with its cause,
 * never an exception. Alphabet and parts are already decided: the part is encoded as given.
 */
import type { Cause } from '../../channels/cause.ts'
import { encodeCp949 } from '../../channels/text/cp949.ts'
import { encodeGsm7 } from '../../channels/text/gsm7.ts'
import type { TextPart } from '../../channels/text/parts.ts'
import type { Submission, SubmitOutcome } from '../connector.ts'
import { kindOfNumber } from '../phone-number.ts'
import type { SmppOptions } from './options.ts'
import type { EncodableBody } from './codec.ts'

export type SubmitBody = EncodableBody<'submit_sm'>
export type Refusal = Extract<SubmitOutcome, { kind: 'refused' }>

/** sm_length of version 3.4. */
const maxTextBytes = 254
const headerInText = 0x40
const international = { ton: 1, npi: 1 } as const
const alphanumeric = { ton: 5, npi: 0 } as const

export function toSubmitBody(
  submission: Submission,
  options: SmppOptions,
  nowMs: number,
): SubmitBody | Refusal {
  const { from, to, part, originCid } = submission
  if (!/^\+?\d{1,20}$/.test(to))
    return refusal(
      'bad-number',
      'destination',
      'the recipient must be 1 to 20 digits, with an optional leading +',
    )
  if (!/^[\x20-\x7e]{1,20}$/.test(from)) {
    return refusal('unregistered-sender', 'source', 'the sender must be 1 to 20 printable ASCII characters')
  }
  const validMs = submission.validUntil.getTime() - nowMs
  if (validMs <= 0) return refusal('timeout', 'expired', 'the message expired before it was submitted')
  if (part?.kind !== 'text')
    return refusal('unsupported', 'not-text', `SMPP cannot carry ${submission.message.channel}`)
  const text = encodeText(part, options.defaultAlphabet)
  if (text === null)
    return refusal('unsupported', 'unencodable', `the text cannot be encoded as ${part.encoding}`)
  if (text.length > maxTextBytes)
    return refusal(
      'unsupported',
      'too-long',
      `the text must be at most ${maxTextBytes} octets, but has ${text.length}`,
    )

  const source = { international, domestic: options.source, text: alphanumeric }[kindOfNumber(from)]
  const destination = kindOfNumber(to) === 'international' ? international : options.destination
  return {
    serviceType: options.serviceType,
    sourceTon: source.ton,
    sourceNpi: source.npi,
    source: source === international ? from.slice(1) : from,
    destinationTon: destination.ton,
    destinationNpi: destination.npi,
    destination: destination === international ? to.slice(1) : to,
    esmClass: part.parts > 1 ? headerInText : 0,
    protocolId: 0,
    priorityFlag: 0,
    scheduleDeliveryTime: '',
    validityPeriod: validityPeriod(validMs, options.maxValiditySeconds),
    registeredDelivery: options.registeredDelivery,
    replaceIfPresent: 0,
    dataCoding: options.dataCoding[part.encoding],
    defaultMessageId: 0,
    shortMessage: text,
    ...(options.originCidTag === undefined || originCid === undefined
      ? {}
      : { tlvs: [{ tag: options.originCidTag, value: Buffer.from(originCid, 'latin1') }] }),
  }
}

function refusal(cause: Cause, code: string, text: string): Refusal {
  return { kind: 'refused', cause, code: `smpp:${code}`, text }
}

/** Null when a character is not in the alphabet of the part. */
function encodeText(content: TextPart, alphabet: SmppOptions['defaultAlphabet']): Buffer | null {
  let octets: Buffer
  try {
    octets = (content.encoding === 'gsm7' ? defaultAlphabets[alphabet] : encoders[content.encoding])(
      content.text,
    )
  } catch {
    return null
  }
  if (content.parts === 1) return octets
  // Concatenation with an 8-bit reference, 3GPP TS 23.040 §9.2.3.24.1.
  const header = Buffer.of(5, 0, 3, content.concatReference, content.parts, content.part)
  return Buffer.concat([header, octets])
}

/** What SMSCs mean by data_coding 0. */
const defaultAlphabets = {
  gsm7: encodeGsm7,
  latin1: (text: string): Buffer => encodeOctets(text, 0xff),
  ascii: (text: string): Buffer => encodeOctets(text, 0x7f),
} as const

function encodeOctets(text: string, last: number): Buffer {
  for (let index = 0; index < text.length; index++)
    if (text.charCodeAt(index) > last) throw new RangeError('a character is not in the alphabet')
  return Buffer.from(text, 'latin1')
}

const encoders = {
  cp949: encodeCp949,
  ucs2: (text: string): Buffer => Buffer.from(text, 'utf16le').swap16(),
} as const

/** Relative time `YYMMDDhhmmss000R`; empty (the default of the carrier) when it is longer than allowed. */
export function validityPeriod(validMs: number, maxSeconds: number): string {
  const seconds = Math.ceil(validMs / 1000)
  if (seconds > maxSeconds) return ''
  const two = (value: number): string => String(Math.floor(value)).padStart(2, '0')
  // Days are the largest unit, because a relative month has no defined length.
  return `0000${two(seconds / 86_400)}${two((seconds / 3600) % 24)}${two((seconds / 60) % 60)}${two(seconds % 60)}000R`
}
