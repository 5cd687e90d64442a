/**
 * An error that is answered to the client with its result code. Any module behind the server may throw it; only
 * `api/server/errors.ts` turns it into an HTTP answer.
 */
import type { ResultCode } from './result-codes.ts'

/** A message quotes paths and values of the request, which may be as long as the body. */
const maxMessage = 500

export function shortenMessage(message: string): string {
  return message.length <= maxMessage ? message : `${message.slice(0, maxMessage)}…`
}

export class Problem extends Error {
  override readonly name: string = 'Problem'
  readonly code: ResultCode
  /** Seconds after which the same request may succeed. */
  readonly retryAfterSeconds: number | undefined
  /** ASCII, for a code whose result is a fixed text; answered in a header. */
  readonly explanation: string | undefined

  constructor(code: ResultCode, message: string, retryAfterSeconds?: number, explanation?: string) {
    // It is an answer, not a defect, and one request may have thousands: without a stack one takes 2 µs instead of 20.
    const { stackTraceLimit } = Error
    Error.stackTraceLimit = 0
    super(shortenMessage(message))
    Error.stackTraceLimit = stackTraceLimit
    this.code = code
    this.retryAfterSeconds = retryAfterSeconds
    this.explanation = explanation
  }
}

/** The contract fixes the text of A020: which limit it was is in the header. */
export function rateLimitExceeded(explanation: string, retryAfterSeconds: number): Problem {
  return new Problem('A020', 'Rate limit exceeded', retryAfterSeconds, explanation)
}

/** A problem of one field, named by its path. */
export class FieldProblem extends Problem {
  override readonly name = 'FieldProblem'
  readonly field: string
  /** What is wrong with it, without its name. */
  readonly reason: string

  constructor(code: ResultCode, message: string, field: string, reason: string) {
    super(code, message)
    this.field = field
    this.reason = reason
  }
}

/** A wrong field, named by its path, with what is wrong with it. */
export function invalidField(code: ResultCode, path: string, reason?: string): FieldProblem {
  const message = `Invalid or empty '${path}'${reason === undefined ? '' : `: ${reason}`}`
  return new FieldProblem(code, message, path, reason ?? 'is invalid or empty')
}

const maxName = 100

/** The path of a field in an object. A name that the customer chose is shortened: it may be as long as the body. */
export function memberPath(object: string, name: string): string {
  const short = name.length <= maxName ? name : `${name.slice(0, maxName)}…`
  return object === '' || object.endsWith('.') ? object + short : `${object}.${short}`
}
