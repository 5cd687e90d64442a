/** Thrown for content that RBM does not support. It ends the step, so that the fallback starts. */
import type { SubmitOutcome } from '../connector.ts'

export class UnsupportedContent extends Error {
  override readonly name = 'UnsupportedContent'
  readonly code: string

  /** `message` is for operators and must not contain the text of a message. */
  constructor(code: string, message: string) {
    super(message)
    this.code = `rbm:${code}`
  }

  toOutcome(): SubmitOutcome {
    return { kind: 'refused', cause: 'unsupported', code: this.code, text: this.message }
  }
}

export function checkMax(value: string, max: number, name: string): string {
  if (value.length <= max) return value
  throw new UnsupportedContent(
    'length',
    `${name} must have at most ${max} characters at RBM, got ${value.length}`,
  )
}
