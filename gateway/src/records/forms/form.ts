/** A form (a registered flow), its id and its limits. The channels check its content. */
import { randomLetters, timeDigits } from '../../contract/msg-key.ts'
import { Problem } from '../../contract/problem.ts'

export const maxFlowEntries = 6
export const formBodyBytes = 64 * 1024
export const formsPerAccount = 1_000
export const formLifetimeMs = 365 * 86_400_000

/** The name of one channel, and its content with placeholders. */
export type FormEntry = Readonly<Record<string, unknown>>

export interface Form {
  readonly id: string
  readonly accountId: number
  /** Entries in fallback order. Shared by all sends of a process: must not be modified. */
  readonly flow: readonly FormEntry[]
  readonly expiresAt: Date
}

/** Creates an id: the UTC time, the letter F, and 72 random bits. */
export function createFormId(now: Date): string {
  return `${timeDigits(now)}F${randomLetters(14)}`
}

export function isFormId(candidate: string): boolean {
  return /^\d{17}F[0-9A-Z]{14}$/.test(candidate)
}

/**
 * Returns the same error for every reason, so that it does not reveal whether another account has the form.
 */
export function invalidFormId(): Problem {
  return new Problem('A250', "Invalid 'formId': not found or expired; register the form again")
}
