/**
 * Describes how a message was submitted over SMPP, as the `ref` of the message: `smpp/1/1/1.1.i/0.0.d/-`. The
 * ref returns with the report through every queue, cell and release. It states which receipts the client
 * requested, how the client writes numbers, and the client's reference, but contains no phone number.
 */
import type { AddressForm, NumberForm } from '../addresses.ts'

export interface SubmitRef {
  /**
   * Value of registered_delivery of each part that the client sent: 0 no receipt, 1 all, 2 failures, 3
   * successes.
   */
  readonly registered: readonly number[]
  readonly recipient: AddressForm
  readonly sender: AddressForm
  /** The client's user_message_reference. */
  readonly reference: number | null
}

const pattern =
  /^smpp\/1\/([0-3]{1,64})\/(\d{1,3})\.(\d{1,3})\.([ipd])\/(\d{1,3})\.(\d{1,3})\.([ipd])\/(\d{1,5}|-)$/

export function formatSubmitRef({ registered, recipient, sender, reference }: SubmitRef): string {
  const address = ({ ton, npi, form }: AddressForm): string => `${ton}.${npi}.${form}`
  return `smpp/1/${registered.join('')}/${address(recipient)}/${address(sender)}/${reference ?? '-'}`
}

/** Returns null if the message was not submitted over SMPP. */
export function parseSubmitRef(ref: string | null): SubmitRef | null {
  const match = pattern.exec(ref ?? '')
  if (match === null) return null
  const address = (first: number): AddressForm => ({
    ton: Number(match[first]),
    npi: Number(match[first + 1]),
    form: match[first + 2] as NumberForm,
  })
  return {
    registered: Array.from(match[1]!, Number),
    recipient: address(2),
    sender: address(5),
    reference: match[8] === '-' ? null : Number(match[8]),
  }
}

/** Returns the id of a part as the client knows it; the first part has that of the message. */
export function partId(msgKey: string, part: number): string {
  return part === 1 ? msgKey : `${msgKey}-${part}`
}
