/**
 * Converts addresses of SMPP to the senders and recipients of the contract, and back to the form in which the client wrote
 * them: Korean numbers have their domestic form, others a plus sign and the country code, and sender IDs stay as they are.
 * Whether an address is valid is checked by the send.
 */
import { senderKindOf, toKoreanNumber } from '../channels/numbers.ts'

/** `i`: international digits. `p`: the same with a plus sign. `d`: as the contract writes it. */
export type NumberForm = 'i' | 'p' | 'd'

export interface AddressForm {
  readonly ton: number
  readonly npi: number
  readonly form: NumberForm
}

export interface ReadAddress extends AddressForm {
  readonly number: string
}

const international = 1
const unknown = 0
const homeCode = '82'

/** A number without a type that begins with a country code is international: domestic ones begin with 0. */
export function readRecipient(ton: number, npi: number, address: string): ReadAddress {
  const isForeign = ton === international || (ton === unknown && /^[1-9]\d{6,14}$/.test(address))
  return read(ton, npi, address, isForeign)
}

/** A number of type 1 has its country code, unless it is complete without one, as the representative number 15881234 is. */
export function readSender(ton: number, npi: number, address: string): ReadAddress {
  return read(ton, npi, address, ton === international && senderKindOf(address) === null)
}

function read(ton: number, npi: number, address: string, isInternational: boolean): ReadAddress {
  const asGiven = { ton, npi, form: 'd', number: address } as const
  if (!/^\+?\d{1,20}$/.test(address)) return asGiven
  const form = address.startsWith('+') ? 'p' : 'i'
  const digits = form === 'p' ? address.slice(1) : address
  if (form === 'i' && (!isInternational || digits.startsWith('0'))) return asGiven
  return { ton, npi, form, number: toKoreanNumber(`+${digits}`) ?? `+${digits}` }
}

/** The number of the contract in the form that the client uses. */
export function writeNumber(number: string, form: NumberForm): string {
  if (form === 'd') return number
  const digits = number.startsWith('+') ? number.slice(1) : homeCode + number.replace(/^0/, '')
  return form === 'p' ? `+${digits}` : digits
}
