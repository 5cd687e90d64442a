/**
 * Unusual PDUs, written by node-smpp, and PDUs that are corrupted here. Their command_length and header are valid,
 * except in `misframedPdus`.
 */
import smpp from 'smpp'

export interface HostilePdu {
  readonly octets: Buffer
  /** Kind and command_status of the expected response; null if there must be none. */
  readonly response: readonly [kind: string, commandStatus: number] | null
  /** Expected id of the receipt; unset if the PDU is not a receipt. */
  readonly receipt?: string
}

/** The id of every receipt below. */
export const receiptId = 'a-1'
const receiptText = `id:${receiptId} sub:001 dlvrd:001 submit date:2611151404 done date:2611151405 stat:DELIVRD err:000 text:`
const receiptedMessageId = 0x001e
const messagePayload = 0x0424
const unassigned = 0x1400

/** Builds hostile PDUs by name. They use `sequence`, which the session must not have used for a request. */
export function hostilePdus(sequence: number): Readonly<Record<string, HostilePdu>> {
  const write = (command: string, fields: object = {}): Buffer =>
    new smpp.PDU(command, { sequence_number: sequence, ...fields }).toBuffer()
  const deliver = (text: string, fields: object = {}): Buffer =>
    write('deliver_sm', {
      source_addr: '821012345678',
      destination_addr: '0215880000',
      data_coding: 0,
      short_message: Buffer.from(text, 'latin1'),
      ...fields,
    })
  const helloText = 'hello'
  const hello = deliver(helloText)
  /** Position of sm_length, which precedes the text. */
  const textLengthAt = hello.length - helloText.length - 1
  const unmarked = deliver(receiptText)
  const marked = { esm_class: 0x04 }
  const withTlv = withParameter(hello, unassigned, Buffer.alloc(8))
  const id = Buffer.from(`${receiptId}\0`)
  const accepted = ['deliver_sm_resp', 0] as const
  const receipt = { response: accepted, receipt: receiptId }
  const refused = ['deliver_sm_resp', 0x65] as const
  const unsupported = ['generic_nack', 0x03] as const
  return {
    'a parameter longer than its PDU': { octets: resized(withTlv, withTlv.length - 3), response: accepted },
    'half a parameter header': { octets: resized(withTlv, withTlv.length - 10), response: accepted },
    'parameters of length 0': {
      octets: [receiptedMessageId, 0x0427, 0x0423, messagePayload, 0x020e].reduce(
        (pdu, tag) => withParameter(pdu, tag, Buffer.alloc(0)),
        deliver(''),
      ),
      response: accepted,
    },
    'an unknown parameter': { octets: withTlv, response: accepted },
    'a receipt whose id parameter is longer than its PDU': {
      octets: resized(withParameter(unmarked, receiptedMessageId, id), unmarked.length + 5),
      ...receipt,
    },
    'a receipt with two id parameters': {
      octets: withParameter(
        withParameter(unmarked, receiptedMessageId, id),
        receiptedMessageId,
        Buffer.from('b'),
      ),
      ...receipt,
    },
    'a receipt that only its text shows': { octets: unmarked, ...receipt },
    'a receipt with a NUL before its text': { octets: deliver(`\0${receiptText}`, marked), ...receipt },
    'a receipt with a NUL before its text, which alone shows it': {
      octets: deliver(`\0${receiptText}`),
      ...receipt,
    },
    'a receipt whose text is in a parameter': {
      octets: withParameter(deliver(''), messagePayload, Buffer.from(receiptText)),
      ...receipt,
    },
    'a receipt that announces UCS-2 and is ASCII': {
      octets: deliver(receiptText, { ...marked, data_coding: 8 }),
      ...receipt,
    },
    'a text longer than its PDU': { octets: resized(hello, hello.length - 2), response: refused },
    'a text length of 255': { octets: patched(hello, textLengthAt, 255), response: refused },
    'a text longer than its length': { octets: patched(hello, textLengthAt, 1), response: accepted },
    'an address without an end': { octets: resized(hello, 24), response: refused },
    'a delivery without a body': { octets: resized(hello, 16), response: refused },
    'a data_sm without a body': {
      octets: withCommand(resized(hello, 16), 0x103),
      response: ['data_sm_resp', 0x65],
    },
    'an unassigned data_coding': { octets: deliver('\xff', { data_coding: 0xff }), response: accepted },
    'a user data header longer than the text': {
      octets: deliver('\xff', { esm_class: 0x40 }),
      response: accepted,
    },
    'an unknown request': { octets: withCommand(hello, 0x777), response: unsupported },
    'a request of clients without a body': {
      octets: withCommand(resized(hello, 16), 0x04),
      response: ['generic_nack', 0x02],
    },
    'an unknown response': { octets: withCommand(hello, 0x80000777), response: null },
    'an id without an end, for an unknown submission': {
      octets: withCommand(resized(hello, 20), 0x80000004),
      response: null,
    },
    'a generic_nack for an unknown submission': {
      octets: write('generic_nack', { command_status: 0x03 }),
      response: null,
    },
    'a second bind response': {
      octets: write('bind_transceiver_resp', { command_status: 0x0d }),
      response: null,
    },
    'an enquire_link with a body': { octets: withCommand(hello, 0x15), response: ['enquire_link_resp', 0] },
  }
}

/** PDUs whose command_length is wrong but allowed, so that the PDU after them cannot be found. */
export function misframedPdus(): Readonly<Record<string, Buffer>> {
  const hello = new smpp.PDU('deliver_sm', {
    sequence_number: 1,
    short_message: Buffer.from('hello'),
  }).toBuffer()
  const announcing = (length: number): Buffer => {
    const copy = Buffer.from(hello)
    copy.writeUInt32BE(length)
    return copy
  }
  return {
    'a command_length that is too short': announcing(hello.length - 4),
    'a command_length that is too long': announcing(hello.length + 5),
  }
}

function withParameter(pdu: Buffer, tag: number, value: Buffer): Buffer {
  const head = Buffer.alloc(4)
  head.writeUInt16BE(tag)
  head.writeUInt16BE(value.length, 2)
  return resized(Buffer.concat([pdu, head, value]), pdu.length + 4 + value.length)
}

function resized(pdu: Buffer, length: number): Buffer {
  const copy = Buffer.from(pdu.subarray(0, length))
  copy.writeUInt32BE(length)
  return copy
}

function patched(pdu: Buffer, offset: number, octet: number): Buffer {
  const copy = Buffer.from(pdu)
  copy[offset] = octet
  return copy
}

function withCommand(pdu: Buffer, commandId: number): Buffer {
  const copy = Buffer.from(pdu)
  copy.writeUInt32BE(commandId, 4)
  return copy
}
