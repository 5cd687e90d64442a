/**
 * A deliver_sm or data_sm that is a receipt, turned into the neutral Receipt. Optional parameters are believed
 * before the text; a receipt that says almost nothing still becomes a Receipt, because even its coming is
 * evidence. Never throws.
 */
import type { Receipt } from '../connector.ts'
import type { Delivery } from './inbox.ts'
import type { SmppOptions } from './options.ts'
import { readReceiptDate, readReceiptText } from './receipt-text.ts'
import type { Stat } from './state.ts'
import { meaningOf, statOfState, statOfWord } from './state.ts'
import { readTlv } from './tlv.ts'

/** esm_class bits 5 to 2 say what kind of message it is; the other bits (0x40: a header in the text) do not. */
const kindMask = 0x3c
const finalReceipt = 0x04
const intermediateNotice = 0x20
const headerInText = 0x40
const ucs2 = 0x08

export function isReceipt(pdu: Delivery): boolean {
  const kind = pdu.esmClass & kindMask
  if (kind === finalReceipt || kind === intermediateNotice) return true
  // Some carriers forget the bits. The parameter is proof enough: no handset can set it. The text alone is not:
  // anybody can write "stat:DELIVRD".
  return kind === 0 && readTlv(pdu.tlvs, 'receiptedMessageId') !== undefined
}

/** Reads receipts for one carrier. */
export function receiptReader(
  options: Pick<SmppOptions, 'errors' | 'states' | 'receiptUtcOffsetMinutes'>,
): (pdu: Delivery) => Receipt {
  const errors = new Map(Object.entries(options.errors))
  const states = new Map(Object.entries(options.states).map(([word, stat]) => [word.toUpperCase(), stat]))

  return (pdu) => {
    const text = readReceiptText(textOf(pdu))
    const state = readTlv(pdu.tlvs, 'messageState')
    const fromState = state === undefined ? undefined : statOfState(state)
    const word = fromState ?? text.stat?.toUpperCase() ?? ''
    const stat: Stat | undefined = states.get(word) ?? fromState ?? statOfWord(word)
    const err = text.err ?? networkError(pdu)
    // A notice on the way may report a failed try that the carrier will repeat: only a final receipt is final.
    const meaning = meaningOf((pdu.esmClass & kindMask) === intermediateNotice ? 'ENROUTE' : stat)
    return {
      carrierId: readTlv(pdu.tlvs, 'receiptedMessageId') ?? text.id ?? null,
      result: meaning.result,
      cause: meaning.result === 'failed' ? (errors.get(err) ?? meaning.cause) : meaning.cause,
      code: err === '' ? word : `${word}:${err}`,
      // The carrier swaps the addresses: a receipt comes from the number the message went to.
      recipient: pdu.source,
      sender: pdu.destination,
      at:
        text.doneDate === undefined ? null : readReceiptDate(text.doneDate, options.receiptUtcOffsetMinutes),
    }
  }
}

/** In the three digits that the text of a receipt would use, so that one table of errors serves both. */
function networkError(pdu: Delivery): string {
  const error = readTlv(pdu.tlvs, 'networkErrorCode')
  return error === undefined ? '' : String(error.code).padStart(3, '0')
}

function textOf(pdu: Delivery): string {
  const short = pdu.kind === 'deliver_sm' ? pdu.shortMessage : undefined
  const octets = short !== undefined && short.length > 0 ? short : readTlv(pdu.tlvs, 'messagePayload')
  if (octets === undefined || octets.length === 0) return ''
  const headerBytes = (pdu.esmClass & headerInText) === 0 ? 0 : 1 + octets[0]!
  // A header longer than the text is a flag set by mistake.
  const from = headerBytes < octets.length ? headerBytes : 0
  const text = Buffer.from(octets.buffer, octets.byteOffset + from, octets.byteLength - from)
  // Carriers announce UCS-2 and send ASCII. A receipt begins with ASCII letters, so in UCS-2 its first and third octets
  // are 0; a 0 in front alone is a stray NUL.
  const isUcs2 = pdu.dataCoding === ucs2 && text[0] === 0 && text[2] === 0
  return isUcs2 ? utf16be.decode(text) : text.toString('latin1')
}

const utf16be = new TextDecoder('utf-16be')
