/** Sorts a carrier's answers and turns them into attempt rows. Pure; called by `RouteRunner`. */
import type { Part } from '../../channels/channel.ts'
import type { SubmitOutcome } from '../../connectors/connector.ts'
import type { AttemptRow } from '../../records/attempts/attempts.ts'
import type { RouteJob } from '../../jobs/jobs.ts'
import { afterOutcome } from './retries.ts'

export type Answer = Extract<SubmitOutcome, { kind: 'accepted' | 'refused' | 'unknown' }>

export interface SortedOutcomes {
  /** Parts whose answer must be recorded. */
  readonly answered: readonly { readonly part: Part; readonly outcome: Answer }[]
  /** Parts that the carrier certainly did not accept. */
  readonly again: readonly Part[]
  /** How long the carrier asks the route to pause. */
  readonly pauseMs: number
  /** Counts against the message's bounded number of tries. */
  readonly failed: boolean
}

export function sortOutcomes(parts: readonly Part[], outcomes: readonly SubmitOutcome[]): SortedOutcomes {
  const answered: { part: Part; outcome: Answer }[] = []
  const again: Part[] = []
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

export function toAttempt(job: RouteJob, routeId: string, part: Part, outcome: Answer, at: Date): AttemptRow {
  return {
    msgKey: job.msgKey,
    step: job.step,
    try: job.try,
    part: part.part,
    parts: part.parts,
    routeId,
    recipient: job.to,
    outcome: outcome.kind,
    carrierId: outcome.kind === 'accepted' ? outcome.carrierId : null,
    code: outcome.kind === 'accepted' ? null : outcome.code,
    cause: outcome.kind === 'refused' ? outcome.cause : null,
    submittedAt: at,
    routeReason: job.why ?? null,
    heldReason: job.heldWhy ?? null,
    heldMs: job.heldAt === undefined ? null : Math.max(0, (job.releasedAt ?? at.getTime()) - job.heldAt),
  }
}

export function unknownAttempts(
  job: RouteJob,
  routeId: string,
  parts: readonly Part[],
  at: Date,
): AttemptRow[] {
  const outcome: Answer = {
    kind: 'unknown',
    code: 'interrupted',
    text: 'the process stopped before the answer was recorded',
  }
  return parts.map((part) => toAttempt(job, routeId, part, outcome, at))
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
