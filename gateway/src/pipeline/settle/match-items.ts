/** Matches the receipts of a batch to the parts they belong to. Called by `settleBatch`, in its transaction. */
import type { ReceiptJob, SettleJob } from '../../jobs/jobs.ts'
import { clock } from '../../platform/clock.ts'
import type { Queryable } from '../../platform/database.ts'
import { dayOf } from '../../records/partitions.ts'
import { loginsOf, type Logins } from '../../routes/logins.ts'
import type { Route } from '../../routes/route.ts'
import {
  matchById,
  matchByReference,
  matchUnknown,
  type MatchScope,
  type MatchedPart,
} from '../../records/attempts/match.ts'
import type { PartResult } from '../../records/attempts/results.ts'

export interface SettleItem {
  readonly job: SettleJob
  /** The id has matched nothing for long enough: the recipient's number may decide. */
  readonly byRecipient: boolean
}

/** Which attempts receipts are compared with: days of message keys, and the logins of the routes. */
export interface SettleScope {
  /** Ids are searched from this day on: nearly all receipts come within a day. */
  readonly recentDay: string
  /** Until this day, exclusive: no message is sent before the day of its key, scheduled ones included. */
  readonly endDay: string
  /** Before a receipt is matched by its recipient, its id is searched from this day on: in all that is kept. */
  readonly oldestDay: string
  /** Parts without an id are matched by recipient from this day on. */
  readonly guessDay: string
  readonly logins: Logins
}

/** A carrier gives up after the validity period, three days as a rule, so a receipt belongs to no older part. */
const maxReceiptDays = 3
/** Keys are made by other processes: their clocks may differ by this much around midnight. */
const maxSkewMs = 3_600_000
/** After every day. A key of a wrong clock may lie in the future: what is searched in all that is kept finds it. */
const noEnd = '~'

/** For receipts that arrived at most `waitedDays` ago. */
export function createScope(
  routes: readonly Route[],
  retentionDays: number,
  { recentDays, waitedDays = 0 }: { readonly recentDays: number; readonly waitedDays?: number },
): SettleScope {
  const now = clock.date()
  const since = (days: number): string => dayOf(now, -Math.min(days, retentionDays))
  return {
    recentDay: since(recentDays),
    endDay: dayOf(new Date(now.getTime() + maxSkewMs), 1),
    oldestDay: since(retentionDays),
    guessDay: since(maxReceiptDays + waitedDays),
    logins: loginsOf(routes),
  }
}

/** Per item the part that its receipt belongs to; null for a verdict and for a receipt that matches none. */
export async function matchItems(
  transaction: Queryable,
  items: readonly SettleItem[],
  scope: SettleScope,
): Promise<(MatchedPart | null)[]> {
  const receipts = items.flatMap(({ job }, index) => (job.kind === 'receipt' ? [{ index, job }] : []))
  const matches = new Array<MatchedPart | null>(items.length).fill(null)
  if (receipts.length === 0) return matches
  const { logins, recentDay, endDay, oldestDay, guessDay } = scope
  type Days = Pick<MatchScope, 'notBefore' | 'before'>
  type Match = (jobs: readonly ReceiptJob[], days: Days) => Promise<(MatchedPart | null)[]>
  const byReference: Match = (jobs, days) => matchByReference(transaction, jobs, { ...days, logins })
  const byId: Match = (jobs, days) => matchById(transaction, jobs, { ...days, logins })
  const byRecipient: Match = (jobs, days) => matchUnknown(transaction, jobs, { ...days, logins })

  /** Searches for those that have no match yet. */
  async function search(candidates: typeof receipts, match: Match, days: Days): Promise<void> {
    const unmatched = candidates.filter(({ index }) => matches[index] === null)
    if (unmatched.length === 0) return
    const found = await match(
      unmatched.map(({ job }) => job),
      days,
    )
    found.forEach((part, n) => (matches[unmatched[n]!.index] = part))
  }

  const referring = receipts.filter(({ job }) => job.reference !== undefined)
  await search(referring, byReference, { notBefore: recentDay, before: endDay })
  await search(receipts, byId, { notBefore: recentDay, before: endDay })
  const last = receipts.filter(({ index }) => items[index]!.byRecipient)
  // Otherwise the late receipt of an older message would be given to a newer one that has no id.
  await search(
    last.filter(({ job }) => job.reference !== undefined),
    byReference,
    { notBefore: oldestDay, before: noEnd },
  )
  await search(last, byId, { notBefore: oldestDay, before: noEnd })
  // A reference names its part: what it does not name is not the recipient's newest message either.
  const unnamed = last.filter(({ job }) => job.reference === undefined)
  await search(unnamed, byRecipient, { notBefore: guessDay, before: noEnd })
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

/** Part 0 is a message that was submitted as a whole: its one receipt decides. */
export function isOneOfSeveral({ part, parts }: Pick<MatchedPart, 'part' | 'parts'>): boolean {
  return parts > 1 && part > 0
}
