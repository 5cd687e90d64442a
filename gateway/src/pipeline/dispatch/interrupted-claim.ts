/**
 * Resolves a step that a previous owner of the route claimed and did not finish, because it died, stalled or lost its
 * connections. Such a step is not submitted again here (`RouteRunner` repeats it where that is harmless): parts that the previous owner may have submitted are recorded
 * as unknown, and a refusal that it recorded is published to settle. Called by `RouteRunner`.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { ClaimResult } from '../../records/messages/claim.ts'
import type { RouteJob } from '../../jobs/jobs.ts'
import type { MessageTrace } from '../../jobs/message-trace.ts'
import type { AttemptWriter } from './attempt-writer.ts'
import { interrupted, unknownAttempts, type AttemptContext } from './outcomes.ts'
import type { SubmittedPart } from './submission.ts'
import { clock } from '../../platform/clock.ts'

export interface InterruptedClaimContext {
  readonly attempts: AttemptContext
  readonly attemptWriter: Pick<AttemptWriter, 'record'>
  /** Publishes refusals that a previous owner recorded and may not have published. */
  readonly endStepAgain: (job: RouteJob) => Promise<void>
  readonly trace?: MessageTrace | undefined
  readonly signal: AbortSignal
  /** When to look for the answers of a previous owner that was interrupted. */
  readonly lookAgainAfterMs?: number
}

/**
 * A previous owner that lost PostgreSQL may still record its answers when it is connected again; without a second look
 * a refusal among them would not be published before the step's deadline.
 */
const lookAgainMs = 15_000

export async function resolveInterrupted(
  context: InterruptedClaimContext,
  job: RouteJob,
  claim: Exclude<ClaimResult, 'claimed'>,
  parts: readonly SubmittedPart[],
): Promise<void> {
  if (claim === 'stale') return
  const { attemptWriter, attempts, signal, endStepAgain, trace } = context
  const startedMs = performance.now()
  // Parts without a recorded answer may have been submitted; recorded answers are not overwritten.
  if (claim === 'interrupted' || parts.length > 1) {
    const rows = unknownAttempts(job, attempts, parts, clock.date())
    await attemptWriter.record(rows, signal)
    // The previous owner did not export its spans.
    for (const row of rows)
      trace?.submitted(
        row,
        row.routeId,
        { kind: 'unknown', code: interrupted.code },
        { startedMs, isFinal: true },
      )
    trace?.dispatched(job, attempts.routeId, interrupted.kind, { startedMs })
  }
  if (claim === 'recorded') await endStepAgain(job)
  else void lookAgain(context, job)
}

async function lookAgain(context: InterruptedClaimContext, job: RouteJob): Promise<void> {
  const { signal, endStepAgain, lookAgainAfterMs = lookAgainMs } = context
  try {
    await delay(lookAgainAfterMs, undefined, { signal, ref: false })
    await endStepAgain(job)
  } catch {
    // The owner is stopping: the step ends at its deadline instead.
  }
}
