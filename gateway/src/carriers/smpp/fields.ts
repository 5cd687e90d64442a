/**
 * The layout of every SMPP 3.4 PDU that the connector and the server for clients support: command id and mandatory fields in
 * wire order. The codec reads these tables and the PDU types are derived from them, so encoder and decoder cannot disagree.
 *
 * `max` is the maximum size on the wire in octets, including the NUL of a string. It applies to PDUs that we send. Received
 * PDUs are only limited in their total size, because carriers exceed these limits; readers limit the values that they use.
 */
export interface Field {
  readonly name: string
  /** `octets`: one length octet, followed by that many octets. */
  readonly kind: 'u8' | 'cstring' | 'octets'
  readonly max: number
}

export interface PduLayout {
  readonly id: number
  readonly fields: readonly Field[]
}

const u8 = <Name extends string>(name: Name) => ({ name, kind: 'u8', max: 1 }) as const
const cstring = <Name extends string>(name: Name, max: number) => ({ name, kind: 'cstring', max }) as const
const octets = <Name extends string>(name: Name, max: number) => ({ name, kind: 'octets', max }) as const

const empty = [] as const

const bind = [
  cstring('systemId', 16),
  // The specification says 9, but some carriers assign longer passwords.
  cstring('password', 65),
  cstring('systemType', 13),
  u8('interfaceVersion'),
  u8('addrTon'),
  u8('addrNpi'),
  cstring('addressRange', 41),
] as const

const bindResponse = [cstring('systemId', 16)] as const

const addresses = [
  cstring('serviceType', 6),
  u8('sourceTon'),
  u8('sourceNpi'),
  cstring('source', 21),
  u8('destinationTon'),
  u8('destinationNpi'),
  cstring('destination', 21),
  u8('esmClass'),
] as const

const shortMessage = [
  ...addresses,
  u8('protocolId'),
  u8('priorityFlag'),
  cstring('scheduleDeliveryTime', 17),
  cstring('validityPeriod', 17),
  u8('registeredDelivery'),
  u8('replaceIfPresent'),
  u8('dataCoding'),
  u8('defaultMessageId'),
  octets('shortMessage', 255),
] as const

const dataMessage = [...addresses, u8('registeredDelivery'), u8('dataCoding')] as const

const messageId = [cstring('messageId', 65)] as const

const query = [...messageId, u8('sourceTon'), u8('sourceNpi'), cstring('source', 21)] as const

const queryResponse = [...messageId, cstring('finalDate', 17), u8('messageState'), u8('errorCode')] as const

const cancel = [
  cstring('serviceType', 6),
  ...query,
  u8('destinationTon'),
  u8('destinationNpi'),
  cstring('destination', 21),
] as const

const alert = [
  u8('sourceTon'),
  u8('sourceNpi'),
  cstring('source', 65),
  u8('esmeTon'),
  u8('esmeNpi'),
  cstring('esme', 65),
] as const

export const layouts = {
  generic_nack: { id: 0x80000000, fields: empty },
  bind_receiver: { id: 0x00000001, fields: bind },
  bind_receiver_resp: { id: 0x80000001, fields: bindResponse },
  bind_transmitter: { id: 0x00000002, fields: bind },
  bind_transmitter_resp: { id: 0x80000002, fields: bindResponse },
  query_sm: { id: 0x00000003, fields: query },
  query_sm_resp: { id: 0x80000003, fields: queryResponse },
  submit_sm: { id: 0x00000004, fields: shortMessage },
  submit_sm_resp: { id: 0x80000004, fields: messageId },
  deliver_sm: { id: 0x00000005, fields: shortMessage },
  deliver_sm_resp: { id: 0x80000005, fields: messageId },
  unbind: { id: 0x00000006, fields: empty },
  unbind_resp: { id: 0x80000006, fields: empty },
  cancel_sm: { id: 0x00000008, fields: cancel },
  cancel_sm_resp: { id: 0x80000008, fields: empty },
  bind_transceiver: { id: 0x00000009, fields: bind },
  bind_transceiver_resp: { id: 0x80000009, fields: bindResponse },
  enquire_link: { id: 0x00000015, fields: empty },
  enquire_link_resp: { id: 0x80000015, fields: empty },
  alert_notification: { id: 0x00000102, fields: alert },
  data_sm: { id: 0x00000103, fields: dataMessage },
  data_sm_resp: { id: 0x80000103, fields: messageId },
} as const satisfies Record<string, PduLayout>
