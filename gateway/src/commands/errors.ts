/** Errors that a command reports by its message, without a stack trace. `run.ts` turns them into exit codes: wrong usage is 2, the others 1. */
export { FailedError, UsageError } from '../acts/errors.ts'

/** The command printed its result, and the result is a failure (a ledger gap, an unacknowledged test): exit code 1. */
export class FailedResult extends Error {
  override readonly name = 'FailedResult'
}
