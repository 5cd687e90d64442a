/**
 * Validates a submission before any behaviour applies. Returns the command_status of the refusal, or 0.
 * Intentionally stricter than many carriers, so that valid submissions pass everywhere.
 */
import { command, esme } from '../smpp/protocol.ts'
import type { SmppSubmission } from '../smpp/read.ts'

const TIME = /^\d{15}[R+-]$/
const AIR_OCTETS = 140

function isValidTime(value: string): boolean {
  return value === '' || TIME.test(value)
}

/** Counts octets on the air interface: the default alphabet is packed, seven bits per character. */
function airOctets(submission: SmppSubmission, headerBytes: number): number {
  const textBytes = submission.body.length - headerBytes
  return headerBytes + (submission.dataCoding === 0 ? Math.ceil((textBytes * 7) / 8) : textBytes)
}

export function checkSubmission(submission: SmppSubmission, headerBytes: number): number {
  const maxAddress = submission.commandId === command.data_sm ? 64 : 20
  if (submission.serviceType.length > 5) return esme.RINVSERTYP
  if (submission.from.digits.length > maxAddress) return esme.RINVSRCADR
  if (submission.to.digits.length > maxAddress) return esme.RINVDSTADR
  if (!/\d/.test(submission.to.digits)) return esme.RINVDSTADR
  if (!isValidTime(submission.schedule)) return esme.RINVSCHED
  if (!isValidTime(submission.validity)) return esme.RINVEXPIRY
  if (submission.hasPayload) return submission.shortLength > 0 ? esme.ROPTPARNOTALLWD : esme.ROK
  // 160 characters, or 153 after a header: an SMSC splits message_payload, never short_message.
  return airOctets(submission, headerBytes) > AIR_OCTETS ? esme.RINVMSGLEN : esme.ROK
}
