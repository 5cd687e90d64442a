/**
 * Why an act is not done. Commands turn these errors into exit codes, the admin API into HTTP answers. The message says what is
 * wrong and what to do next.
 */

/** What was given is wrong. The message says what is allowed. */
export class UsageError extends Error {
  override readonly name: string = 'UsageError'
  /** Path of the field of the request that is wrong, if it is known. */
  readonly field: string | undefined

  constructor(message: string, field?: string) {
    super(message)
    this.field = field
  }
}

/** The act is recorded with why it is done, and no reason was given. */
export class ReasonMissingError extends UsageError {
  override readonly name = 'ReasonMissingError'
  /** Such as `personal data is shown with a reason`. */
  readonly why: string

  constructor(why: string) {
    super(`--reason is missing: ${why}`)
    this.why = why
  }
}

/** The act was understood and is not possible as things are. */
export class FailedError extends Error {
  override readonly name: string = 'FailedError'
  /** The message for clients, where the other one names what they do not see, such as a cell. */
  readonly forClients: string | undefined

  constructor(message: string, forClients?: string) {
    super(message)
    this.forClients = forClients
  }
}

export class NotFoundError extends FailedError {
  override readonly name = 'NotFoundError'
}

/** The role of the operator does not have the right that the act needs. */
export class RightMissingError extends FailedError {
  override readonly name = 'RightMissingError'
}

/** What is to be replaced has changed since it was read. */
export class StaleError extends FailedError {
  override readonly name = 'StaleError'
}

/** The same request was made before, see `ActAudit`. */
export class RepeatedError extends FailedError {
  override readonly name = 'RepeatedError'
  /** False while that request may still be in progress, or was cut off or refused. */
  readonly done: boolean

  constructor(done: boolean, message: string, forClients?: string) {
    super(message, forClients)
    this.done = done
  }
}
