/**
 * Converts phone numbers to the formats of carriers. A submission has digits in domestic form (`01012345678`), a short or
 * representative number (`15881588`), a number with a plus sign (`+819012345678`) or a text sender id.
 */

/** `e164` has a leading plus, `international` has none. */
export const numberFormats = ['domestic', 'international', 'e164'] as const
export type NumberFormat = (typeof numberFormats)[number]

const e164 = /^\+[1-9]\d{6,14}$/
/** A number in domestic form with its leading zero; 00 would be an international prefix. */
const withZero = /^0[1-9]\d+$/
/** Maximum length of short numbers such as 112, 1366 and 021366. */
const maxShortDigits = 6

/** Returns `text` for a sender id. */
export function classifyNumber(given: string): 'domestic' | 'international' | 'text' {
  if (!/^\+?\d+$/.test(given)) return 'text'
  return given.startsWith('+') ? 'international' : 'domestic'
}

/** Leaves short and representative numbers and text sender ids unchanged. Foreign numbers have no domestic form. */
export function formatNumber(given: string, format: NumberFormat, countryCode: string): string {
  const international = internationalDigits(given, countryCode)
  if (international === null) return given
  if (format === 'e164') return `+${international}`
  return (format === 'domestic' ? toDomesticDigits(international, countryCode) : null) ?? international
}

/** Returns the number with a plus sign. Returns null for a number that cannot be called from abroad, such as 112. */
export function toE164(given: string, countryCode: string): string | null {
  if (classifyNumber(given) === 'domestic' && given.length <= maxShortDigits) return null
  const isRepresentative = /^[1-9]\d+$/.test(given)
  const number = isRepresentative ? countryCode + given : internationalDigits(given, countryCode)
  return number !== null && e164.test(`+${number}`) ? `+${number}` : null
}

/** Returns the number as dialled in its own country, or null for a number of another country. */
export function toDomestic(given: string, countryCode: string): string | null {
  return given.startsWith('+') ? toDomesticDigits(given.slice(1), countryCode) : given
}

/** Returns null for a number without a leading zero or plus sign. */
function internationalDigits(given: string, countryCode: string): string | null {
  if (classifyNumber(given) === 'international') return given.slice(1)
  return withZero.test(given) ? countryCode + given.slice(1) : null
}

function toDomesticDigits(international: string, countryCode: string): string | null {
  if (!international.startsWith(countryCode)) return null
  const national = international.slice(countryCode.length)
  // Representative numbers of Korea (1588-1588) are dialled without a zero.
  return countryCode === '82' && /^1[4-9]\d{6}$/.test(national) ? national : `0${national}`
}
