/**
 * Error of a refused operation. The message is plain text for every interface: it quotes request fields as
 * 'field', and names no command, option or page. The admin API sends the error as a problem; commands and the
 * console add their own advice by `code`, `field` and `facts`.
 */
import type { AdminCode } from './codes.ts'

/** Values of the message for programs; they add nothing to it. */
export type Facts = Readonly<Record<string, string | number | boolean | null | readonly string[]>>

interface ErrorDetails {
  /** The invalid field of the request. */
  readonly field?: string | undefined
  readonly facts?: Facts | undefined
  readonly retryAfterSeconds?: number | undefined
  /**
   * Set for `repeated`: whether the first request completed; false if it is in progress or was
   * interrupted.
   */
  readonly done?: boolean | undefined
  /**
   * Replaces the message for clients if it contains what they must not see, such as an audit row. They get no
   * facts then.
   */
  readonly forClients?: string | undefined
}

export class OperationError extends Error {
  override readonly name = 'OperationError'
  readonly code: AdminCode
  readonly field: string | undefined
  readonly facts: Facts
  readonly retryAfterSeconds: number | undefined
  readonly done: boolean | undefined
  readonly forClients: string | undefined

  constructor(code: AdminCode, message: string, details: ErrorDetails = {}) {
    super(message)
    this.code = code
    this.field = details.field
    this.facts = details.facts ?? {}
    this.retryAfterSeconds = details.retryAfterSeconds
    this.done = details.done
    this.forClients = details.forClients
  }
}

/** `problem` follows the name of the field, such as `must be a number`. */
export function wrongField(field: string, problem: string, facts?: Facts): OperationError {
  return new OperationError('invalid-request', `'${field}' ${problem}`, { field, facts })
}

export function notFound(resource: Resource, id: string | number, more: Facts = {}): OperationError {
  const facts = { resource, id, ...more }
  return new OperationError('not-found', `${resource} '${id}' not found`, { facts })
}

/** Values of `facts.resource` in errors with the code `not-found`. */
export type Resource =
  | 'account'
  | 'audit row'
  | 'batch'
  | 'key'
  | 'message'
  | 'operator'
  | 'operator key'
  | 'parked job'
  | 'route'
  | 'sender'
  | 'session'
  | 'template'
  | 'webhook'

export function hasCode(error: unknown, code: AdminCode): error is OperationError {
  return error instanceof OperationError && error.code === code
}
