/**
 * Reads a submit_sm: who sends what to whom, as a part of which longer text, and what the client asks for. What the protocol
 * itself forbids is a command_status; what the contract forbids is found by the send. Copies what it needs, because the octets
 * belong to the read buffer. Pure.
 */
import { maxTtlSeconds } from '../channels/ttl.ts'
import type { Alphabet } from '../smpp/alphabets.ts'
import { alphabetOf, decodeText } from '../smpp/alphabets.ts'
import { readHeader, readParameters, type PlaceInSeries } from '../smpp/concatenation.ts'
import type { PduOf } from '../smpp/pdu.ts'
import { statuses } from '../smpp/status.ts'
import { readTlv } from '../smpp/tlv.ts'
import { readRecipient, readSender, type ReadAddress } from './addresses.ts'
import { readTime } from './times.ts'

export interface TextOctets {
  readonly alphabet: Alphabet
  /** In base64: it is stored as JSON while the other parts are awaited. */
  readonly octets: string
  readonly headerBytes: number
}

export interface SubmitRequest {
  readonly sender: ReadAddress
  readonly recipient: ReadAddress
  readonly body: TextOctets
  readonly place: PlaceInSeries | null
  /** Bits 0 and 1 of registered_delivery. */
  readonly registered: number
  readonly reference: number | null
  /** A time limit from the moment it is sent or accepted. */
  readonly ttlSeconds: number | null
  /** When it ends, in milliseconds since 1970, whenever its last part comes. */
  readonly until: number | null
  readonly sendAt: number | null
}

export interface RefusedSubmit {
  readonly status: number
}

/** Of a text with the 2,000 bytes that a message may have, in the longest encoding and the smallest parts. */
export const maxParts = 32
const messageTypeBits = 0x3c
const headerInText = 0x40
/** One with this priority and no validity is urgent: it gets the longest time limit of the urgent lane. */
const urgentPriority = 3
const urgentSeconds = 300
const codings = { dataCoding: { gsm7: 0, ucs2: 8, cp949: 0x0e, latin1: 3 }, defaultAlphabet: 'gsm7' } as const

export function readSubmit(pdu: PduOf<'submit_sm'>, now: number): SubmitRequest | RefusedSubmit {
  if ((pdu.esmClass & messageTypeBits) !== 0) return { status: statuses.ESME_RINVESMCLASS }
  if (pdu.replaceIfPresent !== 0) return { status: statuses.ESME_RREPLACEFAIL }
  const payload = readTlv(pdu.tlvs, 'messagePayload')
  if (payload !== undefined && pdu.shortMessage.length > 0) return { status: statuses.ESME_ROPTPARNOTALLWD }
  const octets = payload ?? pdu.shortMessage
  if (octets.length === 0 && pdu.defaultMessageId !== 0) return { status: statuses.ESME_RINVDFTMSGID }
  const alphabet = alphabetOf(pdu.dataCoding, codings)
  if (alphabet === null) return { status: statuses.ESME_RINVDCS }
  const header = (pdu.esmClass & headerInText) === 0 ? { bytes: 0, place: null } : readHeader(octets)
  const place = header.place ?? readParameters(pdu.tlvs)
  if (place !== null && place.parts > maxParts) return { status: statuses.ESME_RINVMSGLEN }
  const sendAt = readGiven(pdu.scheduleDeliveryTime, now)
  if (Number.isNaN(sendAt)) return { status: statuses.ESME_RINVSCHED }
  const until = readGiven(pdu.validityPeriod, now)
  if (until !== null && !(secondsUntil(until, sendAt ?? now) >= 1))
    return { status: statuses.ESME_RINVEXPIRY }
  return {
    sender: readSender(pdu.sourceTon, pdu.sourceNpi, pdu.source),
    recipient: readRecipient(pdu.destinationTon, pdu.destinationNpi, pdu.destination),
    body: {
      alphabet,
      octets: Buffer.from(octets.subarray(header.bytes)).toString('base64'),
      headerBytes: header.bytes,
    },
    place,
    registered: pdu.registeredDelivery & 0x03,
    reference: readTlv(pdu.tlvs, 'userMessageReference') ?? null,
    ttlSeconds: until === null && pdu.priorityFlag === urgentPriority ? urgentSeconds : null,
    until,
    sendAt,
  }
}

/** Null: none is given. NaN: it is no time. */
function readGiven(text: string, now: number): number | null {
  return text === '' ? null : (readTime(text, now) ?? NaN)
}

function secondsUntil(until: number, from: number): number {
  return Math.ceil((until - from) / 1_000)
}

/**
 * The time limit of a message that is accepted now: the deadline counts from `sendAt`, where it has one. Below 1: its validity has
 * ended.
 */
export function timeLimitOf(
  { until, ttlSeconds }: Pick<SubmitRequest, 'ttlSeconds' | 'until'>,
  sendAt: number | null,
  now: number,
): number | null {
  return until === null ? ttlSeconds : Math.min(secondsUntil(until, sendAt ?? now), maxTtlSeconds)
}

const byteOrderMark = '\ufeff'

/** Parts in one alphabet are joined before they are decoded: clients cut between the two octets or units of a character. */
export function joinText(parts: readonly TextOctets[]): string {
  let text = ''
  for (let first = 0; first < parts.length;) {
    const { alphabet, headerBytes } = parts[first]!
    let next = first + 1
    // Packed septets begin at a bit that depends on the header: each part is decoded by itself.
    while (next < parts.length && alphabet !== 'gsm7-packed' && parts[next]!.alphabet === alphabet) next++
    const octets = Buffer.concat(parts.slice(first, next).map((part) => Buffer.from(part.octets, 'base64')))
    text += decodeText(octets, alphabet, headerBytes)
    first = next
  }
  return text.startsWith(byteOrderMark) ? text.slice(1) : text
}
