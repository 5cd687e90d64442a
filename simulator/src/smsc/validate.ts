/**
 * Validates a submission as a strict SMSC does, before any behaviour applies. Pure. Returns the command_status of the
 * refusal, or 0. Stricter than many carriers on purpose: what passes here passes everywhere.
 */
import { command, esme } from '../smpp/protocol.ts'
import type { Submission } from '../smpp/read.ts'

const TIME = /^\d{15}[R+-]$/
const AIR_OCTETS = 140

function validTime(value: string): boolean {
  return value === '' || TIME.test(value)
}

/** Octets on the air interface: the default alphabet travels packed, seven bits a character. */
function airOctets(submission: Submission, headerBytes: number): number {
  const textBytes = submission.body.length - headerBytes
  return headerBytes + (submission.dataCoding === 0 ? Math.ceil((textBytes * 7) / 8) : textBytes)
}

export function refusalOf(submission: Submission, headerBytes: number): number {
  const maxAddress = submission.commandId === command.data_sm ? 64 : 20
  if (submission.serviceType.length > 5) return esme.RINVSERTYP
  if (submission.from.digits.length > maxAddress) return esme.RINVSRCADR
  if (submission.to.digits.length > maxAddress) return esme.RINVDSTADR
  if (!/\d/.test(submission.to.digits)) return esme.RINVDSTADR
  if (!validTime(submission.schedule)) return esme.RINVSCHED
  if (!validTime(submission.validity)) return esme.RINVEXPIRY
  if (submission.hasPayload) return submission.shortLength > 0 ? esme.ROPTPARNOTALLWD : esme.ROK
  // 160 characters, or 153 behind a header: an SMSC splits message_payload, never short_message.
  return airOctets(submission, headerBytes) > AIR_OCTETS ? esme.RINVMSGLEN : esme.ROK
}
