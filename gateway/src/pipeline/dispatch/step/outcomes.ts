import type { SubmitOutcome } from '../../../carriers/connectors/connector.ts'
import { toReference } from '../../../carriers/connectors/reference.ts'
import type { AttemptRow } from '../../../records/attempts/attempts.ts'
import type { RouteJob } from '../../../jobs/jobs.ts'
import type { RuleDecision } from '../../../trust/rule-group.ts'
import { afterOutcome } from './retries.ts'
import type { SubmittedPart } from './submission.ts'

/** Outcome of a step that was certainly not accepted; it does not reflect the carrier. */
export const expiredOutcome = {
  kind: 'unreachable',
  code: 'expired',
  text: 'the deadline of the step passed before it was submitted to the carrier',
} as const satisfies SubmitOutcome

/** Returns the outcome of a step that a trust rule refuses, recorded like any other refusal. */
export function denialOutcome({
  rule,
  cause,
  text,
}: Extract<RuleDecision, { verdict: 'fail' }>): RecordedOutcome {
  return { kind: 'refused', cause, code: rule, text }
}

/** Outcome that is recorded. */
export type RecordedOutcome = Extract<SubmitOutcome, { kind: 'accepted' | 'refused' | 'unknown' }>

export interface SortedOutcomes {
  /** Parts whose outcome must be recorded. */
  readonly recorded: readonly { readonly part: SubmittedPart; readonly outcome: RecordedOutcome }[]
  /** Parts that the carrier certainly did not accept. */
  readonly unaccepted: readonly SubmittedPart[]
  /** Pause that the carrier requests for the route. */
  readonly pauseMs: number
  /** Set if the submission counts against the maximum number of tries of the message. */
  readonly failed: boolean
}

export function sortOutcomes(
  parts: readonly SubmittedPart[],
  outcomes: readonly SubmitOutcome[],
): SortedOutcomes {
  const recorded: { part: SubmittedPart; outcome: RecordedOutcome }[] = []
  const unaccepted: SubmittedPart[] = []
  let pauseMs = 0
  outcomes.forEach((outcome, index) => {
    const part = parts[index]!
    if (isRecorded(outcome)) recorded.push({ part, outcome })
    else unaccepted.push(part)
    if (outcome.kind === 'throttled') pauseMs = Math.max(pauseMs, outcome.retryAfterMs)
  })
  return { recorded, unaccepted, pauseMs, failed: outcomes.some(({ kind }) => afterOutcome[kind].counts) }
}

function isRecorded(outcome: SubmitOutcome): outcome is RecordedOutcome {
  return afterOutcome[outcome.kind].recorded
}

export interface AttemptContext {
  readonly routeId: string
  /** Returns the id by which the carrier knows a submission, if we choose it. */
  readonly carrierIdFor?: ((reference: string) => string) | undefined
  /** Returns the mobile carrier of a recipient by its number, if the ranges are known. */
  readonly findCarrier?: ((to: string) => string | undefined) | undefined
}

export function toAttempt(
  job: RouteJob,
  context: AttemptContext,
  { part, parts }: SubmittedPart,
  outcome: RecordedOutcome,
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
    carrierId: getCarrierId(outcome, () => context.carrierIdFor?.(toReference({ ...job, part })) ?? null),
    code: outcome.kind === 'accepted' ? null : outcome.code,
    cause: outcome.kind === 'refused' ? outcome.cause : null,
    ...(outcome.kind === 'refused' && outcome.reportCode !== undefined
      ? { reportCode: outcome.reportCode }
      : {}),
    ...(outcome.kind === 'refused' && outcome.portedTo !== undefined ? { portedTo: outcome.portedTo } : {}),
    carrier:
      (outcome.kind === 'accepted' ? outcome.carrier : undefined) ?? context.findCarrier?.(job.to) ?? null,
    submittedAt: at,
    routeReason: job.why ?? null,
    heldReason: job.heldWhy ?? null,
    heldMs: job.heldAt === undefined ? null : Math.max(0, (job.releasedAt ?? at.getTime()) - job.heldAt),
  }
}

function getCarrierId(outcome: RecordedOutcome, chosen: () => string | null): string | null {
  if (outcome.kind === 'refused') return null
  return outcome.kind === 'accepted' && outcome.carrierId !== '' ? outcome.carrierId : chosen()
}

/** Outcome of a submission by a process that stopped. */
export const interrupted = {
  kind: 'unknown',
  code: 'interrupted',
  text: 'the process stopped before the outcome was recorded',
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
 * Removes the carrier's id and code, and the reasons of the route and of the hold, from an outcome that cannot be stored. A
 * refusal stays a refusal; any other outcome becomes `unknown`, so that its receipt can be matched by recipient and the part is
 * never submitted again.
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
