/**
 * Decides what a change does to each recipient, before anything is written. Who has opted out can always be entered where a
 * row exists; what an operator has entered is taken back by operators only; taking back concerns opt-outs, not consents. Pure.
 */
import type { ChoiceBounds } from './bounds.ts'
import type { ChoiceSource, ChoiceState } from './choice.ts'

export interface PresentChoice {
  readonly recipient: Buffer
  readonly state: ChoiceState
  readonly night: boolean
  readonly source: ChoiceSource
  readonly since: Date
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
  /** Recipients whom an operator has suppressed, and who stay so. */
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
  /** What holds since later stays. */
  readonly after?: Date | undefined
}

export interface Situation {
  /** By the recipient in latin1. */
  readonly present: ReadonlyMap<string, PresentChoice>
  readonly counts: Counts
  /** Entries of all accounts. */
  readonly total: number
  readonly bounds: ChoiceBounds
}

type Step = 'write' | 'keep' | 'nothing' | ReachedBound

export function planChange(
  recipients: readonly Buffer[],
  change: PlannedChange,
  { present, counts, total, bounds }: Situation,
): ChangePlan {
  const write: Buffer[] = []
  const delta = { suppressed: 0, agreed: 0, removals: 0 }
  let [kept, refused] = [0, 0]
  let bound: ReachedBound | null = null

  function stepOf(before: PresentChoice | undefined): Step {
    if (change.after !== undefined && before !== undefined && before.since > change.after) return 'nothing'
    const known = before === undefined || before.state === 'none' ? undefined : before
    if (change.state === 'none') return known === undefined ? 'nothing' : removal(known)
    if (known !== undefined) return isNew(known, change) ? 'write' : 'nothing'
    if (counts[change.state] + delta[change.state] >= bounds[change.state]) return 'account'
    const added = delta.suppressed + delta.agreed
    if (counts.suppressed + counts.agreed + added < bounds.reserved) return 'write'
    return total + added >= bounds.all ? 'installation' : 'write'
  }

  function removal(known: PresentChoice): Step {
    if (change.source === 'operator') return 'write'
    if (known.state === 'agreed') return 'nothing'
    if (known.source === 'operator') return 'keep'
    return counts.removals + delta.removals >= bounds.removalsPerDay ? 'removals' : 'write'
  }

  for (const recipient of recipients) {
    const before = present.get(recipient.toString('latin1'))
    const step = stepOf(before)
    if (step === 'write') {
      write.push(recipient)
      if (before !== undefined && before.state !== 'none') delta[before.state]--
      if (change.state !== 'none') delta[change.state]++
      else if (change.source !== 'operator') delta.removals++
    } else if (step === 'keep') kept++
    else if (step !== 'nothing') {
      refused++
      bound = step
    }
  }
  return { write, kept, refused, bound, delta }
}

/** An operator's entry replaces the same one of the account, so that the account cannot take it back. */
function isNew(known: PresentChoice, { state, night, source }: PlannedChange): boolean {
  if (known.state !== state || known.night !== night) return true
  return source === 'operator' && known.source !== 'operator'
}
