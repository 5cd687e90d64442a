/** Matches the receipts of a batch to the parts they belong to. Called by `settleBatch`, in its transaction. */
import type { ReceiptJob, SettleJob } from '../../jobs/jobs.ts'
import type { Queryable } from '../../platform/database.ts'
import { matchById, matchUnknown, type MatchedPart } from '../../records/attempts/match.ts'
import type { PartResult } from '../../records/attempts/results.ts'

export interface SettleItem {
  readonly job: SettleJob
  /** The id has matched nothing for long enough: the recipient's number may decide. */
  readonly byRecipient: boolean
}

/** Per item the part that its receipt belongs to; null for a verdict and for a receipt that matches none. */
export async function matchItems(
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
  const unmatched = receipts.filter(({ index }) => matches[index] === null && items[index]!.byRecipient)
  if (unmatched.length > 0) {
    const byRecipient = await matchUnknown(
      transaction,
      unmatched.map(({ job }) => job),
      notBefore,
    )
    byRecipient.forEach((match, n) => (matches[unmatched[n]!.index] = match))
  }
  return matches
}

/** One entry per part: the first of its receipts in the batch, and how many there were. */
export function groupByPart(
  items: readonly SettleItem[],
  matches: readonly (MatchedPart | null)[],
): PartResult[] {
  const byPart = new Map<string, { matched: MatchedPart; receipt: ReceiptJob; count: number }>()
  matches.forEach((matched, index) => {
    const job = items[index]!.job
    if (matched === null || job.kind !== 'receipt') return
    const known = byPart.get(partKey(matched))
    if (known === undefined) byPart.set(partKey(matched), { matched, receipt: job, count: 1 })
    else known.count++
  })
  // Always in the same order: two workers that write the same parts must not deadlock.
  return [...byPart].sort(([left], [right]) => (left < right ? -1 : 1)).map(([, result]) => result)
}

export function partKey(part: MatchedPart): string {
  return `${part.msgKey}/${part.step}/${part.try}/${part.part}`
}
