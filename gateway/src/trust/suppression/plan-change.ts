/**
 * Decides what a change does to each recipient, before anything is written. Bounds refuse what clients enter, never an opt-out
 * that a carrier reports or an operator enters. A client cannot take back either of these, and a recipient not what an operator
 * has entered. Taking back concerns opt-outs, not consents. Pure.
 */
import type { ChoiceBounds } from './bounds.ts'
import { isOfClient, ranks, type ChoiceSource, type ChoiceState } from './choice.ts'

export interface PresentChoice {
  readonly recipient: Buffer
  readonly state: ChoiceState
  readonly night: boolean
  readonly source: ChoiceSource
  readonly since: Date
  /** Opt-outs at a carrier that have ended within a day; read where one is taken back there. */
  readonly optIns?: number
}

export interface Counts {
  readonly suppressed: number
  readonly agreed: number
  /** Of today. */
  readonly removals: number
}

export type ReachedBound = 'account' | 'installation' | 'removals'

export interface ChangePlan {
  readonly write: readonly Buffer[]
  /** Recipients for whom something else stays: who takes back their opt-out may not, or it holds since later. */
  readonly kept: number
  readonly refused: number
  /** Why some are refused. */
  readonly bound: ReachedBound | null
  /** What is added to the counts. */
  readonly delta: Counts
}

export interface PlannedChange {
  readonly state: ChoiceState
  readonly night: boolean
  readonly source: ChoiceSource
  /** What holds since later stays, see `isOutdated`. */
  readonly after?: Date | undefined
}

/** Of all accounts. */
export interface Totals {
  readonly entries: number
  /** Those that have entries. */
  readonly accounts: number
}

export interface Situation {
  /** By the recipient in latin1. */
  readonly present: ReadonlyMap<string, PresentChoice>
  readonly counts: Counts
  readonly all: Totals
  readonly bounds: ChoiceBounds
}

type Step = 'write' | 'keep' | 'nothing' | ReachedBound

export function planChange(
  recipients: readonly Buffer[],
  change: PlannedChange,
  { present, counts, all, bounds }: Situation,
): ChangePlan {
  const write: Buffer[] = []
  const delta = { suppressed: 0, agreed: 0, removals: 0 }
  let [kept, refused] = [0, 0]
  let bound: ReachedBound | null = null

  function stepOf(before: PresentChoice | undefined): Step {
    if (before !== undefined && isOutdated(before, change)) return isNew(before, change) ? 'keep' : 'nothing'
    const known = before === undefined || before.state === 'none' ? undefined : before
    if (change.state === 'none') return known === undefined ? 'nothing' : removal(known)
    if (known !== undefined) return isNew(known, change) ? 'write' : 'nothing'
    if (change.state === 'suppressed' && !isOfClient(change.source)) return 'write'
    if (counts[change.state] + delta[change.state] >= bounds[change.state]) return 'account'
    const added = delta.suppressed + delta.agreed
    // Whoever has filled the lists is refused, not the others.
    const share = Math.max(bounds.reserved, Math.floor(bounds.all / Math.max(1, all.accounts)))
    if (counts.suppressed + counts.agreed + added < share) return 'write'
    return all.entries + added >= bounds.all ? 'installation' : 'write'
  }

  function removal(known: PresentChoice): Step {
    if (change.source === 'operator') return 'write'
    if (known.state === 'agreed') return 'nothing'
    if (ranks[known.source] > ranks[change.source]) return 'keep'
    if (!isOfClient(change.source)) return (known.optIns ?? 0) >= bounds.optInsPerDay ? 'keep' : 'write'
    return counts.removals + delta.removals >= bounds.removalsPerDay ? 'removals' : 'write'
  }

  for (const recipient of recipients) {
    const before = present.get(recipient.toString('latin1'))
    const step = stepOf(before)
    if (step === 'write') {
      write.push(recipient)
      if (before !== undefined && before.state !== 'none') delta[before.state]--
      if (change.state !== 'none') delta[change.state]++
      else if (isOfClient(change.source)) delta.removals++
    } else if (step === 'keep') kept++
    else if (step !== 'nothing') {
      refused++
      bound = step
    }
  }
  return { write, kept, refused, bound, delta }
}

/** An opt-out counts over every consent and over what the client changed later: it may have waited while they were entered. */
function isOutdated(before: PresentChoice, { state, source, after }: PlannedChange): boolean {
  if (after === undefined || before.since <= after) return false
  if (state !== 'suppressed') return true
  return before.state !== 'agreed' && ranks[before.source] >= ranks[source]
}

/** The entry of an operator or a carrier replaces the same one of the client, so that the client cannot take it back. */
function isNew(known: PresentChoice, { state, night, source }: PlannedChange): boolean {
  if (known.state !== state || known.night !== night) return true
  return ranks[source] > ranks[known.source]
}
