/**
 * The error of an operation that is refused. The message is one plain sentence for every interface: it names a field of the request as
 * 'field', and no command, option or page. The admin API sends the error as a problem; commands and the console add their own advice by
 * `code`, `field` and `facts`.
 */
import type { AdminCode } from './codes.ts'

/** Values of the message for programs. They state nothing that the message does not. */
export type Facts = Readonly<Record<string, string | number | boolean | null | readonly string[]>>

interface ErrorDetails {
  /** The field of the request that is wrong. */
  readonly field?: string | undefined
  readonly facts?: Facts | undefined
  readonly retryAfterSeconds?: number | undefined
  /** Set for `repeated`: whether the first request is done. False while it may be in progress, or was interrupted or refused. */
  readonly done?: boolean | undefined
  /** Replaces the message for clients if it names what they must not see, such as a row of the audit log. They get no facts then. */
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

/** What `not-found` and `already-exists` name in `facts.resource`. */
export type Resource =
  | 'account'
  | 'audit row'
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
