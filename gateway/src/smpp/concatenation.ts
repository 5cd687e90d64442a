/**
 * How the parts of a long text name their place: a header in front of the text (3GPP TS 23.040 §9.2.3.24), or optional
 * parameters of SMPP. Written for submissions, read from replies. Pure.
 */
import { readTlv, tlvs as known, type Tlv } from './tlv.ts'

/** `payload`: the whole text in one parameter; the message centre divides it. */
export const longMessageForms = ['udh8', 'udh16', 'sar', 'payload'] as const
export type LongMessageForm = (typeof longMessageForms)[number]

export interface Place {
  readonly reference: number
  /** From 1 to `parts`. */
  readonly part: number
  readonly parts: number
}

export const noHeader = Buffer.alloc(0)

const element8 = 0x00
const element16 = 0x08

/** With its length octet. Empty where the place is in parameters. */
export function writeHeader(how: LongMessageForm, { reference, part, parts }: Place): Buffer {
  switch (how) {
    case 'udh8':
      return Buffer.of(5, element8, 3, reference & 0xff, parts, part)
    case 'udh16':
      return Buffer.of(6, element16, 4, reference >> 8, reference & 0xff, parts, part)
    case 'sar':
    case 'payload':
      return noHeader
  }
}

export function writeParameters({ reference, part, parts }: Place): readonly Tlv[] {
  return [
    { tag: known.sarReference.tag, value: Buffer.of(reference >> 8, reference & 0xff) },
    { tag: known.sarTotal.tag, value: Buffer.of(parts) },
    { tag: known.sarPart.tag, value: Buffer.of(part) },
  ]
}

export interface PlaceInSeries extends Place {
  /** References of different sizes are different ones. */
  readonly bits: 8 | 16
}

/** The place that a header states, and its size with its length octet. */
export function readHeader(octets: Uint8Array): {
  readonly bytes: number
  readonly place: PlaceInSeries | null
} {
  const bytes = 1 + (octets[0] ?? 0)
  // If the header is longer than the text, the flag was set by mistake.
  if (octets.length === 0 || bytes > octets.length) return { bytes: 0, place: null }
  for (let at = 1; at + 2 <= bytes;) {
    const [element, length] = [octets[at]!, octets[at + 1]!]
    const value = octets.subarray(at + 2, Math.min(bytes, at + 2 + length))
    if (element === element8 && value.length === 3)
      return { bytes, place: checked(8, value[0]!, value[1]!, value[2]!) }
    if (element === element16 && value.length === 4)
      return { bytes, place: checked(16, (value[0]! << 8) | value[1]!, value[2]!, value[3]!) }
    at += 2 + length
  }
  return { bytes, place: null }
}

export function readParameters(tlvs: readonly Tlv[]): PlaceInSeries | null {
  const reference = readTlv(tlvs, 'sarReference')
  const parts = readTlv(tlvs, 'sarTotal')
  const part = readTlv(tlvs, 'sarPart')
  if (reference === undefined || parts === undefined || part === undefined) return null
  return checked(16, reference, parts, part)
}

/** A text of one part, or a place outside of its series, needs no other parts. */
function checked(bits: 8 | 16, reference: number, parts: number, part: number): PlaceInSeries | null {
  return parts > 1 && part >= 1 && part <= parts ? { bits, reference, parts, part } : null
}
