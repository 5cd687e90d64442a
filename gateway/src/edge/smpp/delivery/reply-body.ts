import { isGsm7 } from '../../../channels/text/gsm7.ts'
import type { NumberedReply } from '../../../records/replies/reply.ts'
import { encodeText } from '../../../carriers/smpp/alphabets.ts'
import { tlvs as knownTlvs } from '../../../carriers/smpp/tlv.ts'
import { deliverBody, type DeliverBody } from './receipt.ts'

const maxShortMessage = 254
/** Maximum bytes of message_payload, for which the write buffer has room; longer replies are cut off. */
const maxPayload = 5_000
const ucs2 = 0x08
/** An address field has 21 octets, of which the last is the final zero. */
const maxAddress = 20
/** Type of number and numbering plan of an address. */
const forms = {
  unknown: { ton: 0, npi: 0 },
  international: { ton: 1, npi: 1 },
  national: { ton: 2, npi: 1 },
  alphanumeric: { ton: 5, npi: 0 },
} as const

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
      : { tlvs: [{ tag: knownTlvs.messagePayload.tag, value: octets.subarray(0, maxPayload) }] }),
  }
}

function toAddress(number: string) {
  const isInternational = number.startsWith('+')
  const value = (isInternational ? number.slice(1) : number).slice(0, maxAddress)
  // An address is ASCII; a changed one could be that of another sender.
  if (!/^[\x20-\x7e]*$/.test(value)) return { ...forms.unknown, value: '' }
  // Anything but digits is sent as alphanumeric.
  if (!/^\d+$/.test(value)) return { ...forms.alphanumeric, value }
  return { ...(isInternational ? forms.international : forms.national), value }
}
