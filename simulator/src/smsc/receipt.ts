/**
 * Delivery receipts and their encoding: the text of SMPP 3.4 appendix B, the TLVs, or both, as deliver_sm or
 * data_sm, with the addresses of the message swapped. Encoded when sent, so that a pending receipt needs
 * little memory.
 */
import { command, esmClass, messageState, tag } from '../smpp/protocol.ts'
import type { Address } from '../smpp/read.ts'
import type { PduWriter } from '../smpp/write.ts'
import type { ReceiptPlan } from './behaviours.ts'

/** Data of an accepted message that its receipts need. */
export interface AcceptedMessage {
  readonly systemId: string
  readonly receiptId: string
  readonly from: Address
  readonly to: Address
  /** First characters of the text as sent; empty unless each octet is one character. */
  readonly excerpt: string
  readonly acceptedAt: number
}

export interface Receipt {
  readonly message: AcceptedMessage
  readonly plan: ReceiptPlan
  /** Called once, when a client has answered the receipt with status 0. */
  onAnswered: (() => void) | undefined
  sends: number
  sentAt: number
}

export function createReceipt(message: AcceptedMessage, plan: ReceiptPlan): Receipt {
  return { message, plan, onAnswered: undefined, sends: 0, sentAt: 0 }
}

let lastMinute = -1
let lastStamp = ''

/** Formats a time as YYMMDDhhmm in UTC. Cached, because most calls are for the current minute. */
function stamp(at: number): string {
  const minute = Math.floor(at / 60_000)
  if (minute !== lastMinute) {
    lastMinute = minute
    lastStamp = new Date(at).toISOString().replace(/\D/g, '').slice(2, 12)
  }
  return lastStamp
}

function receiptText({ message, plan }: Receipt, now: number): string {
  const dlvrd = plan.state === 'DELIVRD' ? '001' : '000'
  return (
    `id:${message.receiptId} sub:001 dlvrd:${dlvrd} submit date:${stamp(message.acceptedAt)} ` +
    `done date:${stamp(now)} stat:${plan.state} err:${plan.error} text:${message.excerpt}`
  )
}

function writeAddress(writer: PduWriter, address: Address): void {
  writer.uint8(address.ton)
  writer.uint8(address.npi)
  writer.cstring(address.digits)
}

function writeTlvs(writer: PduWriter, { message, plan }: Receipt): void {
  writer.uint16(tag.receipted_message_id)
  writer.uint16(message.receiptId.length + 1)
  writer.cstring(message.receiptId)
  writer.tlvByte(tag.message_state, messageState[plan.state])
  if (plan.error === '000') return
  writer.uint16(tag.network_error_code)
  writer.uint16(3)
  writer.uint8(3) // network type GSM
  writer.uint16(Number(plan.error))
}

export function writeReceipt(writer: PduWriter, receipt: Receipt, sequence: number, now: number): void {
  const { message, plan } = receipt
  const asData = plan.via === 'data_sm'
  const text = plan.form === 'TLVs' ? '' : receiptText(receipt, now)
  writer.begin(asData ? command.data_sm : command.deliver_sm, 0, sequence)
  writer.cstring('') // service_type
  writeAddress(writer, message.to)
  writeAddress(writer, message.from)
  writer.uint8(plan.state === 'ENROUTE' ? esmClass.intermediate : esmClass.receipt)
  if (asData) {
    writer.uint8(0) // registered_delivery
    writer.uint8(0) // data_coding
    writer.uint16(tag.message_payload)
    writer.uint16(text.length)
  } else {
    writer.uint16(0) // protocol_id, priority_flag
    writer.uint16(0) // schedule_delivery_time, validity_period: both empty
    writer.uint16(0) // registered_delivery, replace_if_present_flag
    writer.uint16(0) // data_coding, sm_default_msg_id
    writer.uint8(text.length)
  }
  writer.latin1(text)
  if (plan.form !== 'text') writeTlvs(writer, receipt)
  writer.end()
}
