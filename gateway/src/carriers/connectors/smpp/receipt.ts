/**
 * Converts a deliver_sm or data_sm receipt to the neutral Receipt. Optional parameters take precedence over the text, except
 * for the error code. A receipt without usable fields still becomes a Receipt, because its arrival is evidence. Never throws.
 */
import type { Receipt } from '../connector.ts'
import type { SmppDelivery } from './pending-deliveries.ts'
import type { SmppOptions } from './options.ts'
import { isReceiptText, maxReceiptText, readReceiptDate, readReceiptText } from './receipt-text.ts'
import type { Stat } from './message-state.ts'
import { getStateMeaning, findStatByNumber, findStatByName } from './message-state.ts'
import { readTlv } from '../../smpp/tlv.ts'

/** Bits 5 to 2 of esm_class are the message type; other bits are flags (0x40: user data header). */
const kindMask = 0x3c
const finalReceipt = 0x04
const intermediateNotice = 0x20
const headerInText = 0x40
const ucs2 = 0x08

/** Some carriers mark a receipt neither in esm_class nor by a parameter; its text must then match the receipt format exactly. */
export function isReceipt(pdu: SmppDelivery): boolean {
  return isMarked(pdu) || ((pdu.esmClass & kindMask) === 0 && isReceiptText(readText(pdu)))
}

/** Returns whether the carrier marks the PDU as a receipt, in a way that no handset can. */
function isMarked(pdu: SmppDelivery): boolean {
  const kind = pdu.esmClass & kindMask
  if (kind === finalReceipt || kind === intermediateNotice) return true
  return kind === 0 && readTlv(pdu.tlvs, 'receiptedMessageId') !== undefined
}

/** Returns the reader for the receipts of one carrier. */
export function receiptReader(
  options: Pick<SmppOptions, 'errors' | 'states' | 'receiptUtcOffsetMinutes'>,
): (pdu: SmppDelivery) => Receipt {
  const errors = new Map(Object.entries(options.errors))
  const states = new Map(Object.entries(options.states).map(([name, stat]) => [name.toUpperCase(), stat]))

  return (pdu) => {
    const text = readReceiptText(readText(pdu))
    const state = readTlv(pdu.tlvs, 'messageState')
    const fromState = state === undefined ? undefined : findStatByNumber(state)
    const name = fromState ?? text.stat?.toUpperCase() ?? ''
    const stat: Stat | undefined = states.get(name) ?? fromState ?? findStatByName(name)
    const err = text.err ?? networkError(pdu)
    // An intermediate notice can report a failed attempt that the carrier repeats, so it never ends a message.
    const meaning = getStateMeaning((pdu.esmClass & kindMask) === intermediateNotice ? 'ENROUTE' : stat)
    return {
      ...(isMarked(pdu) ? {} : { recipientMustMatch: true }),
      carrierId: readTlv(pdu.tlvs, 'receiptedMessageId') ?? text.id ?? null,
      result: meaning.result,
      cause: meaning.result === 'failed' ? (errors.get(err) ?? meaning.cause) : meaning.cause,
      code: err === '' ? name : `${name}:${err}`,
      // The addresses are swapped: the source of a receipt is the number that the message was sent to.
      recipient: pdu.source,
      sender: pdu.destination,
      at:
        text.doneDate === undefined ? null : readReceiptDate(text.doneDate, options.receiptUtcOffsetMinutes),
    }
  }
}

/** Formats the code with three digits as in the text of a receipt, so that one table of errors serves both. */
function networkError(pdu: SmppDelivery): string {
  const error = readTlv(pdu.tlvs, 'networkErrorCode')
  return error === undefined ? '' : String(error.code).padStart(3, '0')
}

function readText(pdu: SmppDelivery): string {
  const short = pdu.kind === 'deliver_sm' ? pdu.shortMessage : undefined
  const octets = short !== undefined && short.length > 0 ? short : readTlv(pdu.tlvs, 'messagePayload')
  if (octets === undefined || octets.length === 0) return ''
  const headerBytes = (pdu.esmClass & headerInText) === 0 ? 0 : 1 + octets[0]!
  // If the header is longer than the text, the flag was set by mistake.
  const from = headerBytes < octets.length ? headerBytes : 0
  // Two octets for each character that is read, and one extra character, which shows that the text is longer.
  const bytes = Math.min(octets.byteLength - from, 2 * (maxReceiptText + 1))
  const text = Buffer.from(octets.buffer, octets.byteOffset + from, bytes)
  // Some carriers announce UCS-2 and send ASCII. A receipt begins with ASCII letters, so in UCS-2 its first and third octets
  // are 0; a single leading 0 is a stray NUL.
  const isUcs2 = pdu.dataCoding === ucs2 && text[0] === 0 && text[2] === 0
  return isUcs2 ? utf16be.decode(text) : text.toString('latin1')
}

const utf16be = new TextDecoder('utf-16be')
