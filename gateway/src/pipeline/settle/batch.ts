/**
 * Settles a batch: records outcomes of carriers, then in one transaction matches receipts to parts, records
 * their results and ends the steps that are decided.
 *
 * A crash before the commit leaves the job of a receipt unacknowledged in its queue, or its row among the
 * orphans, and it is settled from the beginning. A receipt that is redelivered after the commit finds its part
 * by its id and is `repeated`: a receipt that the carrier sent without an id has a generated one. A redelivered
 * verdict has no effect, because its step is no longer current, and an outcome is recorded once.
 */
import assert from 'node:assert/strict'
import type { ResponseJob, ReceiptJob, SettleJob, VerdictJob } from '../../jobs/jobs.ts'
import type { MessageTrace } from '../../jobs/message-trace.ts'
import type { Topology } from '../../jobs/queues.ts'
import { stepId, type StepKey } from '../../jobs/step-key.ts'
import type { Broker } from '../../platform/broker/broker.ts'
import { inTransaction, type Database, type Queryable } from '../../platform/database/database.ts'
import { flushIsolated } from '../../platform/database/isolation.ts'
import type { Log } from '../../platform/logging/log.ts'
import type { Metrics } from '../../platform/metrics.ts'
import { isTransient, classifyError } from '../../platform/database/transient.ts'
import type { MatchedPart } from '../../records/attempts/match.ts'
import { findFullyDelivered, markLate, recordResults } from '../../records/attempts/results.ts'
import type { EndedStep } from '../../records/messages/close.ts'
import { parkJob } from '../../records/parked/park.ts'
import type { RouteResultCounter } from '../../carriers/routes/result-counter.ts'
import type { Outbox } from '../scheduling/outbox.ts'
import {
  endOrReroute,
  fromReceipt,
  fromRefusal,
  fromVerdict,
  withoutConflicts,
  publishEnds,
} from './end-steps.ts'
import { findParts, isOneOfSeveral, partKey, type SettleScope } from './match.ts'
import { recordOutcomes } from './record-outcomes.ts'

/** How a job leaves the batch; `settled` for every verdict, response job and parked job. */
export type SettleResult =
  /** The receipt belongs to no part yet. The caller retries, and finally stores it as an orphan. */
  | 'unmatched'
  /** The part already had its result; the repetition is counted. */
  | 'repeated'
  /** The step has ended by the receipt, or is open because of other parts. */
  | 'settled'
  /** The step had ended. The receipt is stored and marked as late, without effect on the message. */
  | 'late'

export interface SettleItem<Job extends SettleJob = SettleJob> {
  readonly job: Job
  /** Set for a receipt that matched nothing when it arrived. */
  readonly isStored: boolean
}

interface MatchedReceipt {
  readonly item: SettleItem<ReceiptJob>
  readonly part: MatchedPart
}

interface RecordedReceipt extends MatchedReceipt {
  /** A receipt that is not repeated counts as settled until its step turns out to have ended. */
  result: Exclude<SettleResult, 'unmatched'>
  /** Set if the receipt shows, as the first one, that its message was delivered twice. */
  deliveredTwice: boolean
}

export interface SettleBatchContext {
  readonly database: Database
  readonly outbox: Outbox
  readonly metrics: Metrics
  readonly trace?: MessageTrace | undefined
}

export interface SettledBatch {
  /** Result of each item, in the order of the items. */
  readonly results: SettleResult[]
  /** Steps whose receipt in this batch showed that their message was delivered twice; one per message. */
  readonly deliveredTwice: readonly StepKey[]
}

export async function settleBatch(
  context: SettleBatchContext,
  items: readonly SettleItem[],
  scope: SettleScope,
): Promise<SettledBatch> {
  const startedMs = performance.now()
  const { database, outbox } = context
  const refusals = await recordOutcomes(database, items.map(({ job }) => job).filter(isResponse))
  const verdicts = items.map(({ job }) => job).filter(isVerdict)
  const conclusions = [...verdicts.map(fromVerdict), ...refusals.map(fromRefusal)]
  const { receipts, ends } = await inTransaction(database, async (transaction) => {
    const parts = await findParts(transaction, items.filter(isReceipt), scope)
    const receipts = await recordReceipts(transaction, parts)
    const first = receipts.filter(({ result }) => result === 'settled')
    const { decisive, overdue } = await decideSteps(transaction, first, conclusions)
    const decided = decisive.map(({ part, item }) => fromReceipt(part, item.job))
    const ends = await endOrReroute(transaction, withoutConflicts([...conclusions, ...decided]), outbox)
    const { closed, continued, rerouted } = ends
    const ended = new Set([...closed.map(({ step }) => step), ...continued, ...rerouted].map(stepId))
    // Another worker had ended the step of a decisive receipt without an effect.
    const ineffective = decisive.filter(({ part }) => !ended.has(stepId(part)))
    await markReceiptsLate(transaction, [...overdue, ...ineffective])
    return { receipts, ends }
  })
  const deliveredTwice = publishReceipts(context, receipts)
  await publishEnds(context, ends, startedMs, findDecisive(receipts))
  const byItem = new Map<SettleItem, SettleResult>(receipts.map(({ item, result }) => [item, result]))
  const results = items.map((item) => byItem.get(item) ?? (isReceipt(item) ? 'unmatched' : 'settled'))
  return { results, deliveredTwice }
}

const isReceipt = (item: SettleItem): item is SettleItem<ReceiptJob> => item.job.kind === 'receipt'
const isResponse = (job: SettleJob): job is ResponseJob => job.kind === 'answer'
const isVerdict = (job: SettleJob): job is VerdictJob => job.kind === 'verdict'

/**
 * Records results. The first receipt of a part decides, within the batch as well. Omits the receipts whose part
 * was guessed and has been taken in the meantime.
 */
async function recordReceipts(
  transaction: Queryable,
  parts: ReadonlyMap<SettleItem<ReceiptJob>, MatchedPart>,
): Promise<RecordedReceipt[]> {
  const byPart = Map.groupBy(
    [...parts].map(([item, part]): MatchedReceipt => ({ item, part })),
    ({ part }) => partKey(part),
  )
  // Use one order, so that two workers that write the same parts do not deadlock.
  const results = [...byPart]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([, receipts]) => {
      const { item, part } = receipts[0]!
      return { matched: part, receipt: item.job, count: receipts.length, receipts }
    })
  const effects = await recordResults(transaction, results)
  return results.flatMap((result) => {
    const effect = effects.get(result)
    if (effect === undefined) {
      assert(
        result.matched.guessed,
        `the part ${partKey(result.matched)} was matched by id and is not stored`,
      )
      return []
    }
    return result.receipts.map((receipt, nth): RecordedReceipt => {
      const isFirst = effect.first && nth === 0
      const deliveredTwice = isFirst && effect.firstDeliveredTwice
      return { ...receipt, result: isFirst ? 'settled' : 'repeated', deliveredTwice }
    })
  })
}

/**
 * Decides which steps end: a failed part fails its step immediately; a delivered one ends it as delivered if
 * it was the last. The first of several failed parts decides, whatever the order of their receipts. Returns
 * also the receipts whose step another worker has ended. Locks the steps of several parts that may end,
 * including those of `conclusions`, with one statement, because two workers must not lock them in different
 * orders.
 */
async function decideSteps(
  transaction: Queryable,
  receipts: readonly RecordedReceipt[],
  conclusions: readonly EndedStep[],
): Promise<{ decisive: RecordedReceipt[]; overdue: RecordedReceipt[] }> {
  const isFailed = ({ item }: RecordedReceipt): boolean => item.job.result === 'failed'
  const several = receipts.filter(({ part }) => isOneOfSeveral(part))
  const failed = several.filter(isFailed)
  const delivered = several.filter((receipt) => !isFailed(receipt))
  const { complete, ended } = await findFullyDelivered(
    transaction,
    delivered.map(({ part }) => part),
    [...failed.map(({ part }) => part), ...conclusions.filter(({ parts }) => parts > 1)],
  )
  const undecided = new Set(delivered.filter(({ part }) => !complete.has(stepId(part))))
  const decisive = receipts.filter((receipt) => !undecided.has(receipt))
  return {
    decisive: decisive.sort((one, other) => one.part.part - other.part.part),
    overdue: [...undecided].filter(({ part }) => ended.has(stepId(part))),
  }
}

async function markReceiptsLate(transaction: Queryable, receipts: readonly RecordedReceipt[]): Promise<void> {
  const marked = await markLate(
    transaction,
    receipts.map(({ part }) => part),
  )
  const twice = new Set(marked.filter((part) => part.firstDeliveredTwice).map(partKey))
  for (const receipt of receipts) {
    receipt.result = 'late'
    receipt.deliveredTwice ||= twice.has(partKey(receipt.part))
  }
}

/** Counts and traces the receipts. Returns the steps that show that their message was delivered twice. */
function publishReceipts(
  { metrics, trace }: SettleBatchContext,
  receipts: readonly RecordedReceipt[],
): StepKey[] {
  for (const [result, { length }] of Map.groupBy(receipts, ({ result }) => result))
    metrics.receipts.inc({ result }, length)
  for (const { part, item, result } of receipts)
    if (result !== 'repeated') trace?.addReceipt(part, item.job, result)
  const twice = new Map<string, StepKey>()
  for (const { deliveredTwice, part } of receipts) {
    const { msgKey, step, try: nth } = part
    if (deliveredTwice) twice.set(msgKey, { msgKey, step, try: nth })
  }
  metrics.doubleDeliveries.inc(twice.size)
  return [...twice.values()]
}

/** Returns the part with the last settled receipt of each step, by step id: usually the part that decided. */
function findDecisive(receipts: readonly RecordedReceipt[]): Map<string, MatchedPart> {
  const settled = receipts.filter(({ result }) => result === 'settled')
  return new Map(settled.map(({ part }) => [stepId(part), part]))
}

export interface SettleOrParkContext extends SettleBatchContext {
  readonly broker: Broker
  readonly topology: Topology
  /** Counts the results of each route's messages. */
  readonly resultCounter: Pick<RouteResultCounter, 'count'>
  readonly log: Log
}

/**
 * Settles a batch. If it fails for a reason that no retry changes, isolates and parks the job that causes it,
 * so that it blocks no other. The result of a parked job is `settled`.
 */
export async function settleOrPark(
  context: SettleOrParkContext,
  items: readonly SettleItem[],
  scope: SettleScope,
): Promise<SettleResult[]> {
  const settle = (batch: SettleItem[]): Promise<SettleResult[]> => settleAndReport(context, batch, scope)
  const outcomes = await flushIsolated([...items], settle, classifyError)
  const results: SettleResult[] = []
  for (const [n, outcome] of outcomes.entries()) {
    if (outcome.status === 'fulfilled') {
      results.push(outcome.value)
    } else {
      if (isTransient(outcome.reason)) throw outcome.reason
      await parkJob(context, 'settle', items[n]!.job, outcome.reason as Error)
      results.push('settled')
    }
  }
  return results
}

async function settleAndReport(
  context: SettleOrParkContext,
  items: readonly SettleItem[],
  scope: SettleScope,
): Promise<SettleResult[]> {
  const { results, deliveredTwice } = await settleBatch(context, items, scope)
  for (const { msgKey, step } of deliveredTwice) {
    context.log.warn(
      { message: msgKey, step },
      'a message was delivered by this step although another step or try of it was submitted: the recipient may have it twice. See its timeline with `postern message show`',
    )
  }
  for (const [n, { job }] of items.entries())
    if (job.kind === 'receipt' && results[n] === 'settled')
      context.resultCounter.count(job.routeId, job.cause)
  return results
}
