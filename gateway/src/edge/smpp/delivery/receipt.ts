import type { FormatTime } from '../../../contract/times.ts'
import type { EncodableBody } from '../../../carriers/smpp/codec.ts'
import { tlvs as known, type Tlv } from '../../../carriers/smpp/tlv.ts'
import { formatSmppNumber, type AddressForm } from '../addresses.ts'
import type { SubmitRef } from './submit-ref.ts'

export type DeliverBody = EncodableBody<'deliver_sm'>

export interface ReceiptContent {
  readonly messageId: string
  /** Value of message_state. */
  readonly state: number
  /** Three digits. */
  readonly error: string
  readonly sentAt: Date
  readonly doneAt: Date
  readonly ref: SubmitRef
  /** Numbers as in the contract; null if they were erased. */
  readonly addresses: { readonly sender: string; readonly recipient: string } | null
}

export const receiptStates = {
  delivered: 2,
  expired: 3,
  deleted: 4,
  undeliverable: 5,
  unknown: 7,
  rejected: 8,
} as const

const stateNames: Readonly<Record<number, string>> = {
  2: 'DELIVRD',
  3: 'EXPIRED',
  4: 'DELETED',
  5: 'UNDELIV',
  7: 'UNKNOWN',
  8: 'REJECTD',
}

/** Report codes whose state differs from that of codes with the same beginning. */
const stateOfCode: Readonly<Record<string, number>> = {
  10000: receiptStates.delivered,
  22000: receiptStates.expired,
  23006: receiptStates.rejected,
  23012: receiptStates.rejected,
  23023: receiptStates.rejected,
  23029: receiptStates.rejected,
  23036: receiptStates.rejected,
  90010: receiptStates.deleted,
  99999: receiptStates.unknown,
}

export function toMessageState(reportCode: string): number {
  return (
    stateOfCode[reportCode] ??
    (reportCode.startsWith('90') ? receiptStates.rejected : receiptStates.undeliverable)
  )
}

const errorDigits: Readonly<Record<string, string>> = { 22: '2', 23: '3', 90: '9' }

/**
 * Returns the error of a receipt, which has three characters: for codes that begin with 22, 23 or 90, the
 * digit 2, 3 or 9 and the last two digits of the code; 000 if delivered, and otherwise 999.
 */
export function toReceiptError(reportCode: string): string {
  if (reportCode === '10000') return '000'
  const digit = errorDigits[reportCode.slice(0, 2)]
  return digit === undefined ? '999' : digit + reportCode.slice(-2)
}

/** Reports whether registered_delivery requests a receipt with this state. */
export function isReceiptRequested(registered: number, state: number): boolean {
  if (registered === 2) return state !== receiptStates.delivered
  if (registered === 3) return state === receiptStates.delivered
  return registered === 1
}

const receiptType = 0x04
const maxAddress = 20
const noText = Buffer.alloc(0)

interface WrittenAddress {
  readonly ton: number
  readonly npi: number
  readonly value: string
}

const noAddress: WrittenAddress = { ton: 0, npi: 0, value: '' }

/**
 * Builds the deliver_sm of a delivery receipt in the text form of SMPP 3.4, appendix B, with the parameters
 * receipted_message_id and message_state, and user_message_reference if the client set it. It contains nothing of the
 * message's text.
 */
export function receiptBody(receipt: ReceiptContent, formatTime: FormatTime): DeliverBody {
  const { messageId, state, error, ref } = receipt
  const date = (at: Date): string => formatTime(at).replace(/\D/g, '').slice(2, 12)
  const delivered = state === receiptStates.delivered ? '001' : '000'
  const text =
    `id:${messageId} sub:001 dlvrd:${delivered} submit date:${date(receipt.sentAt)} ` +
    `done date:${date(receipt.doneAt)} stat:${stateNames[state] ?? 'UNKNOWN'} err:${error} text:`
  // A receipt goes from the recipient to the sender, so the addresses of the message are swapped.
  const source = toAddress(receipt.addresses?.recipient, ref.recipient)
  const destination = toAddress(receipt.addresses?.sender, ref.sender)
  const tlvs: Tlv[] = [
    { tag: known.receiptedMessageId.tag, value: Buffer.from(`${messageId}\0`, 'latin1') },
    { tag: known.messageState.tag, value: Buffer.of(state) },
  ]
  if (ref.reference !== null)
    tlvs.push({
      tag: known.userMessageReference.tag,
      value: Buffer.of(ref.reference >> 8, ref.reference & 0xff),
    })
  return {
    ...deliverBody(source, destination),
    esmClass: receiptType,
    shortMessage: Buffer.from(text, 'latin1'),
    tlvs,
  }
}

function toAddress(number: string | undefined, { ton, npi, form }: AddressForm): WrittenAddress {
  if (number === undefined) return noAddress
  return { ton, npi, value: formatSmppNumber(number, form).slice(0, maxAddress) }
}

export function deliverBody(source: WrittenAddress, destination: WrittenAddress): DeliverBody {
  return {
    serviceType: '',
    sourceTon: source.ton,
    sourceNpi: source.npi,
    source: source.value,
    destinationTon: destination.ton,
    destinationNpi: destination.npi,
    destination: destination.value,
    esmClass: 0,
    protocolId: 0,
    priorityFlag: 0,
    scheduleDeliveryTime: '',
    validityPeriod: '',
    registeredDelivery: 0,
    replaceIfPresent: 0,
    dataCoding: 0,
    defaultMessageId: 0,
    shortMessage: noText,
  }
}
