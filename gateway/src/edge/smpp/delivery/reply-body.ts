import { isGsm7 } from '../../../channels/text/gsm7.ts'
import type { NumberedReply } from '../../../records/replies/reply.ts'
import { encodeText } from '../../../carriers/smpp/alphabets.ts'
import { tlvs as known } from '../../../carriers/smpp/tlv.ts'
import { deliverBody, type DeliverBody } from './receipt.ts'

const maxShortMessage = 254
/** Maximum bytes of message_payload, for which the write buffer has room; longer replies are cut off. */
const maxPayload = 5_000
const ucs2 = 0x08

/**
 * Builds the deliver_sm of a reply. The text is in GSM 03.38 if that has all its characters, otherwise in UCS-2; a
 * text longer than short_message goes to message_payload. Returns null if the content was erased or the reply was not
 * sent to a number.
 */
export function replyBody({ content }: Pick<NumberedReply, 'content'>): DeliverBody | null {
  if (content?.kind !== 'number') return null
  const inGsm7 = isGsm7(content.text)
  const octets = encodeText(content.text, inGsm7 ? 'gsm7' : 'ucs2')
  return {
    ...deliverBody(toAddress(content.from), toAddress(content.to)),
    dataCoding: inGsm7 ? 0 : ucs2,
    ...(octets.length <= maxShortMessage
      ? { shortMessage: octets }
      : { tlvs: [{ tag: known.messagePayload.tag, value: octets.subarray(0, maxPayload) }] }),
  }
}

function toAddress(number: string) {
  const isInternational = number.startsWith('+')
  const value = (isInternational ? number.slice(1) : number).slice(0, 20)
  if (!/^[\x20-\x7e]*$/.test(value)) return { ton: 0, npi: 0, value: '' }
  // A value with letters is an alphanumeric sender.
  if (!/^\d+$/.test(value)) return { ton: 5, npi: 0, value }
  return isInternational ? { ton: 1, npi: 1, value } : { ton: 2, npi: 1, value }
}
