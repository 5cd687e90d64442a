import type { ReceiptJob } from '../../jobs/jobs.ts'
import type { StepKey } from '../../jobs/step-key.ts'
import { clock } from '../../platform/time/clock.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { matchById, matchByReference, matchUnknown, type MatchedPart } from '../../records/attempts/match.ts'
import { toKeyDay } from '../../records/partitions.ts'
import { getRouteLogins, type Logins } from '../../carriers/routes/logins.ts'
import type { Route } from '../../carriers/routes/route.ts'

/** Attempts that receipts are compared with: a range of message key days, and the logins of the routes. */
export interface SettleScope {
  /** First day searched for ids; nearly all receipts arrive within a day. */
  readonly recentDay: string
  /** Exclusive end of that search; no message is sent before the day of its key. */
  readonly endDay: string
  /** First day searched for ids before a receipt is matched by its recipient: the oldest stored day. */
  readonly oldestDay: string
  /** First day searched for parts without an id. */
  readonly guessDay: string
  readonly logins: Logins
}

/**
 * A carrier stops trying after the validity period, usually three days, so a receipt belongs to no older
 * part.
 */
const maxReceiptDays = 3
/** Maximum clock difference around midnight, because other processes create keys. */
const maxSkewMs = 3_600_000
/** Sorts before every day. */
const noBeginning = ''
/** Sorts after every day, so the search includes keys that a wrong clock put into the future. */
const noEnd = '~'

/**
 * Creates the scope for receipts that arrived at most `waitedDays` ago. While the clocks disagree, it covers
 * all days: the day is unknown, and a receipt that matches nothing would miss its step's deadline.
 */
export function createScope(
  routes: readonly Route[],
  retentionDays: number,
  { recentDays, waitedDays = 0 }: { readonly recentDays: number; readonly waitedDays?: number },
): SettleScope {
  const now = clock.date()
  const { agrees } = clock
  const since = (days: number): string =>
    agrees ? toKeyDay(now, -Math.min(days, retentionDays)) : noBeginning
  return {
    recentDay: since(recentDays),
    endDay: agrees ? toKeyDay(new Date(now.getTime() + maxSkewMs), 1) : noEnd,
    oldestDay: since(retentionDays),
    guessDay: since(maxReceiptDays + waitedDays),
    logins: getRouteLogins(routes),
  }
}

export interface UnmatchedReceipt {
  readonly job: ReceiptJob
  /** Set if the id has matched nothing for long enough, so the recipient's number may decide. */
  readonly byRecipient: boolean
}

/** Returns the part of each receipt that matches one. */
export async function findParts<Receipt extends UnmatchedReceipt>(
  transaction: Queryable,
  receipts: readonly Receipt[],
  scope: SettleScope,
): Promise<ReadonlyMap<Receipt, MatchedPart>> {
  const { logins, recentDay, endDay, oldestDay, guessDay } = scope
  const found = new Map<Receipt, MatchedPart>()

  async function search(
    match: typeof matchById,
    candidates: readonly Receipt[],
    notBefore: string,
    before: string,
  ): Promise<void> {
    const open = candidates.filter((receipt) => !found.has(receipt))
    if (open.length === 0) return
    const jobs = open.map(({ job }) => job)
    const parts = await match(transaction, jobs, { notBefore, before, logins })
    for (const [n, receipt] of open.entries()) if (parts[n] != null) found.set(receipt, parts[n])
  }

  const hasReference = ({ job }: Receipt): boolean => job.reference !== undefined
  await search(matchByReference, receipts.filter(hasReference), recentDay, endDay)
  await search(matchById, receipts, recentDay, endDay)
  // All stored ids come before a guess: a late receipt of an older message must not go to a newer one without
  // an id.
  const last = receipts.filter(({ byRecipient }) => byRecipient)
  await search(matchByReference, last.filter(hasReference), oldestDay, noEnd)
  await search(matchById, last, oldestDay, noEnd)
  // A reference names its part, so a receipt with one never belongs to another part.
  const unnamed = last.filter((receipt) => !hasReference(receipt))
  await search(matchUnknown, unnamed, guessDay, noEnd)
  return found
}

export function partKey(part: StepKey & Pick<MatchedPart, 'part'>): string {
  return `${part.msgKey}/${part.step}/${part.try}/${part.part}`
}

/** Returns false for part 0, a message that was submitted as a whole: its one receipt decides. */
export function isOneOfSeveral({ part, parts }: Pick<MatchedPart, 'part' | 'parts'>): boolean {
  return parts > 1 && part > 0
}
