/**
 * What a report code means, its usual cause, and what to do next. Texts are kept by cause; a code has a text of its own
 * only where the cause means something else in its family.
 */
import type { Cause } from './cause.ts'
import type { Fault } from './report-details.ts'

export type Language = 'en' | 'ko'

export interface Meaning {
  readonly text: string
  /** The usual cause. */
  readonly cause: string
  /** What to do next. */
  readonly action: string
}

export interface Meanings {
  readonly byCause: Readonly<Record<Cause, Meaning>>
  readonly byCode: Readonly<Record<string, Meaning>>
  /** Of the codes in `report-details.ts`. */
  readonly byFault: Readonly<Record<Fault, Omit<Meaning, 'text'>>>
}

export function meaning(text: string, cause: string, action: string): Meaning {
  return { text, cause, action }
}
