/** Sorts a carrier's outcomes and converts them to attempt rows. */
import type { SubmitOutcome } from '../../../connectors/connector.ts'
import { toReference } from '../../../connectors/reference.ts'
import type { AttemptRow } from '../../../records/attempts/attempts.ts'
import type { RouteJob } from '../../../jobs/jobs.ts'
import type { Denial } from '../../../trust/rule-group.ts'
import { afterOutcome } from './retries.ts'
import type { SubmittedPart } from './submission.ts'

/** The step was certainly not accepted, which says nothing about the carrier. */
export const expiredOutcome = {
  kind: 'unreachable',
  code: 'expired',
  text: 'the deadline of the step passed before it was handed to the carrier',
} as const satisfies SubmitOutcome

/** The outcome of a step that a trust rule refuses: recorded like any other refusal. */
export function denialOutcome({ rule, cause, text }: Extract<Denial, { verdict: 'fail' }>): Answer {
  return { kind: 'refused', cause, code: rule, text }
}

/** An outcome that is recorded. */
export type Answer = Extract<SubmitOutcome, { kind: 'accepted' | 'refused' | 'unknown' }>

export interface SortedOutcomes {
  /** Parts whose answer must be recorded. */
  readonly answered: readonly { readonly part: SubmittedPart; readonly outcome: Answer }[]
  /** Parts that the carrier certainly did not accept. */
  readonly again: readonly SubmittedPart[]
  /** How long the carrier asks the route to pause. */
  readonly pauseMs: number
  /** Counts against the message's bounded number of tries. */
  readonly failed: boolean
}

export function sortOutcomes(
  parts: readonly SubmittedPart[],
  outcomes: readonly SubmitOutcome[],
): SortedOutcomes {
  const answered: { part: SubmittedPart; outcome: Answer }[] = []
  const again: SubmittedPart[] = []
  let pauseMs = 0
  outcomes.forEach((outcome, index) => {
    const part = parts[index]!
    if (isAnswer(outcome)) answered.push({ part, outcome })
    else again.push(part)
    if (outcome.kind === 'throttled') pauseMs = Math.max(pauseMs, outcome.retryAfterMs)
  })
  return {
    answered,
    again,
    pauseMs,
    failed: outcomes.some(({ kind }) => afterOutcome[kind].counts),
  }
}

function isAnswer(outcome: SubmitOutcome): outcome is Answer {
  return afterOutcome[outcome.kind].recorded
}

export interface AttemptContext {
  readonly routeId: string
  /** The id that the carrier knows a submission by, when we choose it. */
  readonly carrierIdFor?: ((reference: string) => string) | undefined
  /** The recipient's mobile carrier by its number, when the ranges are known. */
  readonly carrierOf?: ((to: string) => string | undefined) | undefined
}

export function toAttempt(
  job: RouteJob,
  context: AttemptContext,
  { part, parts }: SubmittedPart,
  outcome: Answer,
  at: Date,
): AttemptRow {
  const { msgKey, step, try: nth } = job
  return {
    msgKey,
    step,
    try: nth,
    part,
    parts,
    routeId: context.routeId,
    recipient: job.to,
    outcome: outcome.kind,
    carrierId: carrierIdOf(outcome, () => context.carrierIdFor?.(toReference({ ...job, part })) ?? null),
    code: outcome.kind === 'accepted' ? null : outcome.code,
    cause: outcome.kind === 'refused' ? outcome.cause : null,
    ...(outcome.kind === 'refused' && outcome.reportCode !== undefined
      ? { reportCode: outcome.reportCode }
      : {}),
    ...(outcome.kind === 'refused' && outcome.portedTo !== undefined ? { portedTo: outcome.portedTo } : {}),
    carrier:
      (outcome.kind === 'accepted' ? outcome.carrier : undefined) ?? context.carrierOf?.(job.to) ?? null,
    submittedAt: at,
    routeReason: job.why ?? null,
    heldReason: job.heldWhy ?? null,
    heldMs: job.heldAt === undefined ? null : Math.max(0, (job.releasedAt ?? at.getTime()) - job.heldAt),
  }
}

function carrierIdOf(outcome: Answer, chosen: () => string | null): string | null {
  if (outcome.kind === 'refused') return null
  return outcome.kind === 'accepted' && outcome.carrierId !== '' ? outcome.carrierId : chosen()
}

/** The outcome of a submission by a process that stopped. */
export const interrupted = {
  kind: 'unknown',
  code: 'interrupted',
  text: 'the process stopped before the answer was recorded',
} as const

export function unknownAttempts(
  job: RouteJob,
  context: AttemptContext,
  parts: readonly SubmittedPart[],
  at: Date,
): AttemptRow[] {
  return parts.map((part) => toAttempt(job, context, part, interrupted, at))
}

/**
 * What is left of an answer that cannot be stored: nothing in it comes from the carrier. A refusal stays a refusal; any
 * other answer is `unknown`, so that its receipt can be matched by recipient and the part is never submitted again.
 */
export function reduceAttempt(row: AttemptRow): AttemptRow {
  return {
    ...row,
    outcome: row.outcome === 'refused' ? 'refused' : 'unknown',
    carrierId: null,
    code: 'unrecordable',
    routeReason: null,
    heldReason: null,
    heldMs: null,
  }
}
