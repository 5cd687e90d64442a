/**
 * An error that is returned to the client with its result code. Any module behind the server can throw it;
 * only `edge/api/server/errors.ts` turns it into an HTTP response.
 */
import type { Acceptance } from './acceptance.ts'
import type { ResultCode } from './result-codes.ts'

/** A message quotes paths and values of the request, which can be as long as the body. */
const maxMessage = 500

export function shortenMessage(message: string): string {
  return message.length <= maxMessage ? message : `${message.slice(0, maxMessage)}…`
}

export class Problem extends Error {
  override readonly name: string = 'Problem'
  readonly code: ResultCode
  /** Seconds after which the same request may succeed. */
  readonly retryAfterSeconds: number | undefined
  /** Explanation in ASCII for a code whose result is a fixed text; sent in a header. */
  readonly explanation: string | undefined
  /** `perhaps` if the message of a send may have been accepted although this request failed. */
  acceptance: Acceptance

  constructor(code: ResultCode, message: string, retryAfterSeconds?: number, explanation?: string) {
    // A problem is a response, not a defect, and one request may cause thousands: creating the stack would
    // cost most of the time.
    const { stackTraceLimit } = Error
    Error.stackTraceLimit = 0
    super(shortenMessage(message))
    Error.stackTraceLimit = stackTraceLimit
    this.code = code
    this.retryAfterSeconds = retryAfterSeconds
    this.explanation = explanation
    // Another request with the key is in progress, or the gateway failed at an unknown place.
    this.acceptance = code === 'A022' || code === 'A999' ? 'perhaps' : 'no'
  }
}

/** The contract fixes the text of A020, so the header names the exceeded limit. */
export function rateLimitExceeded(explanation: string, retryAfterSeconds: number): Problem {
  return new Problem('A020', 'Rate limit exceeded', retryAfterSeconds, explanation)
}

/** A problem of one field, named by its path. */
export class FieldProblem extends Problem {
  override readonly name = 'FieldProblem'
  readonly field: string
  /** The problem without the name of the field. */
  readonly reason: string

  constructor(code: ResultCode, message: string, field: string, reason: string) {
    super(code, message)
    this.field = field
    this.reason = reason
  }
}

/** Creates the problem of an invalid field, named by its path. */
export function invalidField(code: ResultCode, path: string, reason?: string): FieldProblem {
  const message = `Invalid or empty '${path}'${reason === undefined ? '' : `: ${reason}`}`
  return new FieldProblem(code, message, path, reason ?? 'is invalid or empty')
}

const maxName = 100

/**
 * Returns the path of a field in an object. A name that the client chose is shortened, because it can be as
 * long as the body.
 */
export function memberPath(object: string, name: string): string {
  const short = name.length <= maxName ? name : `${name.slice(0, maxName)}…`
  return object === '' || object.endsWith('.') ? object + short : `${object}.${short}`
}
