/**
 * Finds which part of a long message a submission is, from its user data header or its sar_* parameters, and where
 * its text begins. Pure. An inconsistent header gives the command_status of the refusal.
 */
import { esme, esmClass } from '../smpp/protocol.ts'
import type { Submission } from '../smpp/read.ts'

export interface Part {
  readonly ref: number
  readonly total: number
  readonly sequence: number
}

export interface Layout {
  readonly part: Part | undefined
  /** Octets of user data header before the text. */
  readonly headerBytes: number
}

const WHOLE: Layout = { part: undefined, headerBytes: 0 }

/** Returns a command_status instead when the submission contradicts itself. */
export function layoutOf(submission: Submission): Layout | number {
  const { esmClass: esm, sar, body } = submission
  if ((esm & esmClass.udhi) === 0) return sar === undefined ? WHOLE : fromSar(sar)
  // With both, the handset would have to guess: refused, so that the mistake is visible here.
  if (sar !== undefined) return esme.ROPTPARNOTALLWD
  return fromHeader(body)
}

function fromSar(sar: NonNullable<Submission['sar']>): Layout | number {
  const { ref, total, sequence } = sar
  if (ref === undefined || total === undefined || sequence === undefined) return esme.RINVOPTPARAMVAL
  if (!plausible(total, sequence)) return esme.RINVOPTPARAMVAL
  return { part: { ref, total, sequence }, headerBytes: 0 }
}

function fromHeader(body: Buffer): Layout | number {
  const headerBytes = (body[0] ?? 0) + 1
  if (headerBytes < 2 || headerBytes > body.length) return esme.RINVESMCLASS
  let part: Part | undefined
  let at = 1
  while (at + 2 <= headerBytes) {
    const element = body[at]!
    const width = body[at + 1]!
    const start = at + 2
    at = start + width
    if (at > headerBytes) return esme.RINVESMCLASS
    if (element === 0x00 && width === 3) {
      part = { ref: body[start]!, total: body[start + 1]!, sequence: body[start + 2]! }
    } else if (element === 0x08 && width === 4) {
      part = { ref: body.readUInt16BE(start), total: body[start + 2]!, sequence: body[start + 3]! }
    }
  }
  if (at !== headerBytes) return esme.RINVESMCLASS
  if (part !== undefined && !plausible(part.total, part.sequence)) return esme.RINVESMCLASS
  return { part, headerBytes }
}

function plausible(total: number, sequence: number): boolean {
  return total >= 1 && sequence >= 1 && sequence <= total
}
