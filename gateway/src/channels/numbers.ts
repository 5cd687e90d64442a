/**
 * The forms of phone numbers: whether a number may be a recipient or a sender, and how a log shows it.
 *
 * Only the form is checked. Whether a recipient exists is known to the carrier only. Nothing here rewrites a number.
 */

/** Domestic, mobile or landline. 12 digits are the longest in the Korean plan (030, 050x, 012). */
const recipient = /^0\d{7,11}$/

/** E.164: at most 15 digits, and no country code begins with 0. */
const internationalRecipient = /^\+[1-9]\d{7,14}$/

interface SenderRule {
  readonly prefix: RegExp
  /** Minimum and maximum number of digits, or null when such a number may not be a sender. */
  readonly digits: readonly [min: number, max: number] | null
}

/** The first rule whose prefix matches applies; a number without a matching rule is rejected. */
const senderRules: readonly SenderRule[] = [
  // Representative numbers (15xx, 16xx, 18xx) are complete: exactly eight digits ...
  { prefix: /^1[568]/, digits: [8, 8] },
  // ... and with an area code before them they cannot be called back.
  { prefix: /^0(?:2|[3-6][1-5])1[568]\d{6}$/, digits: null },
  // Safety and personal numbers forward to another number and hide the sender.
  { prefix: /^050/, digits: null },
  // Only unified messaging numbers are longer than eleven digits.
  { prefix: /^030/, digits: [11, 12] },
  // 00x is a prefix for calling abroad, not a number.
  { prefix: /^00/, digits: null },
  // Every mobile subscriber has an eleven-digit 010 number; 011 and 016 to 019 ended with 2G.
  { prefix: /^010/, digits: [11, 11] },
  { prefix: /^01/, digits: null },
  // Landlines with their area code, 070 internet telephony, 080 and other common services.
  { prefix: /^0/, digits: [8, 11] },
  // All others are rejected: a landline without its area code, or a special number (112, 1335), which only its
  // owner may use as a sender.
]

const digitsOnly = /^\d+$/

export function isRecipient(to: string): boolean {
  return recipient.test(to)
}

export function isInternationalRecipient(to: string): boolean {
  return internationalRecipient.test(to)
}

export function isSender(from: string): boolean {
  if (!digitsOnly.test(from)) return false
  const range = senderRules.find((rule) => rule.prefix.test(from))?.digits ?? null
  return range !== null && from.length >= range[0] && from.length <= range[1]
}

/** For logs, which never show a whole number: all but the last four characters are masked, and a shorter number entirely. */
export function maskNumber(number: string): string {
  return number.length <= 4 ? '*'.repeat(number.length) : '*'.repeat(number.length - 4) + number.slice(-4)
}
