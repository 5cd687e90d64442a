/** Adds what a settled batch did to the traces of its messages: receipts, reports and next steps. Called by settle and deadlines. */
import type { ReceiptJob } from '../../jobs/jobs.ts'
import type { MessageTrace } from '../../jobs/message-trace.ts'
import { stepId } from '../../jobs/step-key.ts'
import type { MatchedPart } from '../../records/attempts/match.ts'
import type { EndStepsResult } from './end-step.ts'

/** A receipt that was the first of its part. */
export interface TracedReceipt {
  readonly matched: MatchedPart
  readonly receipt: ReceiptJob
  /** Its step had ended before. */
  readonly isLate: boolean
}

export type TracedEnds = Pick<EndStepsResult, 'closed' | 'continued'>

/** After the commit. `startedMs`: when the batch was begun, by `performance.now()`. */
export function traceSettled(
  trace: MessageTrace,
  receipts: readonly TracedReceipt[],
  { closed, continued }: TracedEnds,
  startedMs: number,
): void {
  const decisive = new Map<string, MatchedPart>()
  for (const { matched, receipt, isLate } of receipts) {
    if (!isLate) decisive.set(stepId(matched), matched)
    trace.receipt(matched, receipt, isLate ? 'late' : 'settled')
  }
  for (const { step, code } of closed) trace.reported(step, code, decisive.get(stepId(step)), { startedMs })
  for (const step of continued) trace.advanced(step, decisive.get(stepId(step)), { startedMs })
}
