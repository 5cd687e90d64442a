import type { ReceiptJob } from '../../jobs/jobs.ts'
import type { StepKey } from '../../jobs/step-key.ts'
import { clock } from '../../platform/time/clock.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { matchById, matchByReference, matchUnknown, type MatchedPart } from '../../records/attempts/match.ts'
import { toKeyDay } from '../../records/partitions.ts'
import { getRouteLogins, type Logins } from '../../carriers/routes/logins.ts'
import type { Route } from '../../carriers/routes/route.ts'

/** Limits the attempts that are searched for a receipt: ranges of message key days, and the logins of the routes. */
export interface SettleScope {
  /** First day searched for ids; nearly all receipts arrive within a day. */
  readonly recentDay: string
  /** Exclusive end of that search: a receipt cannot arrive before the day in the key of its message. */
  readonly endDay: string
  /** First day searched for ids before a receipt is matched by its recipient: the oldest stored day. */
  readonly oldestDay: string
  /** First day searched for parts without an id, which are matched by their recipient. */
  readonly recipientDay: string
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
 * all days, because the current day is unknown. A receipt that is not matched now may be matched only after the
 * deadline of its step.
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
    recipientDay: since(maxReceiptDays + waitedDays),
    logins: getRouteLogins(routes),
  }
}

export interface UnmatchedReceipt {
  readonly job: ReceiptJob
  /** Set if the id has not matched for long enough that the receipt is matched by the recipient's number. */
  readonly byRecipient: boolean
}

/** Returns, for each receipt that matches, the submitted part that it belongs to. */
export async function findParts<Receipt extends UnmatchedReceipt>(
  transaction: Queryable,
  receipts: readonly Receipt[],
  scope: SettleScope,
): Promise<ReadonlyMap<Receipt, MatchedPart>> {
  const { logins, recentDay, endDay, oldestDay, recipientDay } = scope
  const matched = new Map<Receipt, MatchedPart>()

  async function search(
    match: typeof matchById,
    candidates: readonly Receipt[],
    notBefore: string,
    before: string,
  ): Promise<void> {
    const open = candidates.filter((receipt) => !matched.has(receipt))
    if (open.length === 0) return
    const jobs = open.map(({ job }) => job)
    const parts = await match(transaction, jobs, { notBefore, before, logins })
    for (const [n, receipt] of open.entries()) if (parts[n] != null) matched.set(receipt, parts[n])
  }

  const hasReference = ({ job }: Receipt): boolean => job.reference !== undefined
  await search(matchByReference, receipts.filter(hasReference), recentDay, endDay)
  await search(matchById, receipts, recentDay, endDay)
  // Search all stored ids before matching by recipient: otherwise a late receipt of an older message could go to a
  // newer message to the same recipient that has no id.
  const matchableByRecipient = receipts.filter(({ byRecipient }) => byRecipient)
  await search(matchByReference, matchableByRecipient.filter(hasReference), oldestDay, noEnd)
  await search(matchById, matchableByRecipient, oldestDay, noEnd)
  // A reference names its part, so a receipt with one never belongs to another part.
  const withoutReference = matchableByRecipient.filter((receipt) => !hasReference(receipt))
  await search(matchUnknown, withoutReference, recipientDay, noEnd)
  return matched
}

export function partKey(part: StepKey & Pick<MatchedPart, 'part'>): string {
  return `${part.msgKey}/${part.step}/${part.try}/${part.part}`
}

/** Returns false for part 0, a message that was submitted as a whole: its one receipt decides. */
export function isOneOfSeveral({ part, parts }: Pick<MatchedPart, 'part' | 'parts'>): boolean {
  return parts > 1 && part > 0
}
