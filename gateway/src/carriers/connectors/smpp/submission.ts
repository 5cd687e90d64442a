/**
 * Converts a neutral submission to the body of a submit_sm. A submission that cannot be sent becomes a refusal with its
 * cause, never an exception. Alphabet and parts are already decided: the part is encoded as it is, or the whole text for a
 * carrier that splits long texts itself.
 */
import type { Cause } from '../../../channels/cause.ts'
import type { TextPart } from '../../../channels/text/parts.ts'
import { countInternationalParts, domesticPart } from '../../../channels/text/parts.ts'
import type { Submission, SubmitOutcome } from '../connector.ts'
import { addressWriter } from './addresses.ts'
import { encodeText, type Alphabet } from '../../smpp/alphabets.ts'
import { noHeader, writeHeader, writeParameters } from '../../smpp/concatenation.ts'
import type { SmppOptions } from './options.ts'
import type { EncodableBody } from '../../smpp/codec.ts'
import { parameterWriter } from './parameters.ts'
import { tlvs as known, type Tlv } from '../../smpp/tlv.ts'

export type SubmitBody = EncodableBody<'submit_sm'>
export type SmppRefusal = Extract<SubmitOutcome, { kind: 'refused' }>
export type SubmitBodyWriter = (submission: Submission, nowMs: number) => SubmitBody | SmppRefusal

/** Maximum sm_length by version. */
const maxTextBytes = { '3.4': 254, '5.0': 255 } as const
const headerInText = 0x40
const noText = Buffer.alloc(0)

export function submitBodyWriter(options: SmppOptions): SubmitBodyWriter {
  const toAddress = addressWriter(options)
  const toParameters = parameterWriter(options.parameters)
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
    const part = selectPart(submission)
    if (part === null)
      return refusal('unsupported', 'not-text', `SMPP does not support ${submission.message.channel}`)
    const { alphabet, dataCoding } = alphabetFor(part, submission, options)
    const segment = part.parts > 1 && submission.part !== null ? toSegment(part) : null
    const form = longMessages === 'udh16' && part.wide !== true ? 'udh8' : longMessages
    const header = segment === null ? noHeader : writeHeader(form, segment)
    const octets = encodeOrNull(part.text, alphabet, header)
    if (octets === null)
      return refusal('unsupported', 'unencodable', `the text cannot be encoded as ${part.encoding}`)
    // A text of several parts that is sent as one submission.
    const inPayload = segment === null && part.parts > 1
    if (!inPayload && octets.length > maxBytes)
      return refusal(
        'unsupported',
        'too-long',
        `the text must have at most ${maxBytes} octets, got ${octets.length}`,
      )
    const parameters = toParameters(from, () => getText(submission))
    if (parameters === null)
      return refusal(
        'unsupported',
        'parameter',
        'a required parameter has no value for this sender and text; add it to the options of the route',
      )
    const source = toAddress('source', from)
    const destination = toAddress('destination', to)
    const tlvs: readonly Tlv[] = [
      ...parameters,
      ...(segment !== null && longMessages === 'sar' ? writeParameters(segment) : []),
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

function refusal(cause: Cause, code: string, text: string): SmppRefusal {
  return { kind: 'refused', cause, code: `smpp:${code}`, text }
}

const toSegment = ({ concatReference, part, parts }: TextPart) => ({
  reference: concatReference,
  part,
  parts,
})

/** Returns the part, or the whole text with its number of parts for a route that submits messages. Null if it is not text. */
function selectPart({ part, given }: Submission): TextPart | null {
  if (part !== null) return part.kind === 'text' ? part : null
  if (!('text' in given)) return null
  if (given.channel === 'sms') return domesticPart(given.text)
  const { encoding, parts } = countInternationalParts(given.text)
  return { kind: 'text', text: given.text, encoding, part: 1, parts, concatReference: 0 }
}

function getText({ given }: Submission): string {
  return 'text' in given ? given.text : ''
}

/** Chooses the coding by the whole text, so that all its parts have the same. */
function alphabetFor(
  { encoding }: TextPart,
  submission: Submission,
  { dataCoding, defaultAlphabet }: SmppOptions,
): { readonly alphabet: Alphabet; readonly dataCoding: number } {
  if (encoding === 'gsm7') return { alphabet: defaultAlphabet, dataCoding: dataCoding.gsm7 }
  if (encoding === 'ucs2' && dataCoding.latin1 !== undefined && isLatin1.test(getText(submission)))
    return { alphabet: 'latin1', dataCoding: dataCoding.latin1 }
  return { alphabet: encoding, dataCoding: dataCoding[encoding] }
}

const isLatin1 = /^[\n\r -~\u00a0-\u00ff]*$/

/** Encodes the text after its header. Returns null if a character is not in the alphabet. */
function encodeOrNull(text: string, alphabet: Alphabet, header: Buffer): Buffer | null {
  try {
    const octets = encodeText(text, alphabet, header.length)
    return header.length === 0 ? octets : Buffer.concat([header, octets])
  } catch {
    return null
  }
}

/** Formats the relative time `YYMMDDhhmmss000R`; empty (the carrier's default) if it exceeds the maximum. */
export function validityPeriod(validMs: number, maxSeconds: number): string {
  const seconds = Math.max(1, Math.ceil(validMs / 1000))
  if (seconds > maxSeconds) return ''
  const two = (value: number): string => String(Math.floor(value)).padStart(2, '0')
  // Days are the largest unit, because a relative month has no defined length.
  return `0000${two(seconds / 86_400)}${two((seconds / 3600) % 24)}${two((seconds / 60) % 60)}${two(seconds % 60)}000R`
}
