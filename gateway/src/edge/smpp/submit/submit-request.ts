import { maxTtlSeconds } from '../../../channels/ttl.ts'
import type { Alphabet } from '../../../carriers/smpp/alphabets.ts'
import { selectAlphabet, decodeText } from '../../../carriers/smpp/alphabets.ts'
import { readHeader, readParameters, type ConcatenatedSegment } from '../../../carriers/smpp/concatenation.ts'
import type { PduOf } from '../../../carriers/smpp/pdu.ts'
import { statuses } from '../../../carriers/smpp/status.ts'
import { readTlv } from '../../../carriers/smpp/tlv.ts'
import { parseSmppRecipient, parseSmppSender, type ParsedAddress } from '../addresses.ts'
import { parseSmppTime } from './times.ts'

export interface TextOctets {
  readonly alphabet: Alphabet
  /** Base64, because the request is stored as JSON while other parts are awaited. */
  readonly octets: string
  readonly headerBytes: number
}

export interface SubmitRequest {
  readonly sender: ParsedAddress
  readonly recipient: ParsedAddress
  readonly body: TextOctets
  readonly segment: ConcatenatedSegment | null
  /** Bits 0 and 1 of registered_delivery. */
  readonly registered: number
  readonly reference: number | null
  /** Time limit from the moment of sending or acceptance. */
  readonly ttlSeconds: number | null
  /** Absolute end in milliseconds since 1970, independent of when the last part arrives. */
  readonly until: number | null
  readonly sendAt: number | null
}

export interface RefusedSubmit {
  readonly status: number
}

/**
 * Parts of a text with the 2,000 bytes that a message may have, in the longest encoding and the smallest
 * parts.
 */
export const maxParts = 32
const messageTypeBits = 0x3c
const headerInText = 0x40
/** A message with this priority and no validity gets the longest time limit of the urgent lane. */
const urgentPriority = 3
const urgentSeconds = 300
const codings = { dataCoding: { gsm7: 0, ucs2: 8, cp949: 0x0e, latin1: 3 }, defaultAlphabet: 'gsm7' } as const

/**
 * Parses a submit_sm. Violations of the protocol yield a command_status; the send checks the contract. The result
 * holds copies, because the octets belong to the read buffer.
 */
export function parseSubmit(pdu: PduOf<'submit_sm'>, now: number): SubmitRequest | RefusedSubmit {
  if ((pdu.esmClass & messageTypeBits) !== 0) return { status: statuses.ESME_RINVESMCLASS }
  if (pdu.replaceIfPresent !== 0) return { status: statuses.ESME_RREPLACEFAIL }
  const payload = readTlv(pdu.tlvs, 'messagePayload')
  if (payload !== undefined && pdu.shortMessage.length > 0) return { status: statuses.ESME_ROPTPARNOTALLWD }
  const octets = payload ?? pdu.shortMessage
  if (octets.length === 0 && pdu.defaultMessageId !== 0) return { status: statuses.ESME_RINVDFTMSGID }
  const alphabet = selectAlphabet(pdu.dataCoding, codings)
  if (alphabet === null) return { status: statuses.ESME_RINVDCS }
  const header = (pdu.esmClass & headerInText) === 0 ? { bytes: 0, place: null } : readHeader(octets)
  const segment = header.place ?? readParameters(pdu.tlvs)
  if (segment !== null && segment.parts > maxParts) return { status: statuses.ESME_RINVMSGLEN }
  const sendAt = readOptionalTime(pdu.scheduleDeliveryTime, now)
  if (Number.isNaN(sendAt)) return { status: statuses.ESME_RINVSCHED }
  const until = readOptionalTime(pdu.validityPeriod, now)
  if (until !== null && !(secondsUntil(until, sendAt ?? now) >= 1))
    return { status: statuses.ESME_RINVEXPIRY }
  return {
    sender: parseSmppSender(pdu.sourceTon, pdu.sourceNpi, pdu.source),
    recipient: parseSmppRecipient(pdu.destinationTon, pdu.destinationNpi, pdu.destination),
    body: {
      alphabet,
      octets: Buffer.from(octets.subarray(header.bytes)).toString('base64'),
      headerBytes: header.bytes,
    },
    segment,
    registered: pdu.registeredDelivery & 0x03,
    reference: readTlv(pdu.tlvs, 'userMessageReference') ?? null,
    ttlSeconds: until === null && pdu.priorityFlag === urgentPriority ? urgentSeconds : null,
    until,
    sendAt,
  }
}

/** Returns null for an empty text, and NaN if it is not a time. */
function readOptionalTime(text: string, now: number): number | null {
  return text === '' ? null : (parseSmppTime(text, now) ?? NaN)
}

function secondsUntil(until: number, from: number): number {
  return Math.ceil((until - from) / 1_000)
}

/**
 * Returns the time limit in seconds of a message that is accepted now; it counts from `sendAt` if set. A
 * value below 1 means that the validity has expired.
 */
export function computeTimeLimit(
  { until, ttlSeconds }: Pick<SubmitRequest, 'ttlSeconds' | 'until'>,
  sendAt: number | null,
  now: number,
): number | null {
  return until === null ? ttlSeconds : Math.min(secondsUntil(until, sendAt ?? now), maxTtlSeconds)
}

const byteOrderMark = '\ufeff'

/**
 * Joins parts in one alphabet before decoding them, because clients cut between the octets or units of a
 * character.
 */
export function joinText(parts: readonly TextOctets[]): string {
  let text = ''
  for (let first = 0; first < parts.length;) {
    const { alphabet, headerBytes } = parts[first]!
    let next = first + 1
    // Packed septets begin at a bit that depends on the header, so each part is decoded separately.
    while (next < parts.length && alphabet !== 'gsm7-packed' && parts[next]!.alphabet === alphabet) next++
    const octets = Buffer.concat(parts.slice(first, next).map((part) => Buffer.from(part.octets, 'base64')))
    text += decodeText(octets, alphabet, headerBytes)
    first = next
  }
  return text.startsWith(byteOrderMark) ? text.slice(1) : text
}
