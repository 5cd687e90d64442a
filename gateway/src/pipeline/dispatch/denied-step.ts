/**
 * Carries out what a rule of trust demands of a step that the runner has: it is returned to wait until its time, or it
 * fails. It is claimed before it fails, so that what a previous owner of the route may have submitted is neither repeated
 * nor overlooked, and recorded as any refusal is. Called by `RouteRunner`.
 */
import type { RouteJob } from '../../jobs/jobs.ts'
import { clock } from '../../platform/clock.ts'
import type { AttemptRow, Refusal } from '../../records/attempts/attempts.ts'
import type { ClaimResult } from '../../records/messages/claim.ts'
import type { Denial } from '../../trust/rule-group.ts'
import type { RuleId } from '../../trust/rules.ts'
import { resolveInterrupted, type InterruptedClaimContext } from './interrupted-claim.ts'
import { denialOutcome, toAttempt } from './outcomes.ts'
import type { SubmittedPart } from './submission.ts'

export interface DeniedStepContext extends InterruptedClaimContext {
  /** Resolves when the rows are durable. Settle ends the step by rows that were handed over. */
  readonly record: (rows: readonly AttemptRow[]) => Promise<'recorded' | 'handed-over'>
  /** Claims the step, or publishes its job again when the owner is stopping. */
  readonly claim: () => Promise<ClaimResult | 'requeued'>
  readonly endStep: (job: RouteJob, refused: Refusal) => Promise<void>
  readonly returnStep: (
    job: RouteJob,
    how: { readonly kind: 'later'; readonly afterMs: number; readonly rule: RuleId },
  ) => Promise<void>
}

/** `job`: with the number of its tries. */
export async function stopDenied(
  context: DeniedStepContext,
  job: RouteJob,
  parts: readonly SubmittedPart[],
  denial: Denial,
): Promise<void> {
  if (denial.verdict === 'hold') {
    const afterMs = Math.max(0, denial.until - clock.now())
    return context.returnStep(job, { kind: 'later', afterMs, rule: denial.rule })
  }
  const result = await context.claim()
  if (result === 'requeued') return
  if (result !== 'claimed') return resolveInterrupted(context, job, result, parts)
  const outcome = denialOutcome(denial)
  const rows = parts.map((part) => toAttempt(job, context.attempts, part, outcome, clock.date()))
  if ((await context.record(rows)) === 'recorded') await context.endStep(job, rows[0]!)
}
