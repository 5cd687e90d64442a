/**
 * Errors that a command reports by its message, without a stack trace. `run.ts` turns them, and the OperationError of a refused operation, into
 * exit codes: wrong usage is 2, the others 1.
 */

/** An argument or option is wrong. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

export class FailedError extends Error {
  override readonly name: string = 'FailedError'
}

/** The command printed its result, and the result is a failure (a ledger gap, an unacknowledged test): exit code 1. */
export class FailedResult extends Error {
  override readonly name = 'FailedResult'
}
