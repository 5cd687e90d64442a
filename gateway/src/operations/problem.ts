/** Converts errors to problems of the admin API (RFC 9457). */
import type { FastifyError, FastifyReply } from 'fastify'
import { adminCodes } from './codes.ts'
import { OperationError } from './errors.ts'
import { FieldProblem, Problem } from '../contract/problem.ts'
import { BrokerUnavailable } from '../platform/broker/publish.ts'
import { isDatabaseUnavailable } from '../platform/database/database.ts'

/** Limits a message in characters, because it can quote a value of the request. */
const maxDetail = 1_000

export function sendProblem(reply: FastifyReply, error: OperationError): FastifyReply {
  const { code, message, field, facts, retryAfterSeconds, done } = error
  const { status, title } = adminCodes[code]
  if (retryAfterSeconds !== undefined) void reply.header('retry-after', String(retryAfterSeconds))
  const detail = message.slice(0, maxDetail)
  const problem = {
    type: `/problems/${code}`,
    title,
    status,
    detail,
    code,
    field,
    facts,
    retryAfterSeconds,
    done,
  }
  return reply.code(status).header('content-type', 'application/problem+json').send(JSON.stringify(problem))
}

/** Returns null for an unexpected error. */
export function toOperationError(error: FastifyError | Error): OperationError | null {
  if (error instanceof OperationError) return error
  if (error instanceof Problem) return fromClientProblem(error)
  if (error instanceof BrokerUnavailable && error.maybePublished)
    return new OperationError(
      'unavailable',
      'RabbitMQ did not confirm in time, so the request may have succeeded; check the result before retrying',
    )
  if (error instanceof BrokerUnavailable)
    return new OperationError('unavailable', 'RabbitMQ is unavailable; retry', { retryAfterSeconds: 2 })
  if (isDatabaseUnavailable(error)) return databaseProblem(error)
  if (isRefusedByFunction(error))
    return new OperationError(
      'forbidden',
      `${error.message}; if the key of this request was just replaced or revoked, use the new one`,
    )
  return fromFastify(error as FastifyError)
}

/** Problems of the client API include the next step, which also applies to operators. */
function fromClientProblem(problem: Problem): OperationError {
  const { code, message, explanation, retryAfterSeconds } = problem
  if (code === 'A020')
    return new OperationError('too-many-requests', explanation ?? message, {
      retryAfterSeconds: retryAfterSeconds ?? 1,
    })
  const field = problem instanceof FieldProblem ? problem.field : undefined
  return new OperationError('refused', message, { field })
}

/**
 * Returns what a client gets instead of an error that names parts of the installation; other errors are
 * unchanged.
 */
export function toClientError(error: unknown): Error {
  if (!(error instanceof OperationError) || error.forClients === undefined) return error as Error
  const { code, forClients, field, retryAfterSeconds, done } = error
  return new OperationError(code, forClients, { field, retryAfterSeconds, done })
}

/**
 * Reports whether a database function refused the key, which it checks again and which can have expired. A
 * right that the process lacks is a defect of the installation.
 */
function isRefusedByFunction(error: Error): boolean {
  const { code, routine } = error as { code?: unknown; routine?: unknown }
  return code === '42501' && routine === 'exec_stmt_raise'
}

function databaseProblem(error: Error): OperationError {
  const { code } = error as { code?: unknown }
  if (code === '57014')
    return new OperationError(
      'unavailable',
      'the query timed out; narrow it, or retry when the database is less busy',
      { retryAfterSeconds: 5 },
    )
  if (code === '55P03')
    return new OperationError('unavailable', 'another request is changing this object; retry', {
      retryAfterSeconds: 2,
    })
  return new OperationError('unavailable', 'PostgreSQL is unavailable; retry', { retryAfterSeconds: 2 })
}

function fromFastify({ code, statusCode, validation }: FastifyError): OperationError | null {
  if (code === 'FST_ERR_CTP_INVALID_JSON_BODY' || code === 'FST_ERR_CTP_EMPTY_JSON_BODY')
    return new OperationError('invalid-request', 'the body must be JSON')
  if (statusCode === 413) return new OperationError('invalid-request', 'the body is too large')
  if (statusCode === 415)
    return new OperationError('invalid-request', 'the Content-Type must be application/json')
  if (validation !== undefined || (statusCode !== undefined && statusCode >= 400 && statusCode < 500))
    return new OperationError('invalid-request', 'the request is not valid HTTP for this path')
  return null
}
