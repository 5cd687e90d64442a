import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { Static } from 'typebox'
import type { ConnectionError, FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { acceptanceHeader } from '../../../contract/acceptance.ts'
import type { ErrorResponseSchema } from '../../../contract/response.ts'
import { withJitter } from '../../../platform/time/backoff.ts'
import { BrokerUnavailable } from '../../../platform/broker/publish.ts'
import { resultCodes } from '../../../contract/result-codes.ts'
import { isDatabaseUnavailable } from '../../../platform/database/database.ts'
import type { Log } from '../../../platform/logging/log.ts'
import { ThrottledLog } from '../../../platform/logging/throttled-log.ts'
import { FieldProblem, Problem, shortenMessage } from '../../../contract/problem.ts'
import { createRequestId } from './request-id.ts'

/** Multiplied by a random factor of 1 to 3, because a broker alarm may last minutes and refuses every client. */
const brokerRetrySeconds = 2

export function toProblem(error: FastifyError | Error): Problem | null {
  if (error instanceof Problem) return error
  if (error instanceof BrokerUnavailable) {
    const consequence = error.maybePublished
      ? 'perhaps accepted; repeat the request with the same Idempotency-Key, without one it may be sent twice'
      : 'not accepted; send the request again'
    const retrySeconds = Math.ceil(withJitter(brokerRetrySeconds, 2))
    const problem = new Problem('A920', `Service busy: ${consequence}`, retrySeconds)
    if (error.maybePublished) problem.acceptance = 'perhaps'
    return problem
  }
  switch ((error as FastifyError).code) {
    case 'FST_ERR_CTP_INVALID_JSON_BODY':
    case 'FST_ERR_CTP_EMPTY_JSON_BODY':
      return new Problem('A010', 'Cannot parse JSON')
    default:
      return null
  }
}

export function sendApiProblem(
  reply: FastifyReply,
  problem: Problem,
  status = resultCodes[problem.code].status,
): FastifyReply {
  if (isSend(reply.request)) reply.header(acceptanceHeader, problem.acceptance)
  if (problem.retryAfterSeconds !== undefined) reply.header('retry-after', String(problem.retryAfterSeconds))
  if (problem.explanation !== undefined) reply.header('ratelimit-reason', problem.explanation)
  const hasField = problem instanceof FieldProblem && reply.request.account?.reportKeys === 'full'
  const answer: Static<typeof ErrorResponseSchema> = {
    code: problem.code,
    result: problem.message,
    ...(hasField ? { field: shortenMessage(problem.field) } : {}),
  }
  return reply.code(status).send(answer)
}

/** Sends are the POST requests below this path; other methods cancel messages. */
function isSend({ method, routeOptions, url }: FastifyRequest): boolean {
  return method === 'POST' && (routeOptions.url ?? url).startsWith('/v1/send/')
}

/**
 * Creates the handler that turns errors into the JSON envelope. Unexpected errors are logged, throttled by kind;
 * the client receives A999 without their text.
 */
export function createErrorHandler(log: Log) {
  const rareLog = new ThrottledLog()
  return (error: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const { id: requestId, method, routeOptions } = request
    const path = routeOptions.url
    const report = (level: 'warn' | 'error', err: Error, fields: { code?: string }, text: string): void => {
      // The key excludes the text, which may differ in every request.
      const suppressed = rareLog.due(
        [method, path, fields.code, err.name, (err as FastifyError).code].join(' '),
      )
      if (suppressed !== undefined) log[level]({ err, requestId, method, path, ...fields, suppressed }, text)
    }
    const problem = toProblem(error)
    if (problem !== null) {
      if (problem.cause !== undefined)
        report(
          'error',
          problem.cause as Error,
          { code: problem.code },
          'a request failed; `err` names the cause',
        )
      return sendApiProblem(reply, problem)
    }
    if (isDatabaseUnavailable(error)) {
      report('warn', error, {}, 'PostgreSQL is unavailable; the request fails with A920')
      return sendApiProblem(reply, new Problem('A920', 'Service busy: send the request again', 1))
    }
    const status = error.statusCode
    if (status === 413) {
      const reason = `the body is too large: it must have at most ${request.routeOptions.bodyLimit} bytes; shorten it or send several requests`
      return sendApiProblem(reply, new Problem('A300', `Wrong request: ${reason}`), 400)
    }
    if (status === 415) {
      return sendApiProblem(
        reply,
        new Problem('A300', 'Wrong request: Content-Type must be application/json'),
        415,
      )
    }
    if (status !== undefined && status >= 400 && status < 500) {
      // The error's own text may repeat content of the request.
      return sendApiProblem(
        reply,
        new Problem('A300', `Wrong request: HTTP ${status} ${STATUS_CODES[status] ?? ''}`.trimEnd()),
        400,
      )
    }
    report(
      'error',
      error,
      {},
      'a request failed unexpectedly and the client received A999; `err` names the cause, report it as a bug',
    )
    return sendApiProblem(reply, new Problem('A999', 'Unknown error'))
  }
}

export function sendNotFound(_request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return sendApiProblem(
    reply,
    new Problem('A300', 'Wrong request: no such path or method; GET /docs lists them'),
    404,
  )
}

/**
 * Responds with the envelope to input that reaches no handler: it is not valid HTTP, its headers are too large,
 * or it did not arrive within the request timeout.
 */
export function sendMalformed(error: ConnectionError, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const body = JSON.stringify({
    code: 'A300',
    result: 'Wrong request: not valid HTTP, the headers are too large, or it did not arrive in time',
  })
  const head = [
    'HTTP/1.1 400 Bad Request',
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    `request-id: ${createRequestId()}`,
    // A client reads this as the response to its oldest send on the connection, which may be in progress.
    `${acceptanceHeader}: perhaps`,
    'connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}
