/**
 * Phone numbers in the forms that carriers ask for. A submission has digits in domestic form (`01012345678`), a short or
 * representative number (`15881588`), a number with a plus sign (`+819012345678`) or a text sender id. Pure; used by every
 * connector that writes or reads numbers.
 */

/** `e164` has a leading plus, `international` has none. */
export const numberFormats = ['domestic', 'international', 'e164'] as const
export type NumberFormat = (typeof numberFormats)[number]

const e164 = /^\+[1-9]\d{6,14}$/
/** A zero and the number in its country; 00 would begin a number abroad. */
const withZero = /^0[1-9]\d+$/
/** Of 112, 1366, 021366 and the like. */
const maxShortDigits = 6

/** `text`: a sender id. */
export function kindOfNumber(given: string): 'domestic' | 'international' | 'text' {
  if (!/^\+?\d+$/.test(given)) return 'text'
  return given.startsWith('+') ? 'international' : 'domestic'
}

/** What has no such form stays as it is: short and representative numbers, text sender ids, and numbers of other countries. */
export function formatNumber(given: string, format: NumberFormat, countryCode: string): string {
  const international = internationalDigits(given, countryCode)
  if (international === null) return given
  if (format === 'e164') return `+${international}`
  return (format === 'domestic' ? domesticOf(international, countryCode) : null) ?? international
}

/** With the plus sign; representative numbers too. Null for a number that cannot be called from abroad, such as 112. */
export function toE164(given: string, countryCode: string): string | null {
  if (kindOfNumber(given) === 'domestic' && given.length <= maxShortDigits) return null
  const isRepresentative = /^[1-9]\d+$/.test(given)
  const number = isRepresentative ? countryCode + given : internationalDigits(given, countryCode)
  return number !== null && e164.test(`+${number}`) ? `+${number}` : null
}

/** As it is called in its own country. Null for a number of another country. */
export function toDomestic(given: string, countryCode: string): string | null {
  return given.startsWith('+') ? domesticOf(given.slice(1), countryCode) : given
}

/** Null for what is given without a zero or a plus sign. */
function internationalDigits(given: string, countryCode: string): string | null {
  if (kindOfNumber(given) === 'international') return given.slice(1)
  return withZero.test(given) ? countryCode + given.slice(1) : null
}

function domesticOf(international: string, countryCode: string): string | null {
  if (!international.startsWith(countryCode)) return null
  const national = international.slice(countryCode.length)
  // Representative numbers of Korea (1588-1588) are called without a zero.
  return countryCode === '82' && /^1[4-9]\d{6}$/.test(national) ? national : `0${national}`
}
