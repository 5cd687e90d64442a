/**
 * The position of a part in a long text: a header before the text (3GPP TS 23.040 §9.2.3.24), or SMPP optional parameters.
 * Written for submissions, read from replies.
 */
import { readTlv, tlvs as known, type Tlv } from './tlv.ts'

/** `payload`: the whole text in one parameter, which the message centre splits. */
export const longMessageForms = ['udh8', 'udh16', 'sar', 'payload'] as const
export type LongMessageForm = (typeof longMessageForms)[number]

export interface SegmentInfo {
  readonly reference: number
  /** 1 to `parts`. */
  readonly part: number
  readonly parts: number
}

export const noHeader = Buffer.alloc(0)

const element8 = 0x00
const element16 = 0x08

/** Returns the header with its length octet, or an empty buffer if the form uses no header. */
export function writeHeader(how: LongMessageForm, { reference, part, parts }: SegmentInfo): Buffer {
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

export function writeParameters({ reference, part, parts }: SegmentInfo): readonly Tlv[] {
  return [
    { tag: known.sarReference.tag, value: Buffer.of(reference >> 8, reference & 0xff) },
    { tag: known.sarTotal.tag, value: Buffer.of(parts) },
    { tag: known.sarPart.tag, value: Buffer.of(part) },
  ]
}

export interface ConcatenatedSegment extends SegmentInfo {
  /** Size of the reference; references of different sizes are distinct. */
  readonly bits: 8 | 16
}

/** Returns the position that a header states, and the size of the header including its length octet. */
export function readHeader(octets: Uint8Array): {
  readonly bytes: number
  readonly place: ConcatenatedSegment | null
} {
  const bytes = 1 + (octets[0] ?? 0)
  // If the header is longer than the text, the flag was set by mistake.
  if (octets.length === 0 || bytes > octets.length) return { bytes: 0, place: null }
  for (let at = 1; at + 2 <= bytes;) {
    const [element, length] = [octets[at]!, octets[at + 1]!]
    const value = octets.subarray(at + 2, Math.min(bytes, at + 2 + length))
    if (element === element8 && value.length === 3)
      return { bytes, place: checkPlace(8, value[0]!, value[1]!, value[2]!) }
    if (element === element16 && value.length === 4)
      return { bytes, place: checkPlace(16, (value[0]! << 8) | value[1]!, value[2]!, value[3]!) }
    at += 2 + length
  }
  return { bytes, place: null }
}

export function readParameters(tlvs: readonly Tlv[]): ConcatenatedSegment | null {
  const reference = readTlv(tlvs, 'sarReference')
  const parts = readTlv(tlvs, 'sarTotal')
  const part = readTlv(tlvs, 'sarPart')
  if (reference === undefined || parts === undefined || part === undefined) return null
  return checkPlace(16, reference, parts, part)
}

/** Returns null for a text of one part and for an invalid position: neither waits for other parts. */
function checkPlace(
  bits: 8 | 16,
  reference: number,
  parts: number,
  part: number,
): ConcatenatedSegment | null {
  return parts > 1 && part >= 1 && part <= parts ? { bits, reference, parts, part } : null
}
