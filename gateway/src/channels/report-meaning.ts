/**
 * The meaning of a report code, its usual cause and the next action. They are stored by cause; a code has its own
 * only if the cause has another meaning in its family. Codes of `report-details.ts` have their own text.
 */
import type { Cause } from './cause.ts'
import type { ReportFault } from './report-details.ts'

export type Language = 'en' | 'ko'

export interface ReportCodeMeaning {
  readonly text: string
  /** Usual cause. */
  readonly cause: string
  /** Recommended next action. */
  readonly action: string
}

export interface ReportMeanings {
  readonly byCause: Readonly<Record<Cause, ReportCodeMeaning>>
  readonly byCode: Readonly<Record<string, ReportCodeMeaning>>
  /** Usual cause and next action of the codes in `report-details.ts`. */
  readonly byFault: Readonly<Record<ReportFault, Omit<ReportCodeMeaning, 'text'>>>
}

export function createMeaning(text: string, cause: string, action: string): ReportCodeMeaning {
  return { text, cause, action }
}
