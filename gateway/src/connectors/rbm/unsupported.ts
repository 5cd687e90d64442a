/** A content that RBM cannot show. It ends the step, so that the fallback starts. */
import type { SubmitOutcome } from '../connector.ts'

export class UnsupportedContent extends Error {
  override readonly name = 'UnsupportedContent'
  readonly code: string

  /** The message is for the operator and must not contain the text of a message. */
  constructor(code: string, message: string) {
    super(message)
    this.code = `rbm:${code}`
  }

  toOutcome(): SubmitOutcome {
    return { kind: 'refused', cause: 'unsupported', code: this.code, text: this.message }
  }
}

export function checkMax(value: string, max: number, what: string): string {
  if (value.length <= max) return value
  throw new UnsupportedContent('length', `${what} has ${value.length} characters; RBM allows ${max}`)
}
