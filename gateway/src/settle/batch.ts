/** One transaction of settle: match, write results onto parts, close what is decided. */
import type { Conclusion } from '../messages/close.ts'
import { concludeSteps } from '../messages/conclude.ts'
import type { ReceiptJob, SettleJob } from '../messages/jobs.ts'
import { matchById, matchUnknown, type MatchedPart } from '../messages/match.ts'
import { findWhollyDelivered, recordResults, type PartResult } from '../messages/results.ts'
import { inTransaction, type Database, type Queryable } from '../platform/database.ts'
import type { Metrics } from '../platform/metrics.ts'
import type { Follow } from './follow.ts'

export interface SettleItem {
  readonly job: SettleJob
  /** The id matched nothing for long enough: the recipient may decide. */
  readonly byRecipient: boolean
}

/** `repeated`: the part had its final receipt before. */
export type Fate = 'settled' | 'repeated' | 'unmatched'

export async function settleBatch(
  database: Database,
  items: readonly SettleItem[],
  notBefore: string,
  metrics: Metrics,
  follow: Follow,
): Promise<Fate[]> {
  const settled = await inTransaction(database, async (transaction) => {
    const matches = await matchItems(transaction, items, notBefore)
    const results = gather(items, matches)
    const firsts = results.length === 0 ? new Set<number>() : await recordResults(transaction, results)
    const fresh = results.filter((_, n) => firsts.has(n))
    const conclusions = new Map<string, Conclusion>()
    for (const conclusion of [...fromVerdicts(items), ...(await fromResults(transaction, fresh))]) {
      // By step and try: a late word on an earlier step must not hide what is said of the current one.
      const step = `${conclusion.msgKey}/${conclusion.step}/${conclusion.try}`
      if (!conclusions.has(step)) conclusions.set(step, conclusion)
    }
    const { codes, advanced } = await concludeSteps(
      transaction,
      [...conclusions.values()],
      follow.stepTtlSeconds,
    )
    for (const code of codes) metrics.closed.inc({ code })
    const first = new Set<SettleJob>(fresh.map((result) => result.receipt))
    return {
      advanced,
      fates: items.map((item, index) => fateOf(item, matches[index] ?? null, first, metrics)),
    }
  })
  // After the commit, or a route could take the step before it exists. A crash here is made good by a timer.
  await follow.release(settled.advanced)
  return settled.fates
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
  return [...byPart.values()]
}

function fromVerdicts(items: readonly SettleItem[]): Conclusion[] {
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
async function fromResults(transaction: Queryable, fresh: readonly PartResult[]): Promise<Conclusion[]> {
  const several = fresh.filter(({ matched, receipt }) => matched.parts > 1 && receipt.result === 'delivered')
  const whole = await findWhollyDelivered(
    transaction,
    several.map(({ matched }) => matched),
  )
  return fresh
    .filter(
      ({ matched, receipt }) =>
        receipt.result === 'failed' || matched.parts === 1 || whole.has(matched.msgKey),
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
}

/** A carrier's clock may be off, and many give whole minutes: never before the submission, never in the future. */
function plausibleTime(receipt: ReceiptJob, submittedAt: Date): Date {
  return new Date(Math.max(Math.min(receipt.at, receipt.receivedAt), submittedAt.getTime()))
}

function fateOf(
  item: SettleItem,
  match: MatchedPart | null,
  settled: ReadonlySet<SettleJob>,
  metrics: Metrics,
): Fate {
  if (item.job.kind === 'verdict') return 'settled'
  if (match === null) return 'unmatched'
  const first = settled.has(item.job)
  metrics.receipts.inc({ fate: first ? 'settled' : 'repeated' })
  return first ? 'settled' : 'repeated'
}

function partKey(part: MatchedPart): string {
  return `${part.msgKey}/${part.step}/${part.try}/${part.part}`
}
