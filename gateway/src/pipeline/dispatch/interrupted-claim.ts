/**
 * A step that somebody began before: an owner that died, stood still or was cut off. It is never submitted again here;
 * what that owner may have submitted is noted as unknown, and a refusal it recorded is handed on.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { Part } from '../../channels/channel.ts'
import type { StepKey } from '../../jobs/step-key.ts'
import type { Claim } from '../../records/messages/claim.ts'
import type { RouteJob } from '../../jobs/jobs.ts'
import type { Route } from '../../routes/route.ts'
import type { AttemptWriter } from './attempt-writer.ts'
import { unknownAttempts } from './outcomes.ts'

export interface InterruptedClaimContext {
  readonly route: Pick<Route, 'id'>
  readonly attemptWriter: Pick<AttemptWriter, 'record'>
  /** Refusals recorded by a predecessor that may not have been handed on. */
  readonly endStepAgain: (key: StepKey) => Promise<void>
  readonly signal: AbortSignal
  /** When to look for the answer of a predecessor that was interrupted. */
  readonly lookAgainAfterMs?: number
}

/**
 * A predecessor that was cut off from the record may still have an answer on its way there; a refusal among them would
 * be heard of by nobody before the deadline.
 */
const lookAgainMs = 15_000

export async function resolveInterrupted(
  context: InterruptedClaimContext,
  job: RouteJob,
  claim: Exclude<Claim, 'claimed'>,
  parts: readonly Part[],
): Promise<void> {
  if (claim === 'stale') return
  const { attemptWriter, route, signal, endStepAgain } = context
  // Parts without a recorded answer were perhaps submitted; recorded ones are not overwritten.
  if (claim === 'interrupted' || parts.length > 1) {
    await attemptWriter.record(unknownAttempts(job, route.id, parts, new Date()), signal)
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
    // Stopping: the deadline decides then.
  }
}
