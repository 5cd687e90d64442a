import { getSenderNumberKind, toKoreanNumber } from '../../channels/numbers.ts'

/** Form of a number: `i` international digits, `p` the same with a plus sign, `d` as in the contract. */
export type NumberForm = 'i' | 'p' | 'd'

export interface AddressForm {
  readonly ton: number
  readonly npi: number
  readonly form: NumberForm
}

export interface ParsedAddress extends AddressForm {
  readonly number: string
}

const international = 1
const unknown = 0
const homeCode = '82'

/**
 * Converts an SMPP recipient to the contract: Korean numbers get their domestic form, others a plus sign and the
 * country code. A number of unknown type that begins with a country code is international, because domestic ones
 * begin with 0. The send checks whether the number is valid.
 */
export function parseSmppRecipient(ton: number, npi: number, address: string): ParsedAddress {
  const isInternational = ton === international || (ton === unknown && /^[1-9]\d{6,14}$/.test(address))
  return read(ton, npi, address, isInternational)
}

/**
 * Converts an SMPP sender to the contract; sender IDs stay as they are. A number of type 1 has its country code
 * unless it is complete without one, like the representative number 15881234.
 */
export function parseSmppSender(ton: number, npi: number, address: string): ParsedAddress {
  return read(ton, npi, address, ton === international && getSenderNumberKind(address) === null)
}

function read(ton: number, npi: number, address: string, isInternational: boolean): ParsedAddress {
  const asGiven = { ton, npi, form: 'd', number: address } as const
  if (!/^\+?\d{1,20}$/.test(address)) return asGiven
  const form = address.startsWith('+') ? 'p' : 'i'
  const digits = form === 'p' ? address.slice(1) : address
  if (form === 'i' && (!isInternational || digits.startsWith('0'))) return asGiven
  return { ton, npi, form, number: toKoreanNumber(`+${digits}`) ?? `+${digits}` }
}

/** Returns a number of the contract in the form that the client uses. */
export function formatSmppNumber(number: string, form: NumberForm): string {
  if (form === 'd') return number
  const digits = number.startsWith('+') ? number.slice(1) : homeCode + number.replace(/^0/, '')
  return form === 'p' ? `+${digits}` : digits
}
