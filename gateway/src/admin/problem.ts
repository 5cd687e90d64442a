/** An error that the admin API answers with its code, and what each error of an act becomes. */
import type { FastifyError } from 'fastify'
import {
  FailedError,
  NotFoundError,
  ReasonMissingError,
  RepeatedError,
  RightMissingError,
  StaleError,
  UsageError,
} from '../acts/errors.ts'
import { FieldProblem, Problem } from '../contract/problem.ts'
import { BrokerUnavailable } from '../platform/broker/publish.ts'
import { isDatabaseUnavailable } from '../platform/database.ts'
import type { AdminCode } from './codes.ts'

export class AdminProblem extends Error {
  override readonly name = 'AdminProblem'
  readonly code: AdminCode
  readonly retryAfterSeconds: number | undefined
  /** Of a repeated request: whether the first one is done. */
  readonly done: boolean | undefined
  /** Path of the field of the request that is wrong, such as `options.host`. */
  readonly field: string | undefined

  constructor(code: AdminCode, message: string, retryAfterSeconds?: number, done?: boolean, field?: string) {
    super(message)
    this.code = code
    this.retryAfterSeconds = retryAfterSeconds
    this.done = done
    this.field = field
  }
}

/** Null for a defect. */
export function toAdminProblem(error: FastifyError | Error): AdminProblem | null {
  if (error instanceof AdminProblem) return error
  if (error instanceof ReasonMissingError)
    return new AdminProblem('reason-missing', `a reason is missing: ${error.why}`)
  if (error instanceof UsageError)
    return new AdminProblem('invalid-request', error.message, undefined, undefined, error.field)
  if (error instanceof FieldProblem)
    return new AdminProblem('refused', error.message, undefined, undefined, error.field)
  if (error instanceof NotFoundError) return new AdminProblem('not-found', error.message)
  if (error instanceof RightMissingError) return new AdminProblem('forbidden', error.message)
  if (error instanceof StaleError) return new AdminProblem('stale', error.message)
  if (error instanceof RepeatedError)
    return new AdminProblem('repeated', error.message, undefined, error.done)
  if (error instanceof Problem && error.code === 'A020')
    return new AdminProblem(
      'too-many-requests',
      error.explanation ?? error.message,
      error.retryAfterSeconds ?? 1,
    )
  // A Problem is what a client of the public API would read: it says what to do next, for an operator too.
  if (error instanceof FailedError || error instanceof Problem)
    return new AdminProblem('refused', error.message)
  if (error instanceof BrokerUnavailable)
    return new AdminProblem('unavailable', 'RabbitMQ is unavailable; repeat the request', 2)
  if (isDatabaseUnavailable(error)) return databaseProblem(error)
  if (isRefusedByFunction(error))
    return new AdminProblem(
      'forbidden',
      `${error.message}; where the key of this request has just been replaced or revoked, use the new one`,
    )
  return fromFastify(error as FastifyError)
}

/** What a client is told instead of an error that names something of the installation; every other error as it is. */
export function toClientError(error: unknown): Error {
  if (!(error instanceof FailedError) || error.forClients === undefined) return error as Error
  const problem = toAdminProblem(error)
  return new AdminProblem(problem?.code ?? 'refused', error.forClients, undefined, problem?.done)
}

/** Functions of the database check the key again, which may have ended since. A right that the process lacks is a defect of the installation. */
function isRefusedByFunction(error: Error): boolean {
  const { code, routine } = error as { code?: unknown; routine?: unknown }
  return code === '42501' && routine === 'exec_stmt_raise'
}

function databaseProblem(error: Error): AdminProblem {
  const { code } = error as { code?: unknown }
  if (code === '57014')
    return new AdminProblem(
      'unavailable',
      'the query took longer than it may and was ended; narrow it, or repeat it when the database is less busy',
      5,
    )
  if (code === '55P03')
    return new AdminProblem(
      'unavailable',
      'another change of the same object is in progress; repeat the request',
      2,
    )
  return new AdminProblem('unavailable', 'PostgreSQL is unavailable; repeat the request', 2)
}

function fromFastify({ code, statusCode, validation }: FastifyError): AdminProblem | null {
  if (code === 'FST_ERR_CTP_INVALID_JSON_BODY' || code === 'FST_ERR_CTP_EMPTY_JSON_BODY')
    return new AdminProblem('invalid-request', 'the body must be JSON')
  if (statusCode === 413) return new AdminProblem('invalid-request', 'the body is too large')
  if (statusCode === 415)
    return new AdminProblem('invalid-request', 'the Content-Type must be application/json')
  if (validation !== undefined || (statusCode !== undefined && statusCode >= 400 && statusCode < 500))
    return new AdminProblem('invalid-request', 'the request is not valid HTTP for this path')
  return null
}
