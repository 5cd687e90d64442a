/**
 * The forms of recipients and senders: which a message can have, and how logs show them. Only the form is
 * checked: whether a recipient exists is known only to the carrier.
 */

/**
 * Strips spaces, brackets and hyphens from a number as operators write it, so that it has the form of send
 * requests.
 */
export function stripNumber(written: string): string {
  return written.replaceAll(/[\s()-]/g, '')
}

/**
 * Matches domestic numbers, mobile or landline. 12 digits are the longest in the Korean plan (030, 050x,
 * 012). 00x is the international call prefix.
 */
const recipient = /^0[1-9]\d{6,10}$/

/**
 * Matches E.164 numbers: at most 15 digits, and no country code begins with 0. The shortest, on Niue and
 * Saint Helena, have seven.
 */
const internationalRecipient = /^\+[1-9]\d{6,14}$/

/**
 * `special`: a number of three or four digits, which only its owner can use as a sender. `old-mobile`: 011
 * and 016 to 019, abolished with 2G. `forwarding`: safety and personal numbers, which forward to another
 * number and hide the sender.
 */
export type SenderNumberKind = 'ordinary' | 'special' | 'old-mobile' | 'forwarding'

interface SenderRule {
  readonly prefix: RegExp
  /** Defaults to `ordinary`. */
  readonly kind?: SenderNumberKind
  /** Minimum and maximum number of digits; `null` if such a number must not be a sender. */
  readonly digits: readonly [min: number, max: number] | null
}

/** The first rule whose prefix matches applies; a number without a matching rule is rejected. */
const senderRules: readonly SenderRule[] = [
  // Representative numbers (15xx, 16xx, 18xx) are complete: exactly eight digits ...
  { prefix: /^1[568]\d{3}/, digits: [8, 8] },
  // ... and with an area code before them they cannot be called back.
  { prefix: /^0(?:2|[3-6][1-5])1[568]\d{6}$/, digits: null },
  { prefix: /^050/, kind: 'forwarding', digits: [11, 12] },
  // Unified messaging numbers.
  { prefix: /^030/, digits: [11, 12] },
  // 00x is the international call prefix, not a number.
  { prefix: /^00/, digits: null },
  { prefix: /^01[16-9]/, kind: 'old-mobile', digits: [10, 11] },
  // Every mobile subscriber has an eleven-digit 010 number.
  { prefix: /^010/, digits: [11, 11] },
  { prefix: /^01/, digits: null },
  // Landlines with their area code, 070 internet telephony, 080 and other common services.
  { prefix: /^0/, digits: [8, 11] },
  { prefix: /^1\d{2,3}$/, kind: 'special', digits: [3, 4] },
  // All others are rejected, such as a landline without its area code.
]

const digitsOnly = /^\d+$/

export function isRecipient(to: string): boolean {
  return recipient.test(to)
}

export function isInternationalRecipient(to: string): boolean {
  return internationalRecipient.test(to)
}

/** Returns the domestic form of a Korean number with +82, which may keep its 0; null for any other number. */
export function toKoreanNumber(number: string): string | null {
  const national = /^\+820?(\d+)$/.exec(number)?.[1]
  if (national === undefined) return null
  // Representative numbers such as 1588-1588 are dialled without a 0.
  return /^1[4-9]\d{6}$/.test(national) ? national : `0${national}`
}

/**
 * `domestic`: a Korean number, digits only. `foreign`: a number of another country with + and its country code.
 * `alphanumeric`: a sender ID of up to 11 characters (3GPP TS 23.040).
 */
export type SenderForm = 'domestic' | 'foreign' | 'alphanumeric'

const alphanumericSender = /^(?=.*[A-Za-z])(?! )[A-Za-z0-9 &._-]{3,11}(?<! )$/

/** Error texts that follow "must be". */
export const foreignSenderForms =
  'a number of another country with + and its country code, or a sender ID of 3 to 11 letters, digits, spaces and & . _ - with at least one letter'
export const senderForms = `a Korean number (digits only), ${foreignSenderForms}`

/**
 * Returns null if no message can have this sender. Only international messages can have foreign and
 * alphanumeric senders.
 */
export function classifySender(from: string): SenderForm | null {
  if (getSenderNumberKind(from) !== null) return 'domestic'
  if (isInternationalRecipient(from) && toKoreanNumber(from) === null) return 'foreign'
  return alphanumericSender.test(from) ? 'alphanumeric' : null
}

/** Returns null for a number that cannot be a domestic sender. */
export function getSenderNumberKind(from: string): SenderNumberKind | null {
  if (!digitsOnly.test(from)) return null
  const rule = senderRules.find(({ prefix }) => prefix.test(from))
  if (rule?.digits === null || rule === undefined) return null
  const [min, max] = rule.digits
  return from.length >= min && from.length <= max ? (rule.kind ?? 'ordinary') : null
}

/**
 * Matches a mobile number in a text of letters and digits: with its 0, after the country code, or without
 * both, as spreadsheets store a number.
 */
const mobile = /^01[016789]|(?<!\d)(?:(?:00)?820?|0)1[016789]\d{7}|^10\d{8}$/

/**
 * Masks a mobile number, which can be a person's, in its domestic form however it is written; returns other
 * senders unchanged.
 */
export function maskMobile(sender: string): string {
  const plain = sender.normalize('NFKC').replaceAll(/[^\p{L}\p{Nd}]/gu, '')
  const match = mobile.exec(plain)
  if (match === null) return sender
  return maskNumber(plain.slice(match.index).replace(/^(?:(?:00)?820?|0)?/, '0'))
}

/** Masks all but the last four characters, and a number of up to four entirely. */
export function maskNumber(number: string): string {
  return number.length <= 4 ? '*'.repeat(number.length) : '*'.repeat(number.length - 4) + number.slice(-4)
}
