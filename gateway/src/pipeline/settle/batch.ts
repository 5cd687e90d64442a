/** One transaction of settle: match, write results onto parts, close what is decided. */
import type { EndedStep } from '../../records/messages/close.ts'
import { stepId, type StepKey } from '../../jobs/step-key.ts'
import { endSteps } from './end-step.ts'
import { markLate } from '../../records/attempts/late.ts'
import type { ReceiptJob, SettleJob } from '../../jobs/jobs.ts'
import { matchById, matchUnknown, type MatchedPart } from '../../records/attempts/match.ts'
import {
  findWhollyDelivered,
  recordResults,
  type PartResult,
  type Standing,
} from '../../records/attempts/results.ts'
import { inTransaction, type Database, type Queryable } from '../../platform/database.ts'
import type { Metrics } from '../../platform/metrics.ts'
import type { Outbox } from '../scheduling/outbox.ts'

export interface SettleItem {
  readonly job: SettleJob
  /** The id matched nothing for long enough: the recipient may decide. */
  readonly byRecipient: boolean
}

/** `repeated`: the part had its final receipt before. `late`: its step had ended; kept, without effect. */
export type Fate = 'settled' | 'repeated' | 'late' | 'unmatched'

export interface SettledBatch {
  /** One per item. */
  readonly fates: Fate[]
  /** Messages that a receipt of this batch showed to be delivered twice, by the step it spoke of. */
  readonly doubled: readonly StepKey[]
}

export async function settleBatch(
  database: Database,
  items: readonly SettleItem[],
  notBefore: string,
  metrics: Metrics,
  outbox: Outbox,
): Promise<SettledBatch> {
  const settled = await inTransaction(database, async (transaction) => {
    const matches = await matchItems(transaction, items, notBefore)
    const results = gather(items, matches)
    const standings =
      results.length === 0 ? new Map<number, Standing>() : await recordResults(transaction, results)
    const firsts = results.flatMap((result, n) => {
      const standing = standings.get(n)
      return standing?.first !== true ? [] : [{ ...result, standing }]
    })
    const told = await fromResults(transaction, firsts)
    const conclusions = new Map<string, EndedStep>()
    for (const conclusion of [...fromVerdicts(items), ...told.conclusions]) {
      if (!conclusions.has(stepId(conclusion))) conclusions.set(stepId(conclusion), conclusion)
    }
    const concluded = await endSteps(transaction, [...conclusions.values()], outbox.stepTtlSeconds)
    const endedBefore = new Set([
      ...told.ended,
      ...told.conclusions.map(stepId).filter((id) => !concluded.ended.has(id)),
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
      results.filter((_, n) => !standings.has(n)).map(({ matched }) => partKey(matched)),
    )
    const fates = new Map<SettleJob, Fate>()
    for (const { receipt } of current) fates.set(receipt, 'settled')
    for (const { receipt } of late) fates.set(receipt, 'late')
    return {
      codes: concluded.codes,
      advanced: concluded.advanced,
      doubled: onePerMessage([
        ...marked.filter(({ firstDeliveredTwice }) => firstDeliveredTwice),
        ...firsts.filter(({ standing }) => standing.firstDeliveredTwice).map(({ matched }) => matched),
      ]),
      fates: items.map((item, index) => fateOf(item, matches[index] ?? null, unwritten, fates)),
    }
  })
  for (const code of settled.codes) metrics.closed.inc({ code })
  items.forEach(({ job }, index) => {
    const fate = settled.fates[index]!
    if (job.kind === 'receipt' && fate !== 'unmatched') metrics.receipts.inc({ result: fate })
  })
  metrics.doubled.inc(settled.doubled.length)
  // After the commit, or a route could take the step before it exists. A crash here is made good by a timer.
  await outbox.release(settled.advanced)
  return settled
}

function onePerMessage(keys: readonly StepKey[]): StepKey[] {
  const byMessage = new Map(keys.map(({ msgKey, step, try: nth }) => [msgKey, { msgKey, step, try: nth }]))
  return [...byMessage.values()]
}

async function matchItems(
  transaction: Queryable,
  items: readonly SettleItem[],
  notBefore: string,
): Promise<(MatchedPart | null)[]> {
  const receipts = items.flatMap(({ job }, index) => (job.kind === 'receipt' ? [{ index, job }] : []))
  const matches = new Array<MatchedPart | null>(items.length).fill(null)
  if (receipts.length === 0) return matches
  const found = await matchById(
    transaction,
    receipts.map(({ job }) => job),
    notBefore,
  )
  found.forEach((match, n) => (matches[receipts[n]!.index] = match))
  const lost = receipts.filter(({ index }) => matches[index] === null && items[index]!.byRecipient)
  if (lost.length > 0) {
    const guessed = await matchUnknown(
      transaction,
      lost.map(({ job }) => job),
      notBefore,
    )
    guessed.forEach((match, n) => (matches[lost[n]!.index] = match))
  }
  return matches
}

/** One entry per part: the first of its receipts in the batch, and how many came. */
function gather(items: readonly SettleItem[], matches: readonly (MatchedPart | null)[]): PartResult[] {
  const byPart = new Map<string, { matched: MatchedPart; receipt: ReceiptJob; count: number }>()
  matches.forEach((matched, index) => {
    const job = items[index]!.job
    if (matched === null || job.kind !== 'receipt') return
    const known = byPart.get(partKey(matched))
    if (known === undefined) byPart.set(partKey(matched), { matched, receipt: job, count: 1 })
    else known.count++
  })
  // In one order, whoever writes them: two workers with the same parts must not wait for each other.
  return [...byPart].sort(([left], [right]) => (left < right ? -1 : 1)).map(([, result]) => result)
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
        parts: job.parts,
        sentAt: at,
        at,
      },
    ]
  })
}

/** A failed part fails its step at once; a delivered one delivers it when it was the last. */
async function fromResults(
  transaction: Queryable,
  results: readonly PartResult[],
): Promise<{ conclusions: EndedStep[]; ended: ReadonlySet<string> }> {
  const several = results.filter(
    ({ matched, receipt }) => matched.parts > 1 && receipt.result === 'delivered',
  )
  const { whole, ended } = await findWhollyDelivered(
    transaction,
    several.map(({ matched }) => matched),
  )
  const conclusions = results
    .filter(
      ({ matched, receipt }) =>
        receipt.result === 'failed' || matched.parts === 1 || whole.has(stepId(matched)),
    )
    .map(({ matched, receipt }) => ({
      msgKey: matched.msgKey,
      step: matched.step,
      try: matched.try,
      cause: receipt.cause,
      parts: matched.parts,
      sentAt: matched.submittedAt,
      at: plausibleTime(receipt, matched.submittedAt),
    }))
  return { conclusions, ended }
}

/** A carrier's clock may be off, and many give whole minutes: never before the submission, never in the future. */
function plausibleTime(receipt: ReceiptJob, submittedAt: Date): Date {
  return new Date(Math.max(Math.min(receipt.at, receipt.receivedAt), submittedAt.getTime()))
}

function fateOf(
  item: SettleItem,
  match: MatchedPart | null,
  unwritten: ReadonlySet<string>,
  firsts: ReadonlyMap<SettleJob, Fate>,
): Fate {
  if (item.job.kind === 'verdict') return 'settled'
  if (match === null || unwritten.has(partKey(match))) return 'unmatched'
  return firsts.get(item.job) ?? 'repeated'
}

function partKey(part: MatchedPart): string {
  return `${part.msgKey}/${part.step}/${part.try}/${part.part}`
}
