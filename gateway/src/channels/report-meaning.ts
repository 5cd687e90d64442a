/**
 * What a report code means to a person: in words, why it usually comes, and what to do next. Texts go by cause, so
 * that a family's own code needs none of its own unless the cause means something else there.
 */
import type { Cause } from './cause.ts'

export type Language = 'en' | 'ko'

export interface Meaning {
  readonly text: string
  /** What is probably behind it. */
  readonly cause: string
  /** What to do next. */
  readonly action: string
}

export interface Words {
  readonly byCause: Readonly<Record<Cause, Meaning>>
  readonly byCode: Readonly<Record<string, Meaning>>
}

export function words(text: string, cause: string, action: string): Meaning {
  return { text, cause, action }
}
