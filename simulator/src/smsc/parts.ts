/**
 * Determines which part of a long message a submission is, from its user data header or sar_* parameters, and
 * where its text begins. An inconsistent header yields the command_status of the refusal.
 */
import { esme, esmClass } from '../smpp/protocol.ts'
import type { SmppSubmission } from '../smpp/read.ts'

export interface MessagePart {
  readonly ref: number
  readonly total: number
  readonly sequence: number
}

export interface Layout {
  readonly part: MessagePart | undefined
  /** User data header octets before the text. */
  readonly headerBytes: number
}

/** Header elements of a part: its reference number has 8 or 16 bits. */
const CONCATENATED_8_BIT = 0x00
const CONCATENATED_16_BIT = 0x08

const WHOLE: Layout = { part: undefined, headerBytes: 0 }

/** Returns a command_status if the submission is inconsistent. */
export function parseLayout(submission: SmppSubmission): Layout | number {
  const { esmClass: esm, sar, body } = submission
  if ((esm & esmClass.udhi) === 0) return sar === undefined ? WHOLE : fromSar(sar)
  // The part is ambiguous with both. Refused so that the mistake is visible.
  if (sar !== undefined) return esme.ROPTPARNOTALLWD
  return fromHeader(body)
}

function fromSar(sar: NonNullable<SmppSubmission['sar']>): Layout | number {
  const { ref, total, sequence } = sar
  if (ref === undefined || total === undefined || sequence === undefined) return esme.RINVOPTPARAMVAL
  if (!isPlausible(total, sequence)) return esme.RINVOPTPARAMVAL
  return { part: { ref, total, sequence }, headerBytes: 0 }
}

function fromHeader(body: Buffer): Layout | number {
  const headerBytes = (body[0] ?? 0) + 1
  if (headerBytes < 2 || headerBytes > body.length) return esme.RINVESMCLASS
  let part: MessagePart | undefined
  let at = 1
  while (at + 2 <= headerBytes) {
    const element = body[at]!
    const width = body[at + 1]!
    const start = at + 2
    at = start + width
    if (at > headerBytes) return esme.RINVESMCLASS
    if (element === CONCATENATED_8_BIT && width === 3) {
      part = { ref: body[start]!, total: body[start + 1]!, sequence: body[start + 2]! }
    } else if (element === CONCATENATED_16_BIT && width === 4) {
      part = { ref: body.readUInt16BE(start), total: body[start + 2]!, sequence: body[start + 3]! }
    }
  }
  if (at !== headerBytes) return esme.RINVESMCLASS
  if (part !== undefined && !isPlausible(part.total, part.sequence)) return esme.RINVESMCLASS
  return { part, headerBytes }
}

function isPlausible(total: number, sequence: number): boolean {
  return total >= 1 && sequence >= 1 && sequence <= total
}
