/** What an operator is told when a batch of a list has failed and those before it are stored. */
import { safeText } from '../platform/log-error.ts'
import { FailedError } from './errors.ts'

/** `what`: in the plural. */
export function partlyStored(stored: number, all: number, what: string, error: unknown): FailedError {
  const why = whyOf(error)
  return new FailedError(
    `${stored} of ${all} ${what} are stored, and the same command can be run again: what is stored stays; the rest was not tried or may not be done: ${why}`,
  )
}

/** For a person who reads what became of the rest: of other errors only what is safe to show. */
export function whyOf(error: unknown): string {
  return error instanceof FailedError ? error.message : safeText(error)
}
