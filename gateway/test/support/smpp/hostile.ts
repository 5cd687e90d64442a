/** PDUs with a valid length and a header that can be read, which no correct carrier sends. */
import { deliverBody } from './fixtures.ts'
import { pduOctets } from './peer.ts'

export interface HostilePdu {
  readonly octets: Buffer
  /** Kind and command_status of the expected response; null if there must be none. */
  readonly response: readonly [kind: string, commandStatus: number] | null
}

const delivery = (text = 'hello', esmClass = 0) => deliverBody({ esmClass }, text)

/** Builds hostile PDUs by name. They use `sequence`, which the session must not have used for a request. */
export function hostilePdus(sequence: number): Readonly<Record<string, HostilePdu>> {
  const deliver = pduOctets('deliver_sm', 0, sequence, delivery())
  const parameter = { tag: 0x1400, value: Buffer.alloc(8) }
  const withTlv = pduOctets('deliver_sm', 0, sequence, { ...delivery(), tlvs: [parameter] })
  const emptyTlvs = [0x001e, 0x0427, 0x0423, 0x0424, 0x020e].map((tag) => ({ tag, value: Buffer.alloc(0) }))
  const accepted = ['deliver_sm_resp', 0] as const
  const refused = ['deliver_sm_resp', 0x65] as const
  const unsupported = ['generic_nack', 0x03] as const
  return {
    'a parameter longer than its PDU': { octets: resized(withTlv, withTlv.length - 3), response: accepted },
    'half a parameter header': { octets: resized(withTlv, withTlv.length - 10), response: accepted },
    'parameters of length 0': {
      octets: pduOctets('deliver_sm', 0, sequence, { ...delivery(''), tlvs: emptyTlvs }),
      response: accepted,
    },
    'a text longer than its PDU': { octets: resized(deliver, deliver.length - 2), response: refused },
    'an address without an end': { octets: resized(deliver, 24), response: refused },
    'a delivery without a body': { octets: resized(deliver, 16), response: refused },
    'a data_sm without a body': {
      octets: withCommand(resized(deliver, 16), 0x103),
      response: ['data_sm_resp', 0x65],
    },
    'an unassigned data_coding': {
      octets: pduOctets('deliver_sm', 0, sequence, deliverBody({ esmClass: 0, dataCoding: 0xff }, '\xff')),
      response: accepted,
    },
    'a user data header longer than the text': {
      octets: pduOctets('deliver_sm', 0, sequence, delivery('\xff', 0x40)),
      response: accepted,
    },
    'an unknown request': { octets: withCommand(deliver, 0x777), response: unsupported },
    'a request of clients without a body': {
      octets: withCommand(resized(deliver, 16), 0x04),
      response: ['generic_nack', 0x02],
    },
    'an unknown response': { octets: withCommand(deliver, 0x80000777), response: null },
    'an id without an end, for an unknown submission': {
      octets: withCommand(resized(deliver, 20), 0x80000004),
      response: null,
    },
    'a generic_nack for an unknown submission': {
      octets: pduOctets('generic_nack', 0x03, sequence, {}),
      response: null,
    },
    'a second bind response': {
      octets: pduOctets('bind_transceiver_resp', 0x0d, sequence, { systemId: '' }),
      response: null,
    },
    'an enquire_link with a body': {
      octets: withCommand(deliver, 0x15),
      response: ['enquire_link_resp', 0],
    },
  }
}

function resized(pdu: Buffer, length: number): Buffer {
  const copy = Buffer.from(pdu.subarray(0, length))
  copy.writeUInt32BE(length)
  return copy
}

function withCommand(pdu: Buffer, commandId: number): Buffer {
  const copy = Buffer.from(pdu)
  copy.writeUInt32BE(commandId, 4)
  return copy
}
