/**
 * What an owner that stops leaves to others, so that nothing it knows is lost: answers that it cannot record, claims that it
 * did not use, and the parts of a message that the carrier did not accept. Called by `RouteRunner`.
 */
import type { Connector } from '../../connectors/connector.ts'
import type { RouteJob } from '../../jobs/jobs.ts'
import { ProcessStopping } from '../../platform/retry.ts'
import type { AttemptRow } from '../../records/attempts/attempts.ts'
import type { StepClaim } from '../../records/messages/claim.ts'
import type { AttemptWriter } from './attempt-writer.ts'
import type { SubmittedPart } from './submission.ts'

export interface HandOverContext {
  readonly connector: Pick<Connector, 'repeatable'>
  readonly attemptWriter: Pick<AttemptWriter, 'record' | 'takeOverRest'>
  readonly signal: AbortSignal
  /**
   * Hands answers of the carrier over to settle, which records them; resolves when durable. Repeated for as long as the
   * process runs, because nobody else knows them.
   */
  readonly handOver: (rows: readonly AttemptRow[], token: number) => Promise<void>
  /** Publishes the job to its queue again, without PostgreSQL; resolves when durable. Repeated like `handOver`. */
  readonly requeue: (job: RouteJob) => Promise<void>
}

/** Of claims whose statement may not have been processed: each is of an owner that stopped without PostgreSQL. */
const maxTokens = 8

/**
 * Records answers. When the owner stops before PostgreSQL has taken them, they are handed over instead: another owner finds
 * the claim of the step alone and takes its outcome for unknown, and the answer, once recorded, replaces that. Settle ends
 * the step of a refusal that is handed over, unless the next owner has taken over the claim with this token to repeat
 * the step. Where the carrier recognizes repeats, rows that say nothing are not handed over: once recorded they would keep
 * the next owner from repeating the step; and a refusal is always handed over, because its statement may be processed
 * after this owner has lost the route.
 */
export async function recordOrHandOver(
  context: HandOverContext,
  rows: readonly AttemptRow[],
  token: number,
): Promise<'recorded' | 'handed-over'> {
  const { attemptWriter, connector, signal, handOver } = context
  const isRefusal = rows.some(({ outcome }) => outcome === 'refused')
  if (connector.repeatable !== true || !isRefusal) {
    try {
      await attemptWriter.record(rows, signal)
      return 'recorded'
    } catch (error) {
      const isRepeated = connector.repeatable === true && rows.every(({ outcome }) => outcome === 'unknown')
      if (!(error instanceof ProcessStopping) || isRepeated) throw error
    }
  }
  await handOver(rows, token)
  return 'handed-over'
}

/**
 * Waits for a claim, or its return, whose step is certainly not submitted. When the owner stops before PostgreSQL has
 * answered, the claim may be committed: the job is published with what names the claim, so that the next owner submits the
 * step instead of recording it as unknown.
 */
export async function orRequeue<T>(
  { requeue }: HandOverContext,
  written: Promise<T>,
  job: RouteJob,
  naming: Pick<RouteJob, 'tries' | 'unsubmittedClaim' | 'rest'>,
): Promise<T | 'requeued'> {
  try {
    return await written
  } catch (error) {
    if (!(error instanceof ProcessStopping)) throw error
    await requeue({ ...job, ...naming })
    return 'requeued'
  }
}

/** The owner stops while the carrier has accepted some parts of a step: the next owner submits the others. */
export function requeueRest(
  { requeue }: HandOverContext,
  job: RouteJob,
  token: number,
  remaining: readonly SubmittedPart[],
): Promise<void> {
  return requeue({ ...job, rest: { tokens: [token], parts: remaining.map(({ part }) => part) } })
}

/** Takes over the claim of the owner that published the rest of the step. */
export function takeRest(
  context: HandOverContext,
  job: RouteJob,
  rest: NonNullable<RouteJob['rest']>,
  claim: StepClaim,
): Promise<'claimed' | 'interrupted' | 'stale' | 'requeued'> {
  const { attemptWriter, signal } = context
  const tokens = [...rest.tokens, claim.token].slice(-maxTokens)
  const taken = attemptWriter.takeOverRest(claim, rest.tokens, signal)
  return orRequeue(context, taken, job, { rest: { ...rest, tokens } })
}
