/** The forms of Korean sender numbers: which of them can send, and which need more than a registration. */

/**
 * `allow`: any account with a proof of the right to use it. `approval`: only with the operator's approval.
 * `owner`: only the public body that owns it, with proof. `refuse`: only if POSTERN_SENDER_KINDS allows its
 * kind.
 */
export type NumberClass = 'allow' | 'approval' | 'owner' | 'refuse'

export interface NumberShape {
  readonly name: string
  readonly pattern: RegExp
  readonly numberClass: NumberClass
  /** Why the number cannot send unregistered; follows "the number". */
  readonly reason?: string
}

/** The first matching pattern decides; a number that matches none does not exist. */
export const numberShapes: readonly NumberShape[] = [
  // Representative numbers are complete: eight digits, never after an area code.
  { name: 'representative', pattern: /^1[568]\d{6}$/, numberClass: 'allow' },
  // No subscriber has 010-0 or 010-1.
  { name: 'mobile', pattern: /^010[2-9]\d{7}$/, numberClass: 'allow' },
  {
    name: 'old mobile',
    pattern: /^01[16-9]\d{7,8}$/,
    numberClass: 'refuse',
    reason: 'is a mobile number that was abolished with 2G',
  },
  { name: 'internet telephony', pattern: /^070[2-9]\d{7}$/, numberClass: 'allow' },
  { name: 'unified messaging', pattern: /^030\d{8,9}$/, numberClass: 'allow' },
  {
    name: 'forwarding',
    pattern: /^050\d{8,9}$/,
    numberClass: 'refuse',
    reason: 'is a safety or personal number, which forwards to another and hides the sender',
  },
  {
    name: 'premium',
    pattern: /^060\d{5,8}$/,
    numberClass: 'approval',
    reason: 'is a premium number, which requires approval by the operator',
  },
  // 080 and other common services, without an area code before them.
  { name: 'common service', pattern: /^0[2489]0\d{5,8}$/, numberClass: 'allow' },
  {
    name: 'landline',
    // With its area code, and no representative number after it.
    pattern: /^(?=\d{8,11}$)0(?:2|3[1-3]|4[1-4]|5[1-5]|6[1-4])(?!1[568]\d{6}$)\d+$/,
    numberClass: 'allow',
  },
  {
    name: 'special',
    pattern: /^1\d{2,3}$/,
    numberClass: 'owner',
    reason: 'is a special number, reserved for the public body that owns it',
  },
]

/** Returns undefined if no number has this form. */
export function findNumberShape(number: string): NumberShape | undefined {
  return numberShapes.find(({ pattern }) => pattern.test(number))
}
