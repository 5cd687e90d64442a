/** A registered flow as sends know it, its id, and how many and how long. Knows nothing of what a channel wants. */
import { randomLetters, timeDigits } from '../contract/msg-key.ts'
import { Problem } from '../contract/problem.ts'

export const maxFlowEntries = 6
export const formBodyBytes = 64 * 1024
export const formsPerAccount = 1_000
export const formLifetimeMs = 365 * 86_400_000

/** One channel's name, and its content with placeholders. */
export type FormEntry = Readonly<Record<string, unknown>>

export interface Form {
  readonly id: string
  readonly accountId: number
  /** In the order of fallback. Shared by all sends of a process: never to be changed. */
  readonly flow: readonly FormEntry[]
  readonly expiresAt: Date
}

/** The UTC time, a mark, and 72 bits from the system's random source. */
export function createFormId(now: Date): string {
  return `${timeDigits(now)}F${randomLetters(14)}`
}

export function isFormId(candidate: string): boolean {
  return /^\d{17}F[0-9A-Z]{14}$/.test(candidate)
}

/** The same words for every reason: whether another account has such a form is not told. */
export function invalidFormId(): Problem {
  return new Problem('A250', "Invalid 'formId': no such form, or it has expired; register it again")
}
