/**
 * Errors that a command reports by their message, without a stack trace. `run.ts` maps them, and the
 * OperationError of a refused operation, to exit codes: 2 for invalid usage, 1 for the others.
 */

/** An argument, option or setting is missing or invalid. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** The command failed before it had a result. */
export class FailedError extends Error {
  override readonly name: string = 'FailedError'
}

/**
 * The command printed its result, and the result is a failure, for example a ledger gap or an unacknowledged
 * test: exit code 1.
 */
export class FailedResult extends Error {
  override readonly name = 'FailedResult'
}
