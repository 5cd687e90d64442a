/**
 * Which steps end by the jobs of a batch, and how: verdicts, refusals among answers, and receipts. Called by
 * `settleBatch`, in its transaction.
 */
import { stepId } from '../../jobs/step-key.ts'
import type { ReceiptJob } from '../../jobs/jobs.ts'
import type { Queryable } from '../../platform/database.ts'
import type { Refusal } from '../../records/attempts/attempts.ts'
import { findFullyDelivered, type PartResult } from '../../records/attempts/results.ts'
import type { EndedStep } from '../../records/messages/close.ts'
import { isOneOfSeveral, type SettleItem } from './match-items.ts'
import { portedCarrier } from './reroute.ts'

export function fromVerdicts(items: readonly SettleItem[]): EndedStep[] {
  return items.flatMap(({ job }) => {
    if (job.kind !== 'verdict') return []
    const at = new Date(job.at)
    return [
      {
        msgKey: job.msgKey,
        step: job.step,
        try: job.try,
        cause: job.cause,
        reportCode: job.reportCode,
        parts: job.parts,
        carrier: job.carrier,
        portedTo: job.portedTo,
        sentAt: at,
        at,
        state: job.state,
      },
    ]
  })
}

/** A refused part fails its step. */
export function fromRefusals(refusals: readonly Refusal[]): EndedStep[] {
  return refusals.map((row) => {
    const { msgKey, step, try: nth, cause, reportCode, parts, carrier, submittedAt: at } = row
    return {
      ...{ msgKey, step, try: nth, cause: cause ?? 'refused', reportCode, parts, sentAt: at, at },
      carrier: carrier ?? undefined,
      portedTo: isOneOfSeveral(row) ? undefined : row.portedTo,
      state: 'submitting' as const,
    }
  })
}

/**
 * The first end of each step. One that needs a state counts only without one that needs none: the receipt of a part shows
 * that its step was submitted. Of two that need different states at most one takes effect, and which one is not known yet.
 */
export function onePerStep(steps: readonly EndedStep[]): EndedStep[] {
  return [...Map.groupBy(steps, stepId).values()].flatMap((ends) => {
    const unconditional = ends.find(({ state }) => state === undefined)
    if (unconditional !== undefined) return [unconditional]
    return [...new Map(ends.toReversed().map((end) => [end.state, end])).values()]
  })
}

/**
 * A failed part fails its step at once; a delivered one ends it as delivered when it was the last. Of several failed parts
 * in one batch the first part decides, whatever the order of their receipts.
 */
export async function fromResults(
  transaction: Queryable,
  results: readonly PartResult[],
  verdicts: readonly EndedStep[],
): Promise<{ steps: EndedStep[]; endedBefore: ReadonlySet<string> }> {
  const several = results.filter(({ matched }) => isOneOfSeveral(matched))
  const [failed, delivered] = [
    several.filter(({ receipt }) => receipt.result === 'failed'),
    several.filter(({ receipt }) => receipt.result === 'delivered'),
  ]
  const { complete, ended: endedBefore } = await findFullyDelivered(
    transaction,
    delivered.map(({ matched }) => matched),
    [...failed.map(({ matched }) => matched), ...verdicts.filter(({ parts }) => parts > 1)],
  )
  const steps = results
    .filter(
      ({ matched, receipt }) =>
        receipt.result === 'failed' || !isOneOfSeveral(matched) || complete.has(stepId(matched)),
    )
    .sort((left, right) => left.matched.part - right.matched.part)
    .map(({ matched, receipt }) => ({
      msgKey: matched.msgKey,
      step: matched.step,
      try: matched.try,
      cause: receipt.cause,
      reportCode: receipt.reportCode,
      parts: matched.parts,
      carrier: receipt.carrier ?? matched.carrier ?? undefined,
      portedTo: portedCarrier(matched, receipt),
      uncertain: receipt.cause === 'outcome-unknown' ? ('unknown' as const) : undefined,
      userType: receipt.userType,
      sentAt: matched.submittedAt,
      at: plausibleTime(receipt, matched.submittedAt),
    }))
  return { steps, endedBefore }
}

/** A carrier's clock may be wrong, and many give whole minutes: never before the submission, never in the future. */
function plausibleTime(receipt: ReceiptJob, submittedAt: Date): Date {
  return new Date(Math.max(Math.min(receipt.at, receipt.receivedAt), submittedAt.getTime()))
}
