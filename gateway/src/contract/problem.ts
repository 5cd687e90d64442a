/**
 * The caller's fault, named by a code of the public catalogue. Thrown anywhere behind the edge; `edge/errors.ts`
 * alone turns it into HTTP.
 */
export class Problem extends Error {
  override readonly name: string = 'Problem'
  readonly code: string
  /** Seconds after which the same request may succeed. */
  readonly retryAfterSeconds: number | undefined

  constructor(code: string, message: string, retryAfterSeconds?: number) {
    super(message)
    this.code = code
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** A problem of one field, named by its path. */
export class FieldProblem extends Problem {
  override readonly name = 'FieldProblem'
  readonly field: string
  /** What is wrong about it, without its name. */
  readonly reason: string

  constructor(code: string, message: string, field: string, reason: string) {
    super(code, message)
    this.field = field
    this.reason = reason
  }
}

/** A wrong field, named by its path, with what is wrong about it. */
export function invalidField(code: string, path: string, reason?: string): FieldProblem {
  const message = `Invalid or empty '${path}'${reason === undefined ? '' : `: ${reason}`}`
  return new FieldProblem(code, message, path, reason ?? 'it is wrong or empty')
}
