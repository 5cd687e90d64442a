/**
 * Converts a deliver_sm or data_sm that is not a receipt to the neutral Reply: sender, recipient, decoded text, and the
 * position of a part in a long text. Never throws.
 */
import { normalizeNumber, toReplyAddress, type Reply } from '../reply.ts'
import { selectAlphabet, decodeText } from '../../smpp/alphabets.ts'
import { readHeader, readParameters } from '../../smpp/concatenation.ts'
import type { SmppOptions } from './options.ts'
import type { SmppDelivery } from './pending-deliveries.ts'
import { readTlv } from '../../smpp/tlv.ts'

const headerInText = 0x40
const international = 1
const byteOrderMark = '\ufeff'

/** Returns the reader for the replies of one carrier. */
export function replyReader(
  options: Pick<SmppOptions, 'dataCoding' | 'defaultAlphabet'>,
): (delivery: SmppDelivery) => Reply {
  return (delivery) => {
    const octets = readOctets(delivery)
    const hasHeader = (delivery.esmClass & headerInText) !== 0
    const header = hasHeader ? readHeader(octets) : { bytes: 0, place: null }
    const segment = header.place ?? readParameters(delivery.tlvs)
    const alphabet = selectAlphabet(delivery.dataCoding, options)
    const text = alphabet === null ? null : decodeText(octets.subarray(header.bytes), alphabet, header.bytes)
    const to = toNumber(delivery.destinationTon, delivery.destination)
    return {
      from: toNumber(delivery.sourceTon, delivery.source),
      to: to === '' ? [] : [toReplyAddress(to)],
      text: text?.startsWith(byteOrderMark) === true ? text.slice(1) : text,
      ...(segment === null ? {} : { part: segment }),
    }
  }
}

/** Restores the plus sign, which carriers omit in international numbers. */
function toNumber(ton: number, address: string): string {
  return normalizeNumber(ton === international && /^\d/.test(address) ? `+${address}` : address)
}

function readOctets(delivery: SmppDelivery): Uint8Array {
  const short = delivery.kind === 'deliver_sm' ? delivery.shortMessage : undefined
  if (short !== undefined && short.length > 0) return short
  return readTlv(delivery.tlvs, 'messagePayload') ?? noOctets
}

const noOctets = new Uint8Array(0)
