/**
 * Converts a deliver_sm or data_sm that is no receipt to the neutral Reply: who has written to which of our numbers, the
 * text in its alphabet, and for a part of a long text its place. Never throws.
 */
import { numberOf, toReplyAddress, type Reply } from '../reply.ts'
import { alphabetOf, decodeText } from '../../smpp/alphabets.ts'
import { readHeader, readParameters } from '../../smpp/concatenation.ts'
import type { SmppOptions } from './options.ts'
import type { Delivery } from './pending-deliveries.ts'
import { readTlv } from '../../smpp/tlv.ts'

const headerInText = 0x40
const international = 1
const byteOrderMark = '\ufeff'

/** Returns the reader for the replies of one carrier. */
export function replyReader(
  options: Pick<SmppOptions, 'dataCoding' | 'defaultAlphabet'>,
): (delivery: Delivery) => Reply {
  return (delivery) => {
    const octets = octetsOf(delivery)
    const hasHeader = (delivery.esmClass & headerInText) !== 0
    const header = hasHeader ? readHeader(octets) : { bytes: 0, place: null }
    const place = header.place ?? readParameters(delivery.tlvs)
    const alphabet = alphabetOf(delivery.dataCoding, options)
    const text = alphabet === null ? null : decodeText(octets.subarray(header.bytes), alphabet, header.bytes)
    const to = addressOf(delivery.destinationTon, delivery.destination)
    return {
      from: addressOf(delivery.sourceTon, delivery.source),
      to: to === '' ? [] : [toReplyAddress(to)],
      text: text?.startsWith(byteOrderMark) === true ? text.slice(1) : text,
      ...(place === null ? {} : { part: place }),
    }
  }
}

/** Carriers write international numbers without the plus sign. */
function addressOf(ton: number, address: string): string {
  return numberOf(ton === international && /^\d/.test(address) ? `+${address}` : address)
}

function octetsOf(delivery: Delivery): Uint8Array {
  const short = delivery.kind === 'deliver_sm' ? delivery.shortMessage : undefined
  if (short !== undefined && short.length > 0) return short
  return readTlv(delivery.tlvs, 'messagePayload') ?? noOctets
}

const noOctets = new Uint8Array(0)
