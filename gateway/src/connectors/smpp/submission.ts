/**
 * Converts a neutral submission to the body of a submit_sm. A submission that cannot be sent is a refusal with its cause,
 * never an exception. Alphabet and parts are already decided: the part is encoded as given, or for a carrier that splits
 * long texts itself, the whole text.
 */
import type { Cause } from '../../channels/cause.ts'
import type { TextPart } from '../../channels/text/parts.ts'
import { countInternationalParts, domesticPart } from '../../channels/text/parts.ts'
import type { Submission, SubmitOutcome } from '../connector.ts'
import { addressWriter } from './addresses.ts'
import { encodeText, type Alphabet } from '../../smpp/alphabets.ts'
import { noHeader, writeHeader, writeParameters } from '../../smpp/concatenation.ts'
import type { SmppOptions } from './options.ts'
import type { EncodableBody } from '../../smpp/codec.ts'
import { parameterWriter } from './parameters.ts'
import { tlvs as known, type Tlv } from '../../smpp/tlv.ts'

export type SubmitBody = EncodableBody<'submit_sm'>
export type Refusal = Extract<SubmitOutcome, { kind: 'refused' }>
export type SubmitBodyWriter = (submission: Submission, nowMs: number) => SubmitBody | Refusal

/** sm_length of each version. */
const maxTextBytes = { '3.4': 254, '5.0': 255 } as const
const headerInText = 0x40
const noText = Buffer.alloc(0)

export function submitBodyWriter(options: SmppOptions): SubmitBodyWriter {
  const addressOf = addressWriter(options)
  const parametersOf = parameterWriter(options.parameters)
  const { originCidTag, longMessages } = options
  const maxBytes = maxTextBytes[options.interfaceVersion]

  return (submission, nowMs) => {
    const { from, to, originCid } = submission
    if (!/^\+?\d{1,20}$/.test(to))
      return refusal(
        'bad-number',
        'destination',
        'the recipient must be 1 to 20 digits, with an optional leading +',
      )
    if (!/^[\x20-\x7e]{1,20}$/.test(from)) {
      return refusal('unregistered-sender', 'source', 'the sender must be 1 to 20 printable ASCII characters')
    }
    const part = partOf(submission)
    if (part === null)
      return refusal('unsupported', 'not-text', `SMPP cannot carry ${submission.message.channel}`)
    const { alphabet, dataCoding } = alphabetFor(part, submission, options)
    const place = part.parts > 1 && submission.part !== null ? placeOf(part) : null
    const form = longMessages === 'udh16' && part.wide !== true ? 'udh8' : longMessages
    const header = place === null ? noHeader : writeHeader(form, place)
    const octets = encodeOrNull(part.text, alphabet, header)
    if (octets === null)
      return refusal('unsupported', 'unencodable', `the text cannot be encoded as ${part.encoding}`)
    // A text of several parts that is not split.
    const inPayload = place === null && part.parts > 1
    if (!inPayload && octets.length > maxBytes)
      return refusal(
        'unsupported',
        'too-long',
        `the text must be at most ${maxBytes} octets, but has ${octets.length}`,
      )
    const parameters = parametersOf(from, () => textOf(submission))
    if (parameters === null)
      return refusal(
        'unsupported',
        'parameter',
        'a required parameter has no value for this sender and text; add it to the options of the route',
      )
    const source = addressOf('source', from)
    const destination = addressOf('destination', to)
    const tlvs: readonly Tlv[] = [
      ...parameters,
      ...(place !== null && longMessages === 'sar' ? writeParameters(place) : []),
      ...(inPayload ? [{ tag: known.messagePayload.tag, value: octets }] : []),
      ...(originCidTag === undefined || originCid === undefined
        ? []
        : [{ tag: originCidTag, value: Buffer.from(originCid, 'latin1') }]),
    ]
    return {
      serviceType: options.serviceType,
      sourceTon: source.ton,
      sourceNpi: source.npi,
      source: source.value,
      destinationTon: destination.ton,
      destinationNpi: destination.npi,
      destination: destination.value,
      esmClass: header.length > 0 ? headerInText | options.esmClass : options.esmClass,
      protocolId: 0,
      priorityFlag: 0,
      scheduleDeliveryTime: '',
      validityPeriod: validityPeriod(submission.validUntil.getTime() - nowMs, options.maxValiditySeconds),
      registeredDelivery: options.registeredDelivery,
      replaceIfPresent: 0,
      dataCoding,
      defaultMessageId: 0,
      shortMessage: inPayload ? noText : octets,
      ...(tlvs.length === 0 ? {} : { tlvs }),
    }
  }
}

function refusal(cause: Cause, code: string, text: string): Refusal {
  return { kind: 'refused', cause, code: `smpp:${code}`, text }
}

const placeOf = ({ concatReference, part, parts }: TextPart) => ({ reference: concatReference, part, parts })

/** The part, or for a route that takes messages the whole text with the parts it would have. Null for what is no text. */
function partOf({ part, given }: Submission): TextPart | null {
  if (part !== null) return part.kind === 'text' ? part : null
  if (!('text' in given)) return null
  if (given.channel === 'sms') return domesticPart(given.text)
  const { encoding, parts } = countInternationalParts(given.text)
  return { kind: 'text', text: given.text, encoding, part: 1, parts, concatReference: 0 }
}

function textOf({ given }: Submission): string {
  return 'text' in given ? given.text : ''
}

/** By the whole text: all parts of it have the same coding. */
function alphabetFor(
  { encoding }: TextPart,
  submission: Submission,
  { dataCoding, defaultAlphabet }: SmppOptions,
): { readonly alphabet: Alphabet; readonly dataCoding: number } {
  if (encoding === 'gsm7') return { alphabet: defaultAlphabet, dataCoding: dataCoding.gsm7 }
  if (encoding === 'ucs2' && dataCoding.latin1 !== undefined && isLatin1.test(textOf(submission)))
    return { alphabet: 'latin1', dataCoding: dataCoding.latin1 }
  return { alphabet: encoding, dataCoding: dataCoding[encoding] }
}

const isLatin1 = /^[\n\r -~\u00a0-\u00ff]*$/

/** With its header in front. Null when a character is not in the alphabet. */
function encodeOrNull(text: string, alphabet: Alphabet, header: Buffer): Buffer | null {
  try {
    const octets = encodeText(text, alphabet, header.length)
    return header.length === 0 ? octets : Buffer.concat([header, octets])
  } catch {
    return null
  }
}

/** Relative time `YYMMDDhhmmss000R`; empty (the default of the carrier) when it is longer than allowed. */
export function validityPeriod(validMs: number, maxSeconds: number): string {
  const seconds = Math.max(1, Math.ceil(validMs / 1000))
  if (seconds > maxSeconds) return ''
  const two = (value: number): string => String(Math.floor(value)).padStart(2, '0')
  // Days are the largest unit, because a relative month has no defined length.
  return `0000${two(seconds / 86_400)}${two((seconds / 3600) % 24)}${two((seconds / 60) % 60)}${two(seconds % 60)}000R`
}
