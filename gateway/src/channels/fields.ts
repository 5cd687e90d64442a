/** Field schemas that several channels share, and their checks that a schema cannot express. */
import { Type } from 'typebox'
import { invalidField, memberPath } from '../contract/problem.ts'
import type { ResultCode } from '../contract/result-codes.ts'
import { normalizeRecipient } from '../platform/recipient.ts'
import { getSenderNumberKind, isRecipient } from './numbers.ts'
import type { Issues } from './issues.ts'
import { originFormat } from './origin-form.ts'

/** A schema counts code points, so `checkRef` counts UTF-16 units. */
const maxRefUnits = 200

export const refField = Type.Optional(
  Type.String({ maxLength: maxRefUnits, description: 'Reference of the client, returned in reports' }),
)

/** `pattern` covers every form that `POSTERN_ORIGIN_PATTERN` can set. */
export const originCidField = Type.Optional(
  Type.String({
    pattern: '^[0-9A-Za-z]{1,20}$',
    format: originFormat,
    description:
      'Registration number of the first sending business, 9 digits unless the operator of the service says otherwise',
  }),
)

export const recipientDescription =
  'Korean recipient: 01012345678, 010-1234-5678, 821012345678 or +821012345678'
/** `readRecipient` checks it. */
export const recipientField = Type.String({ minLength: 1, maxLength: 20, description: recipientDescription })

/** Returns the domestic form of the number. */
export function readRecipient(written: string, path: string, issues: Issues): string {
  const to = normalizeRecipient(written)
  if (!isRecipient(to)) issues.add(invalidField('A306', path, 'must be a Korean number, such as 01012345678'))
  return to
}

export const numberField = (description: string) => Type.String({ minLength: 1, maxLength: 20, description })

/** `maxLength` only bounds the work of the exact check, which counts bytes or parts. */
export const textField = (description: string, maxLength: number) =>
  Type.String({ minLength: 1, maxLength, description })

/**
 * Checks the form of the sender of a domestic message, but not whether the number is registered for the
 * account or its kind is allowed here.
 */
export function checkSender(from: string, at: string, issues: Issues): void {
  if (getSenderNumberKind(from) === null)
    issues.add(
      invalidField('A302', `${at}from`, 'must be a Korean number, digits only: the recipient is in Korea'),
    )
}

/** PostgreSQL cannot store U+0000. */
export function checkRef(ref: string | undefined, issues: Issues): void {
  if (ref === undefined) return
  if (ref.length > maxRefUnits)
    issues.add(invalidField('A305', 'ref', `must be at most ${maxRefUnits} characters, found ${ref.length}`))
  checkCharacters('A305', 'ref', ref, issues)
}

/** A lone surrogate is not a character, and neither handsets nor PostgreSQL accept U+0000. */
export function checkCharacters(code: ResultCode, path: string, text: string, issues: Issues): void {
  if (isSendable(text)) return
  const index = text.search(/\0|\p{Surrogate}/u)
  const unit = text.charCodeAt(index).toString(16).toUpperCase().padStart(4, '0')
  issues.add(invalidField(code, path, `character U+${unit} at position ${index} cannot be sent`))
}

/** Fast check; the search for the position takes ten times as long. */
function isSendable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0')
}

/** Applies the same check to every string of a rich content. */
export function checkAllCharacters(value: unknown, path: string, issues: Issues): void {
  // Build paths only for content with an invalid character.
  if (!areSendable(value)) findCharacters(value, path, issues)
}

function areSendable(value: unknown): boolean {
  if (typeof value === 'string') return isSendable(value)
  if (typeof value !== 'object' || value === null) return true
  if (Array.isArray(value)) return value.every(areSendable)
  for (const name in value) if (!areSendable((value as Record<string, unknown>)[name])) return false
  return true
}

function findCharacters(value: unknown, path: string, issues: Issues): void {
  if (issues.isSettled()) return
  if (typeof value === 'string') checkCharacters('A303', path, value, issues)
  else if (Array.isArray(value))
    value.forEach((item, index) => findCharacters(item, `${path}[${index}]`, issues))
  else if (typeof value === 'object' && value !== null) {
    for (const [key, inner] of Object.entries(value)) findCharacters(inner, memberPath(path, key), issues)
  }
}
