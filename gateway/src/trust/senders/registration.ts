/** Checks which senders an operator can register, block and approve. Errors name the problem and the next step. */
import { classifySender, foreignSenderForms, getSenderNumberKind } from '../../channels/numbers.ts'
import { findNumberShape } from './shapes.ts'
import type { SenderProof, SenderKind } from './sender.ts'

interface ValueRule {
  readonly pattern: Pick<RegExp, 'test'>
  readonly must: string
}

const valueRules: Readonly<Record<Exclude<SenderKind, 'number'>, ValueRule>> = {
  international: {
    pattern: { test: (value) => ['foreign', 'alphanumeric'].includes(classifySender(value) ?? '') },
    must: `must be ${foreignSenderForms}; register a Korean number as a number`,
  },
  chatbot: { pattern: /^[A-Za-z0-9._@-]{3,64}$/, must: 'must be 3 to 64 letters, digits and ._@-' },
  brand: { pattern: /^[A-Za-z0-9._-]{1,64}$/, must: 'must be up to 64 letters, digits and ._-' },
  'kakao-key': { pattern: /^[A-Za-z0-9@_-]{1,64}$/, must: 'must be up to 64 letters, digits and @_-' },
  'kakao-template': { pattern: /^[^\s\p{C}]{1,64}$/u, must: 'must be up to 64 characters without spaces' },
}

/** Throws if a sender of this form can never send. `allowed` has the kinds of POSTERN_SENDER_KINDS. */
export function checkSenderValue(kind: SenderKind, value: string, allowed: readonly string[] = []): void {
  if (kind !== 'number') {
    const { pattern, must } = valueRules[kind]
    if (!pattern.test(value)) throw new Error(`the ${kind} '${value.slice(0, 80)}' ${must}`)
    return
  }
  const shape = /^\d{3,12}$/.test(value) ? findNumberShape(value) : undefined
  if (shape === undefined)
    throw new Error(
      `'${value.slice(0, 20)}' is not a sender number of the Korean numbering plan; use digits only, with the area code`,
    )
  if (shape.numberClass !== 'refuse' || allowed.includes(getSenderNumberKind(value) ?? '')) return
  throw new Error(
    `${value} ${shape.reason ?? 'cannot send'}; to register it, allow its kind in POSTERN_SENDER_KINDS`,
  )
}

/** Throws if no message can name such a sender. Forms that can never send can still be blocked. */
export function checkBlockedValue(kind: SenderKind, value: string): void {
  const isPossible = kind === 'number' ? /^\d{3,15}$/.test(value) : /^[^\p{C}]{1,64}$/u.test(value)
  if (!isPossible)
    throw new Error(
      kind === 'number'
        ? `'${value.slice(0, 20)}' is not a number of 3 to 15 digits`
        : `a ${kind} must be 1 to 64 characters without control characters`,
    )
}

const maxCertificateMonths = 3

/** Throws if the proof does not allow the sender to become active. `today` is YYYY-MM-DD. */
export function checkProofForApproval(
  kind: SenderKind,
  value: string,
  proof: SenderProof | null,
  today: string,
): void {
  if (proof === null) {
    if (kind !== 'number' && kind !== 'international') return
    throw new Error(`${value} has no proof; set its kind and its reference`)
  }
  if (kind === 'number' && findNumberShape(value)?.numberClass === 'owner' && proof.kind !== 'certificate')
    throw new Error(
      `${value} is a special number; its proof must be a certificate of the public body that owns it`,
    )
  if (proof.kind !== 'certificate') return
  if (proof.issued === null) throw new Error('a certificate requires its issue date, such as 2026-11-02')
  if (proof.issued > today)
    throw new Error(`the issue date of the certificate must not be in the future, found ${proof.issued}`)
  if (proof.issued < monthsBefore(today, maxCertificateMonths))
    throw new Error(
      `the certificate was issued on ${proof.issued}, more than ${maxCertificateMonths} months ago; request a new one`,
    )
}

function monthsBefore(day: string, months: number): string {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number)
  const first = new Date(Date.UTC(year, month - 1 - months, 1))
  const last = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate()
  first.setUTCDate(Math.min(date, last))
  return first.toISOString().slice(0, 10)
}
