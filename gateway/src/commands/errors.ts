/** Errors that a command reports by its message, without a stack trace. `run.ts` turns them into exit codes. */

/** Wrong usage or a wrong setting: exit code 2. The message says what is wrong and what is allowed. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** The command was understood and did not succeed: exit code 1. The message says why and what to do next. */
export class FailedError extends Error {
  override readonly name = 'FailedError'
}

/** The command printed its result, and the result is a failure (a ledger gap, an unacknowledged test): exit code 1. */
export class FailedResult extends Error {
  override readonly name = 'FailedResult'
}
