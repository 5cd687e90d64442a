/**
 * The deliver_sm of a reply: who has written to which number, and the text in GSM 03.38 where that has all its characters, else in
 * UCS-2. One that is longer than a short_message is in message_payload. Pure.
 */
import { isGsm7 } from '../channels/text/gsm7.ts'
import type { NumberedReply } from '../records/replies/reply.ts'
import { encodeText } from '../smpp/alphabets.ts'
import { tlvs as known } from '../smpp/tlv.ts'
import { deliverBody, type DeliverBody } from './receipt.ts'

const maxShortMessage = 254
/** A reply has at most some thousand characters; the write buffer has room for this. */
const maxPayload = 5_000
const ucs2 = 0x08

/** Null: its content is gone, or it was sent to something that is no number. */
export function replyBody({ content }: Pick<NumberedReply, 'content'>): DeliverBody | null {
  if (content?.kind !== 'number') return null
  const inGsm7 = isGsm7(content.text)
  const octets = encodeText(content.text, inGsm7 ? 'gsm7' : 'ucs2')
  return {
    ...deliverBody(addressOf(content.from), addressOf(content.to)),
    dataCoding: inGsm7 ? 0 : ucs2,
    ...(octets.length <= maxShortMessage
      ? { shortMessage: octets }
      : { tlvs: [{ tag: known.messagePayload.tag, value: octets.subarray(0, maxPayload) }] }),
  }
}

function addressOf(number: string) {
  const isInternational = number.startsWith('+')
  const value = (isInternational ? number.slice(1) : number).slice(0, 20)
  if (!/^[\x20-\x7e]*$/.test(value)) return { ton: 0, npi: 0, value: '' }
  // Letters: a sender with a name.
  if (!/^\d+$/.test(value)) return { ton: 5, npi: 0, value }
  return isInternational ? { ton: 1, npi: 1, value } : { ton: 2, npi: 1, value }
}
