/**
 * The shapes of phone numbers: whether a number may be a recipient or a sender, and how a log shows it.
 *
 * Shape only, digits only: whether a sender is registered to the account is the registry's business, whether a
 * recipient exists is the carrier's. Nothing here rewrites a number.
 */

/** Domestic, mobile or landline. 12 digits are the longest in the Korean plan (030, 050x, 012). */
const recipient = /^0\d{7,11}$/

/** E.164: at most 15 digits, and no country code begins with 0. */
const internationalRecipient = /^\+[1-9]\d{7,14}$/

interface SenderRule {
  readonly prefix: RegExp
  /** Fewest and most digits, or null when no such number may be a sender. */
  readonly digits: readonly [fewest: number, most: number] | null
}

/** The first rule whose prefix matches decides; a number that none matches is refused. */
const senderRules: readonly SenderRule[] = [
  // Representative numbers (15xx, 16xx, 18xx) are complete in themselves: exactly eight digits ...
  { prefix: /^1[568]/, digits: [8, 8] },
  // ... and an area code before one makes a number that nobody can call back.
  { prefix: /^0(?:2|[3-6][1-5])1[568]\d{6}$/, digits: null },
  // Safety and personal numbers stand for another number and hide who sends.
  { prefix: /^050/, digits: null },
  // Unified messaging numbers are the one kind longer than eleven digits.
  { prefix: /^030/, digits: [11, 12] },
  // 00x is a prefix for calling abroad, not a number.
  { prefix: /^00/, digits: null },
  // Every mobile subscriber has an eleven-digit 010 number; 011 and 016 to 019 ended with 2G.
  { prefix: /^010/, digits: [11, 11] },
  { prefix: /^01/, digits: null },
  // Landlines with their area code, 070 internet telephony, 080 and other common services.
  { prefix: /^0/, digits: [8, 11] },
  // What is left is refused: a landline without its area code, or a special number (112, 1335), which only
  // the body that owns it may show.
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

/** For logs, which never show a whole number: one of four characters or fewer is hidden entirely. */
export function maskNumber(number: string): string {
  return number.length <= 4 ? '*'.repeat(number.length) : '*'.repeat(number.length - 4) + number.slice(-4)
}
