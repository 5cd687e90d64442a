/**
 * Addresses of SMPP as the numbers of the contract, and back in the form in which the client wrote them: Korean numbers in
 * their domestic form, others with a plus sign and the country code. Whether a number is valid is checked by the send. Pure.
 */

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

/** Representative numbers such as 15881234 begin with 1: without a type they are domestic. */
export function readSender(ton: number, npi: number, address: string): ReadAddress {
  const isHome = ton === international && address.startsWith(homeCode)
  return read(ton, npi, address, isHome)
}

function read(ton: number, npi: number, address: string, isInternational: boolean): ReadAddress {
  const asGiven = { ton, npi, form: 'd', number: address } as const
  if (!/^\+?\d{1,20}$/.test(address)) return asGiven
  const form = address.startsWith('+') ? 'p' : 'i'
  const digits = form === 'p' ? address.slice(1) : address
  if (form === 'i' && (!isInternational || digits.startsWith('0'))) return asGiven
  const number = digits.startsWith(homeCode)
    ? `0${digits.slice(homeCode.length).replace(/^0/, '')}`
    : `+${digits}`
  return { ton, npi, form, number }
}

/** The number of the contract in the form that the client uses. */
export function writeNumber(number: string, form: NumberForm): string {
  if (form === 'd') return number
  const digits = number.startsWith('+') ? number.slice(1) : number.replace(/^0/, homeCode)
  return form === 'p' ? `+${digits}` : digits
}
