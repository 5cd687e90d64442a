/** Phone numbers in the form of E.164, the only one that RBM knows. Pure. */

/** Null when it has no such form: a short special number such as 112. */
export function toE164(number: string, countryCode: string): string | null {
  if (number.startsWith('+')) return e164.test(number) ? number : null
  if (number.startsWith('00')) return null
  // Representative numbers (15881234) have no leading zero.
  const international = `+${countryCode}${number.replace(/^0/, '')}`
  return number.length >= minDomesticDigits && e164.test(international) ? international : null
}

const e164 = /^\+[1-9]\d{6,14}$/
const minDomesticDigits = 7
