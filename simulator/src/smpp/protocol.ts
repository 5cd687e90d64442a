/**
 * SMPP 3.4 constants for an SMSC, named as in the specification. The simulator intentionally has its own
 * codec: a codec shared with the program under test would hide mistakes.
 */

export const command = {
  bind_receiver: 0x01,
  bind_transmitter: 0x02,
  query_sm: 0x03,
  submit_sm: 0x04,
  deliver_sm: 0x05,
  unbind: 0x06,
  cancel_sm: 0x08,
  bind_transceiver: 0x09,
  enquire_link: 0x15,
  data_sm: 0x103,
} as const

/**
 * Bit that turns a request's command_id into that of its response; the bit without a command is generic_nack.
 */
export const RESPONSE = 0x80000000
export const GENERIC_NACK = 0x80000000

export const esme = {
  ROK: 0x00,
  RINVMSGLEN: 0x01,
  RINVCMDLEN: 0x02,
  RINVCMDID: 0x03,
  RINVBNDSTS: 0x04,
  RALYBND: 0x05,
  RSYSERR: 0x08,
  RINVSRCADR: 0x0a,
  RINVDSTADR: 0x0b,
  RINVMSGID: 0x0c,
  RINVPASWD: 0x0e,
  RINVSYSID: 0x0f,
  RCANCELFAIL: 0x11,
  RMSGQFUL: 0x14,
  RINVSERTYP: 0x15,
  RINVESMCLASS: 0x43,
  RTHROTTLED: 0x58,
  RINVSCHED: 0x61,
  RINVEXPIRY: 0x62,
  RQUERYFAIL: 0x67,
  ROPTPARNOTALLWD: 0xc1,
  RINVOPTPARAMVAL: 0xc4,
} as const

export const tag = {
  receipted_message_id: 0x001e,
  sar_msg_ref_num: 0x020c,
  sar_total_segments: 0x020e,
  sar_segment_seqnum: 0x020f,
  sc_interface_version: 0x0210,
  network_error_code: 0x0423,
  message_payload: 0x0424,
  message_state: 0x0427,
} as const

/** esm_class bits. The first two describe the type of a message (mask 0x3C), the last its body. */
export const esmClass = { receipt: 0x04, intermediate: 0x20, udhi: 0x40 } as const

/** Receipt states: the `stat:` value of the receipt text and the number in message_state. */
export const messageState = {
  ENROUTE: 1,
  DELIVRD: 2,
  EXPIRED: 3,
  DELETED: 4,
  UNDELIV: 5,
  UNKNOWN: 7,
  REJECTD: 8,
} as const

export type StateWord = keyof typeof messageState

export const HEADER_BYTES = 16
/** A message_payload can have 64 KiB; no legal PDU is much longer. */
export const MAX_PDU_BYTES = 70_000
