import type { ReceiptJob } from '../../jobs/jobs.ts'
import type { StepKey } from '../../jobs/step-key.ts'
import { clock } from '../../platform/time/clock.ts'
import type { Queryable } from '../../platform/database/database.ts'
import {
  matchById,
  matchByReference,
  matchUnknown,
  type MatchedPart,
  type MatchScope,
} from '../../records/attempts/match.ts'
import { toKeyDay } from '../../records/partitions.ts'
import { getRouteLogins } from '../../carriers/routes/logins.ts'
import type { Route } from '../../carriers/routes/route.ts'

/** Limits the attempts that are searched for a receipt: ranges of message key days, and the logins of the routes. */
export interface SettleScope extends Pick<MatchScope, 'logins' | 'recordedWithinMs'> {
  /** First day searched for ids; nearly all receipts arrive within a day. */
  readonly recentDay: string
  /** Exclusive end of that search: a receipt cannot arrive before the day in the key of its message. */
  readonly endDay: string
  /** First day searched for ids before a receipt is matched by its recipient: the oldest stored day. */
  readonly oldestDay: string
  /** First day searched for parts without an id, which are matched by their recipient. */
  readonly recipientDay: string
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
/**
 * Time in which the jobs of a lost worker reach another one, which records their steps as unknown: the broker delivers
 * them again within three of its heartbeats of 3 s.
 */
const takeOverMs = 10_000
/** Sorts after every day, so the search includes keys that a wrong clock put into the future. */
const noEnd = '~'

export interface ScopeOptions {
  readonly recentDays: number
  readonly waitedDays?: number
  /** Tests set it lower. */
  readonly recordedWithinMs?: number | undefined
}

/**
 * Creates the scope for receipts that arrived at most `waitedDays` ago. While the clocks disagree, it covers
 * all days, because the current day is unknown. A receipt that is not matched now may be matched only after the
 * deadline of its step.
 */
export function createScope(
  routes: readonly Route[],
  retentionDays: number,
  { recentDays, waitedDays = 0, recordedWithinMs }: ScopeOptions,
): SettleScope {
  const now = clock.date()
  const { agrees } = clock
  const logins = getRouteLogins(routes)
  const since = (days: number): string =>
    agrees ? toKeyDay(now, -Math.min(days, retentionDays)) : noBeginning
  return {
    recentDay: since(recentDays),
    endDay: agrees ? toKeyDay(new Date(now.getTime() + maxSkewMs), 1) : noEnd,
    oldestDay: since(retentionDays),
    recipientDay: since(maxReceiptDays + waitedDays),
    logins,
    recordedWithinMs: ({ routeId, login }) =>
      recordedWithinMs ?? logins.maxResponseMs(logins.sharing(routeId, login)) + takeOverMs,
  }
}

export interface UnmatchedReceipt {
  readonly job: ReceiptJob
  /** Set if nothing matched when the receipt arrived: then older days and weaker evidence are searched as well. */
  readonly isStored: boolean
}

/** Returns, for each receipt that matches, the submitted part that it belongs to. */
export async function findParts<Receipt extends UnmatchedReceipt>(
  transaction: Queryable,
  receipts: readonly Receipt[],
  scope: SettleScope,
): Promise<ReadonlyMap<Receipt, MatchedPart>> {
  const { recentDay, endDay, oldestDay, recipientDay } = scope
  const matched = new Map<Receipt, MatchedPart>()

  async function search(
    match: typeof matchById,
    candidates: readonly Receipt[],
    days: Pick<MatchScope, 'notBefore' | 'before'>,
    allowsOtherRecipient = false,
  ): Promise<void> {
    const open = candidates.filter((receipt) => !matched.has(receipt))
    if (open.length === 0) return
    const jobs = open.map(({ job }) => job)
    const parts = await match(transaction, jobs, { ...scope, ...days, allowsOtherRecipient })
    for (const [n, receipt] of open.entries()) if (parts[n] != null) matched.set(receipt, parts[n])
  }

  const hasReference = ({ job }: Receipt): boolean => job.reference !== undefined
  const recent = { notBefore: recentDay, before: endDay }
  const all = { notBefore: oldestDay, before: noEnd }
  await search(matchByReference, receipts.filter(hasReference), recent)
  await search(matchById, receipts, recent)
  // Search all stored ids before matching by recipient: otherwise a late receipt of an older message could go to a
  // newer message to the same recipient that has no id.
  const stored = receipts.filter(({ isStored }) => isStored)
  await search(matchByReference, stored.filter(hasReference), all)
  // Weaker evidence counts only when the submission that the receipt belongs to would have been recorded.
  const late = stored.filter(({ job }) => clock.hasPassed(job.receivedAt + scope.recordedWithinMs(job)))
  await search(matchById, late, all, true)
  await search(matchById, stored, all)
  // A reference names its part, so a receipt with one never belongs to another part.
  const guessable = late.filter((receipt) => !hasReference(receipt))
  await search(matchUnknown, guessable, { notBefore: recipientDay, before: noEnd })
  return matched
}

export function partKey(part: StepKey & Pick<MatchedPart, 'part'>): string {
  return `${part.msgKey}/${part.step}/${part.try}/${part.part}`
}

/** Returns false for part 0, a message that was submitted as a whole: its one receipt decides. */
export function isOneOfSeveral({ part, parts }: Pick<MatchedPart, 'part' | 'parts'>): boolean {
  return parts > 1 && part > 0
}
