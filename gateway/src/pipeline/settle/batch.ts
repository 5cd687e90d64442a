/**
 * Settles a batch: records outcomes of carriers, then in one transaction matches receipts to parts, records
 * their results and ends the steps that are decided. Each phase takes the receipts in one state and returns
 * them in the next.
 */
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
import { createMove, type EndState } from '../../platform/transitions.ts'
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
  type StepEnds,
} from './end-steps.ts'
import { findParts, isOneOfSeveral, partKey, type SettleScope } from './match.ts'
import { recordOutcomes } from './record-outcomes.ts'

/**
 * States of a receipt. Outcomes are recorded first; all other writes of a batch commit together. A crash
 * before the commit leaves the job unacknowledged in its queue, or its row among the orphans, and it starts
 * again as `received`. A receipt that is redelivered after the commit finds its part by its id and ends as
 * `repeated`: a receipt that the carrier sent without an id has a generated one. Verdicts and response jobs
 * have no states. A redelivered verdict has no effect, because its step is no longer current, and an outcome
 * is recorded once.
 */
export const receiptTransitions = {
  received: ['matched', 'unmatched'],
  /** The receipt belongs to a part. Nothing is written yet. */
  matched: ['recorded', 'repeated', 'unmatched'],
  /** The result of the part is written, and this receipt is its first. */
  recorded: ['decides', 'settled', 'overdue'],
  /** The step of the part ends by this receipt, unless another worker has ended the step. */
  decides: ['settled', 'overdue'],
  /** The step of the part had ended. */
  overdue: ['late'],
  /** The receipt belongs to no part yet. The caller retries, and finally stores it as an orphan. */
  unmatched: [],
  /** The part already had its result; the repetition is counted. */
  repeated: [],
  /** The step has ended by the receipt, or is open because of other parts. */
  settled: [],
  /** Stored and marked as late, without effect on the message. */
  late: [],
} as const

/** State in which a job leaves the batch; `settled` for every verdict, response job and parked job. */
export type SettleResult = EndState<typeof receiptTransitions>
type State = keyof typeof receiptTransitions

export interface SettleItem<Job extends SettleJob = SettleJob> {
  readonly job: Job
  /** Set if the id has matched nothing for long enough, so the recipient's number may decide. */
  readonly byRecipient: boolean
}

interface InState<S extends State> {
  readonly state: S
  readonly item: SettleItem<ReceiptJob>
}

interface WithPart<S extends State> extends InState<S> {
  readonly part: MatchedPart
}

interface WithResult<S extends State> extends WithPart<S> {
  /** Set if the receipt shows, as the first one, that its message was delivered twice. */
  readonly deliveredTwice: boolean
}

type Received = InState<'received'>
type Matched = WithPart<'matched'>
type Recorded = WithResult<'recorded'>
type Decides = WithResult<'decides'>
type Overdue = WithResult<'overdue'>
type Finished = InState<'unmatched'> | InState<'repeated'> | WithResult<'settled'> | WithResult<'late'>

export const moveReceipt = createMove(receiptTransitions)

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
    const received = items.filter(isReceipt).map((item) => ({ state: 'received' as const, item }))
    const matched = await matchReceipts(transaction, received, scope)
    const recorded = await recordReceipts(transaction, matched)
    const decided = await decideSteps(transaction, recorded, conclusions)
    const ends = await endDecidedSteps(transaction, decided, conclusions, outbox)
    const receipts = await markOverdue(transaction, applyEnds(decided, ends))
    return { receipts, ends }
  })
  const deliveredTwice = publishReceipts(context, receipts)
  await publishEnds(context, ends, startedMs, findDecisive(receipts))
  const states = new Map<SettleItem, SettleResult>(receipts.map(({ item, state }) => [item, state]))
  return { results: items.map((item) => states.get(item) ?? 'settled'), deliveredTwice }
}

const isReceipt = (item: SettleItem): item is SettleItem<ReceiptJob> => item.job.kind === 'receipt'
const isResponse = (job: SettleJob): job is ResponseJob => job.kind === 'answer'
const isVerdict = (job: SettleJob): job is VerdictJob => job.kind === 'verdict'

async function matchReceipts(
  transaction: Queryable,
  receipts: readonly Received[],
  scope: SettleScope,
): Promise<(Matched | Finished)[]> {
  const items = receipts.map(({ item }) => item)
  const parts = await findParts(transaction, items, scope)
  return receipts.map((receipt) => {
    const part = parts.get(receipt.item)
    return part === undefined ? moveReceipt(receipt, 'unmatched') : moveReceipt(receipt, 'matched', { part })
  })
}

/**
 * Records results. The first receipt of a part decides, within the batch as well. A guessed part may be taken
 * in the meantime.
 */
async function recordReceipts(
  transaction: Queryable,
  receipts: readonly (Matched | Finished)[],
): Promise<(Recorded | Finished)[]> {
  const matched = receipts.filter((receipt) => receipt.state === 'matched')
  const results = new Map(
    [...Map.groupBy(matched, ({ part }) => partKey(part))].map(([key, [first, ...others]]) => [
      key,
      { first: first!, matched: first!.part, receipt: first!.item.job, count: 1 + others.length },
    ]),
  )
  // Use one order, so that two workers that write the same parts do not deadlock.
  const inOrder = [...results].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, result]) => result)
  const effects = await recordResults(transaction, inOrder)
  return receipts.map((receipt) => {
    if (receipt.state !== 'matched') return receipt
    const result = results.get(partKey(receipt.part))!
    const effect = effects.get(result)
    if (effect === undefined) return moveReceipt(receipt, 'unmatched')
    if (!effect.first || receipt !== result.first) return moveReceipt(receipt, 'repeated')
    return moveReceipt(receipt, 'recorded', { deliveredTwice: effect.firstDeliveredTwice })
  })
}

/**
 * Decides which steps end: a failed part fails its step immediately; a delivered one ends it as delivered if
 * it was the last. Locks the steps of several parts that may end, including those of `conclusions`, with one
 * statement, because two workers must not lock them in different orders.
 */
async function decideSteps(
  transaction: Queryable,
  receipts: readonly (Recorded | Finished)[],
  conclusions: readonly EndedStep[],
): Promise<(Decides | Overdue | Finished)[]> {
  const several = receipts.filter(
    (receipt) => receipt.state === 'recorded' && isOneOfSeveral(receipt.part),
  ) as Recorded[]
  const delivered = several.filter(({ item }) => item.job.result === 'delivered')
  const failed = several.filter(({ item }) => item.job.result === 'failed')
  const { complete, ended } = await findFullyDelivered(
    transaction,
    delivered.map(({ part }) => part),
    [...failed.map(({ part }) => part), ...conclusions.filter(({ parts }) => parts > 1)],
  )
  return receipts.map((receipt) => {
    if (receipt.state !== 'recorded') return receipt
    const { item, part } = receipt
    if (item.job.result === 'failed' || !isOneOfSeveral(part) || complete.has(stepId(part)))
      return moveReceipt(receipt, 'decides')
    return ended.has(stepId(part)) ? moveReceipt(receipt, 'overdue') : moveReceipt(receipt, 'settled')
  })
}

/**
 * Ends the decided steps. The first of several failed parts in one batch decides, whatever the order of their
 * receipts.
 */
function endDecidedSteps(
  transaction: Queryable,
  receipts: readonly (Decides | Overdue | Finished)[],
  conclusions: readonly EndedStep[],
  outbox: Outbox,
): Promise<StepEnds> {
  const decisive = receipts
    .filter((receipt) => receipt.state === 'decides')
    .sort((one, other) => one.part.part - other.part.part)
  const ends = [...conclusions, ...decisive.map(({ part, item }) => fromReceipt(part, item.job))]
  return endOrReroute(transaction, withoutConflicts(ends), outbox)
}

function applyEnds(
  receipts: readonly (Decides | Overdue | Finished)[],
  { closed, continued, rerouted }: StepEnds,
): (Overdue | Finished)[] {
  const ended = new Set([...closed.map(({ step }) => step), ...continued, ...rerouted].map(stepId))
  return receipts.map((receipt) => {
    if (receipt.state !== 'decides') return receipt
    return ended.has(stepId(receipt.part)) ? moveReceipt(receipt, 'settled') : moveReceipt(receipt, 'overdue')
  })
}

async function markOverdue(
  transaction: Queryable,
  receipts: readonly (Overdue | Finished)[],
): Promise<Finished[]> {
  const overdue = receipts.filter((receipt) => receipt.state === 'overdue')
  const marked = await markLate(
    transaction,
    overdue.map(({ part }) => part),
  )
  const twice = new Set(marked.filter((part) => part.firstDeliveredTwice).map(partKey))
  return receipts.map((receipt) => {
    if (receipt.state !== 'overdue') return receipt
    const deliveredTwice = receipt.deliveredTwice || twice.has(partKey(receipt.part))
    return moveReceipt(receipt, 'late', { deliveredTwice })
  })
}

/** Counts and traces the receipts. Returns the steps that show that their message was delivered twice. */
function publishReceipts({ metrics, trace }: SettleBatchContext, receipts: readonly Finished[]): StepKey[] {
  const twice = new Map<string, StepKey>()
  for (const receipt of receipts) {
    if (receipt.state === 'unmatched') continue
    metrics.receipts.inc({ result: receipt.state })
    if (receipt.state === 'repeated') continue
    const { part, item, state } = receipt
    trace?.addReceipt(part, item.job, state)
    const { msgKey, step, try: nth } = part
    if (receipt.deliveredTwice) twice.set(msgKey, { msgKey, step, try: nth })
  }
  metrics.doubleDeliveries.inc(twice.size)
  return [...twice.values()]
}

/** Returns the part with the last settled receipt of each step, by step id: usually the part that decided. */
function findDecisive(receipts: readonly Finished[]): Map<string, MatchedPart> {
  const settled = receipts.filter((receipt) => receipt.state === 'settled')
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
