/**
 * Settles a batch of receipts and verdicts in one transaction: matches receipts to parts, records the results, and ends
 * the steps that are decided. Called by `settleOrPark`.
 */
import type { EndedStep } from '../../records/messages/close.ts'
import { stepId, type StepKey } from '../../jobs/step-key.ts'
import { endSteps } from './end-step.ts'
import { portedCarrier, rerouteSteps } from './reroute.ts'
import { markLate } from '../../records/attempts/late.ts'
import type { ReceiptJob, SettleJob } from '../../jobs/jobs.ts'
import type { MatchedPart } from '../../records/attempts/match.ts'
import {
  findFullyDelivered,
  recordResults,
  type PartResult,
  type ReceiptEffect,
} from '../../records/attempts/results.ts'
import { inTransaction, type Database, type Queryable } from '../../platform/database.ts'
import type { Metrics } from '../../platform/metrics.ts'
import type { Outbox } from '../scheduling/outbox.ts'
import {
  groupByPart,
  isOneOfSeveral,
  matchItems,
  partKey,
  type SettleItem,
  type SettleScope,
} from './match-items.ts'

/** `repeated`: the part already had its final receipt. `late`: its step had ended; the receipt is kept, without effect. */
export type ReceiptResult = 'settled' | 'repeated' | 'late' | 'unmatched'

export interface SettledBatch {
  /** One per item. */
  readonly receiptResults: ReceiptResult[]
  /** Steps whose receipt in this batch showed that their message was delivered twice; one per message. */
  readonly deliveredTwice: readonly StepKey[]
}

export async function settleBatch(
  database: Database,
  items: readonly SettleItem[],
  scope: SettleScope,
  metrics: Metrics,
  outbox: Outbox,
): Promise<SettledBatch> {
  const settled = await inTransaction(database, async (transaction) => {
    const matches = await matchItems(transaction, items, scope)
    const results = groupByPart(items, matches)
    const effects =
      results.length === 0 ? new Map<number, ReceiptEffect>() : await recordResults(transaction, results)
    const firsts = results.flatMap((result, n) => {
      const effect = effects.get(n)
      return effect?.first !== true ? [] : [{ ...result, effect }]
    })
    const decided = await fromResults(transaction, firsts)
    const ending = onePerStep([...fromVerdicts(items), ...decided.steps])
    const rerouted = await rerouteSteps(transaction, ending, outbox)
    const ended = await endSteps(
      transaction,
      rerouted.size === 0 ? ending : ending.filter((step) => !rerouted.has(stepId(step))),
      outbox.stepTtlSeconds,
    )
    const endedBefore = new Set([
      ...decided.endedBefore,
      ...decided.steps.map(stepId).filter((id) => !ended.ended.has(id) && !rerouted.has(id)),
    ])
    const late = firsts.filter(({ matched }) => endedBefore.has(stepId(matched)))
    const marked =
      late.length === 0
        ? []
        : await markLate(
            transaction,
            late.map(({ matched }) => matched),
          )
    const current = firsts.filter((first) => !late.includes(first))
    const unwritten = new Set(
      results.filter((_, n) => !effects.has(n)).map(({ matched }) => partKey(matched)),
    )
    const firstResults = new Map<SettleJob, ReceiptResult>()
    for (const { receipt } of current) firstResults.set(receipt, 'settled')
    for (const { receipt } of late) firstResults.set(receipt, 'late')
    return {
      codes: ended.codes,
      advanced: ended.advanced,
      rerouted: new Map([...rerouted.values()].map(({ msgKey, portedTo }) => [msgKey, portedTo!])),
      deliveredTwice: onePerMessage([
        ...marked.filter(({ firstDeliveredTwice }) => firstDeliveredTwice),
        ...firsts.filter(({ effect }) => effect.firstDeliveredTwice).map(({ matched }) => matched),
      ]),
      receiptResults: items.map((item, index) =>
        resultOf(item, matches[index] ?? null, unwritten, firstResults),
      ),
    }
  })
  // One call of a counter for each label of the batch, not for each message.
  for (const [code, count] of countEach(settled.codes)) metrics.closed.inc({ code }, count)
  const matched = settled.receiptResults.filter(
    (result, index) => items[index]!.job.kind === 'receipt' && result !== 'unmatched',
  )
  for (const [result, count] of countEach(matched)) metrics.receipts.inc({ result }, count)
  metrics.doubleDeliveries.inc(settled.deliveredTwice.length)
  // After the commit, or a route could take the step before it exists. After a crash here the outbox sweep releases it.
  await outbox.release([...settled.advanced, ...settled.rerouted.keys()], settled.rerouted)
  return settled
}

function countEach<Value>(values: readonly Value[]): Map<Value, number> {
  const counts = new Map<Value, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return counts
}

function onePerMessage(keys: readonly StepKey[]): StepKey[] {
  const byMessage = new Map(keys.map(({ msgKey, step, try: nth }) => [msgKey, { msgKey, step, try: nth }]))
  return [...byMessage.values()]
}

function fromVerdicts(items: readonly SettleItem[]): EndedStep[] {
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

/**
 * The first end of each step. One that needs a state counts only without one that needs none: the receipt of a part shows
 * that its step was submitted. Of two that need different states at most one takes effect, and which one is not known yet.
 */
function onePerStep(steps: readonly EndedStep[]): EndedStep[] {
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
async function fromResults(
  transaction: Queryable,
  results: readonly PartResult[],
): Promise<{ steps: EndedStep[]; endedBefore: ReadonlySet<string> }> {
  const several = results.filter(
    ({ matched, receipt }) => isOneOfSeveral(matched) && receipt.result === 'delivered',
  )
  const { complete, ended: endedBefore } = await findFullyDelivered(
    transaction,
    several.map(({ matched }) => matched),
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

function resultOf(
  item: SettleItem,
  match: MatchedPart | null,
  unwritten: ReadonlySet<string>,
  firstResults: ReadonlyMap<SettleJob, ReceiptResult>,
): ReceiptResult {
  if (item.job.kind === 'verdict') return 'settled'
  if (match === null || unwritten.has(partKey(match))) return 'unmatched'
  return firstResults.get(item.job) ?? 'repeated'
}
