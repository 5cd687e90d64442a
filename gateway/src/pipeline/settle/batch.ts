/**
 * Settles a batch: records its answers, then in one transaction matches receipts to parts, records the results, and ends
 * the steps that are decided. Called by `settleOrPark`.
 */
import { stepId, type StepKey } from '../../jobs/step-key.ts'
import { endSteps } from './end-step.ts'
import { fromRefusals, fromResults, fromVerdicts, onePerStep } from './ending-steps.ts'
import { rerouteSteps } from './reroute.ts'
import { markLate } from '../../records/attempts/late.ts'
import type { AnswerJob, SettleJob } from '../../jobs/jobs.ts'
import type { MessageTrace } from '../../jobs/message-trace.ts'
import type { MatchedPart } from '../../records/attempts/match.ts'
import { recordResults, type ReceiptEffect } from '../../records/attempts/results.ts'
import { fromAnswerJob } from '../../records/attempts/answer-job.ts'
import {
  findRefusals,
  recordLateAttempts,
  type AttemptRow,
  type Refusal,
} from '../../records/attempts/attempts.ts'
import { keepClaims } from '../../records/messages/claim.ts'
import { advanceOrphans } from '../../records/attempts/orphans.ts'
import { clock } from '../../platform/clock.ts'
import { inTransaction, type Database } from '../../platform/database.ts'
import type { Metrics } from '../../platform/metrics.ts'
import type { Outbox } from '../scheduling/outbox.ts'
import { traceSettled } from './trace-batch.ts'
import { groupByPart, matchItems, partKey, type SettleItem, type SettleScope } from './match-items.ts'

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
  trace?: MessageTrace,
): Promise<SettledBatch> {
  const startedMs = performance.now()
  const answers = items.flatMap(({ job }) => (job.kind === 'answer' ? [job] : []))
  const refusals = answers.length > 0 ? await recordAnswers(database, answers) : []
  const settled = await inTransaction(database, async (transaction) => {
    const matches = await matchItems(transaction, items, scope)
    const results = groupByPart(items, matches)
    const effects =
      results.length === 0 ? new Map<number, ReceiptEffect>() : await recordResults(transaction, results)
    const firsts = results.flatMap((result, n) => {
      const effect = effects.get(n)
      return effect?.first !== true ? [] : [{ ...result, effect }]
    })
    const verdicts = [...fromVerdicts(items), ...fromRefusals(refusals)]
    const decided = await fromResults(transaction, firsts, verdicts)
    const ending = onePerStep([...verdicts, ...decided.steps])
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
      firsts,
      late,
      closed: ended.closed,
      continued: ended.continued,
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
  if (trace !== undefined) {
    const isLate = (first: (typeof settled.firsts)[number]): boolean => settled.late.includes(first)
    const receipts = settled.firsts.map((first) => ({ ...first, isLate: isLate(first) }))
    traceSettled(trace, receipts, settled, startedMs)
  }
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

/**
 * Before the transaction that settles: it would lock parts in a second order. Receipts that came before the answers are
 * matched again soon. Returns the refusals as they are recorded now: the next owner of the route may have repeated a refused
 * part meanwhile, and the carrier accepted it.
 */
async function recordAnswers(database: Database, jobs: readonly AnswerJob[]): Promise<Refusal[]> {
  const rows = await withoutRepeated(database, jobs)
  if (rows.length === 0) return []
  await recordLateAttempts(database, rows)
  // No receipt waits for a part that was refused.
  if (!rows.every(isRefused)) await advanceOrphans(database, clock.date())
  const refused = rows.filter(isRefused)
  return refused.length === 0 ? [] : findRefusals(database, refused)
}

/**
 * A refusal counts only while its owner holds the claim of the step: the next owner may be repeating the step, and what the
 * carrier answers to that decides.
 */
async function withoutRepeated(database: Database, jobs: readonly AnswerJob[]): Promise<AttemptRow[]> {
  const claims = jobs.flatMap(({ claim: token, answers, ...job }) =>
    token === undefined || !answers.some(isRefused) ? [] : [{ ...job, token }],
  )
  const lost = claims.length === 0 ? [] : await keepClaims(database, claims)
  const repeated = new Set(lost.map(({ token, ...step }) => `${stepId(step)}/${token}`))
  return jobs.flatMap((job) => {
    const rows = fromAnswerJob(job)
    return repeated.has(`${stepId(job)}/${job.claim}`) ? rows.filter((row) => !isRefused(row)) : rows
  })
}

const isRefused = ({ outcome }: Pick<AttemptRow, 'outcome'>): boolean => outcome === 'refused'

function countEach<Value>(values: readonly Value[]): Map<Value, number> {
  const counts = new Map<Value, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return counts
}

function onePerMessage(keys: readonly StepKey[]): StepKey[] {
  const byMessage = new Map(keys.map(({ msgKey, step, try: nth }) => [msgKey, { msgKey, step, try: nth }]))
  return [...byMessage.values()]
}

function resultOf(
  item: SettleItem,
  match: MatchedPart | null,
  unwritten: ReadonlySet<string>,
  firstResults: ReadonlyMap<SettleJob, ReceiptResult>,
): ReceiptResult {
  if (item.job.kind !== 'receipt') return 'settled'
  if (match === null || unwritten.has(partKey(match))) return 'unmatched'
  return firstResults.get(item.job) ?? 'repeated'
}
