/**
 * Decides the effect of a change on each recipient, before anything is written. Limits refuse consents, and opt-outs
 * and removals of clients, never an opt-out that a carrier reports or an operator enters. A client cannot remove such
 * an opt-out, and a recipient cannot remove one of an operator. Clients and recipients remove opt-outs, not consents.
 */
import { isClientSource, sourceRanks, type RecipientChoice, type ChoiceSource } from './choice.ts'

export interface ChoiceLimits {
  /** Maximum consents of one account. */
  readonly agreed: number
  /** Maximum opt-outs of one account. */
  readonly suppressed: number
  /**
   * Maximum entries of all accounts. Accounts with fewer entries than an equal part are not refused, so about twice
   * as many can be stored.
   */
  readonly all: number
  /** An account with fewer entries is never refused because of `all`. */
  readonly reserved: number
  /** Opt-outs that the client of one account can remove per day; limits the history. */
  readonly removalsPerDay: number
  /**
   * Opt-ins of a recipient at a carrier per account and 24 hours; beyond it the recipient stays suppressed.
   */
  readonly optInsPerDay: number
}

/** An entry takes 12 to 24 bytes in the memory of every process (`choice-table.ts`). */
export const choiceLimits: ChoiceLimits = {
  agreed: 1_000_000,
  suppressed: 2_000_000,
  all: 10_000_000,
  reserved: 10_000,
  removalsPerDay: 10_000,
  optInsPerDay: 10,
}

export interface PresentChoice extends RecipientChoice {
  readonly recipient: Buffer
  readonly source: ChoiceSource
  readonly since: Date
  /** Opt-outs at a carrier that ended within a day; read only for an opt-in at a carrier. */
  readonly optIns?: number
}

export interface SuppressionCounts {
  readonly suppressed: number
  readonly agreed: number
  readonly removalsToday: number
}

export type ReachedLimit = 'account' | 'installation' | 'removals'

export interface ChangePlan {
  readonly write: readonly Buffer[]
  /** Recipients whose choice stays because it has a higher rank, is newer, or was changed too often. */
  readonly kept: number
  readonly refused: number
  /** The reason of the last refusal. */
  readonly limit: ReachedLimit | null
  /** The change of the counts. */
  readonly delta: SuppressionCounts
}

export interface PlannedChange extends RecipientChoice {
  readonly source: ChoiceSource
  /** Choices made after this time stay (`isOutdated`). */
  readonly after?: Date | undefined
}

export interface SuppressionTotals {
  readonly entries: number
  /** Accounts that have entries. */
  readonly accounts: number
}

export interface PlanInput {
  /** Present choices; the key is the recipient in latin1. */
  readonly present: ReadonlyMap<string, PresentChoice>
  readonly counts: SuppressionCounts
  readonly totals: SuppressionTotals
  readonly limits: ChoiceLimits
}

type Decision = 'write' | 'keep' | 'nothing' | ReachedLimit

export function planChange(
  recipients: readonly Buffer[],
  change: PlannedChange,
  { present, counts, totals, limits }: PlanInput,
): ChangePlan {
  const write: Buffer[] = []
  const delta = { suppressed: 0, agreed: 0, removalsToday: 0 }
  let [kept, refused] = [0, 0]
  let limit: ReachedLimit | null = null

  function decide(before: PresentChoice | undefined): Decision {
    if (before !== undefined && isOutdated(before, change)) return isNew(before, change) ? 'keep' : 'nothing'
    const effective = before === undefined || before.state === 'none' ? undefined : before
    if (change.state === 'none') return effective === undefined ? 'nothing' : decideRemoval(effective)
    if (effective !== undefined) return isNew(effective, change) ? 'write' : 'nothing'
    if (change.state === 'suppressed' && !isClientSource(change.source)) return 'write'
    if (counts[change.state] + delta[change.state] >= limits[change.state]) return 'account'
    const added = delta.suppressed + delta.agreed
    const equalPart = Math.max(limits.reserved, Math.floor(limits.all / Math.max(1, totals.accounts)))
    if (counts.suppressed + counts.agreed + added < equalPart) return 'write'
    return totals.entries + added >= limits.all ? 'installation' : 'write'
  }

  function decideRemoval(effective: PresentChoice): Decision {
    if (change.source === 'operator') return 'write'
    if (effective.state === 'agreed') return 'nothing'
    if (sourceRanks[effective.source] > sourceRanks[change.source]) return 'keep'
    if (!isClientSource(change.source))
      return (effective.optIns ?? 0) >= limits.optInsPerDay ? 'keep' : 'write'
    return counts.removalsToday + delta.removalsToday >= limits.removalsPerDay ? 'removals' : 'write'
  }

  for (const recipient of recipients) {
    const before = present.get(recipient.toString('latin1'))
    const decision = decide(before)
    if (decision === 'write') {
      write.push(recipient)
      if (before !== undefined && before.state !== 'none') delta[before.state]--
      if (change.state !== 'none') delta[change.state]++
      else if (isClientSource(change.source)) delta.removalsToday++
    } else if (decision === 'keep') kept++
    else if (decision !== 'nothing') {
      refused++
      limit = decision
    }
  }
  return { write, kept, refused, limit, delta }
}

/**
 * Reports whether the change is outdated. An opt-out overrides every consent and every later change of the
 * client: it may have waited while those were entered.
 */
function isOutdated(before: PresentChoice, { state, source, after }: PlannedChange): boolean {
  if (after === undefined || before.since <= after) return false
  if (state !== 'suppressed') return true
  return before.state !== 'agreed' && sourceRanks[before.source] >= sourceRanks[source]
}

/**
 * Reports whether the change has an effect. An entry of an operator or a carrier replaces the same one of the
 * client, so that the client cannot remove it.
 */
function isNew(effective: PresentChoice, { state, night, source }: PlannedChange): boolean {
  return (
    effective.state !== state ||
    effective.night !== night ||
    sourceRanks[source] > sourceRanks[effective.source]
  )
}
