/**
 * The forms of Korean sender numbers, as data: which may send at all, and which only with more than a registration. Used
 * when a number is registered and, where the rule is on, for every send. Pure.
 */

/**
 * `allow`: any account that proves it. `approval`: the operator agrees to each. `owner`: only the public body that owns
 * it, with proof. `refuse`: never.
 */
export type Verdict = 'allow' | 'approval' | 'owner' | 'refuse'

export interface NumberShape {
  readonly name: string
  readonly pattern: RegExp
  readonly verdict: Verdict
  /** Follows "the number": why it may not send. */
  readonly reason?: string
}

/** The first pattern that matches decides; a number that matches none does not exist. */
export const numberShapes: readonly NumberShape[] = [
  // Representative numbers are complete: eight digits, never behind an area code.
  { name: 'representative', pattern: /^1[568]\d{6}$/, verdict: 'allow' },
  // No subscriber has 010-0 or 010-1.
  { name: 'mobile', pattern: /^010[2-9]\d{7}$/, verdict: 'allow' },
  {
    name: 'old mobile',
    pattern: /^01[16-9]\d{7,8}$/,
    verdict: 'refuse',
    reason: 'is a mobile number that ended with 2G',
  },
  { name: 'internet telephony', pattern: /^070[2-9]\d{7}$/, verdict: 'allow' },
  { name: 'unified messaging', pattern: /^030\d{8,9}$/, verdict: 'allow' },
  {
    name: 'forwarding',
    pattern: /^050\d{8,9}$/,
    verdict: 'refuse',
    reason: 'is a safety or personal number, which forwards to another and hides the sender',
  },
  {
    name: 'premium',
    pattern: /^060\d{5,8}$/,
    verdict: 'approval',
    reason: 'is a premium number, which needs the approval of the operator',
  },
  // 080 and other common services, without an area code before them.
  { name: 'common service', pattern: /^0[2489]0\d{5,8}$/, verdict: 'allow' },
  {
    name: 'landline',
    // With its area code, and no representative number behind it.
    pattern: /^(?=\d{8,11}$)0(?:2|3[1-3]|4[1-4]|5[1-5]|6[1-4])(?!1[568]\d{6}$)\d+$/,
    verdict: 'allow',
  },
  {
    name: 'special',
    pattern: /^1\d{2,3}$/,
    verdict: 'owner',
    reason: 'is a special number, which only the public body that owns it may send from',
  },
]

/** Undefined when no number has this form. */
export function shapeOf(number: string): NumberShape | undefined {
  return numberShapes.find(({ pattern }) => pattern.test(number))
}
