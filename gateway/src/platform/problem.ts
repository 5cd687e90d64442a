/**
 * The caller's fault, named by a code of the public catalogue. Thrown anywhere behind the edge; `edge/errors.ts`
 * alone turns it into HTTP.
 */
export class Problem extends Error {
  readonly code: string
  /** Seconds after which the same request may succeed. */
  readonly retryAfterSeconds: number | undefined

  constructor(code: string, message: string, retryAfterSeconds?: number) {
    super(message)
    this.code = code
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** A wrong field, named by its path, with what is wrong about it. */
export function invalidField(code: string, path: string, reason?: string): Problem {
  return new Problem(code, `Invalid or empty '${path}'${reason === undefined ? '' : `: ${reason}`}`)
}
