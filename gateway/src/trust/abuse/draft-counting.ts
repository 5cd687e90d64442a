/** Counts the drafts that are about to be accepted, for caps, velocity, sequences and conversions. */
import type { Draft } from '../../channels/channel.ts'
import { invalidField, type Problem } from '../../contract/problem.ts'
import type { JudgedAccount } from '../rule-group.ts'
import type { RuleId } from '../rules.ts'
import { findCapUses, toCapProblem, type CapResult, type Caps } from './caps.ts'
import type { Conversions } from './conversions.ts'
import type { ProtectedAccount } from './protection.ts'
import type { Sequences } from './sequences.ts'
import type { Velocity, VelocityLimit } from './velocity.ts'

export type CountedDraft = Pick<Draft, 'to' | 'steps'>
/** The reason why the draft is refused, or a function that undoes the count of a draft that was not accepted. */
export type Counted = Problem | (() => void)
/** Marks a draft that a rule finds suspicious: an operator decides. */
export type Hold = (rule: RuleId) => void

export interface DraftCounting<Account = number> {
  /** Counts a draft that is about to be accepted. */
  readonly takeDraft: (account: Account, draft: CountedDraft, hold: Hold) => Promise<Counted>
  /** Returns the velocity limit and the cap that the draft would exceed. Counts nothing. */
  readonly previewDraft: (account: Account, draft: CountedDraft, hold: Hold) => Promise<Problem[]>
}

export interface Counters {
  readonly caps: Pick<Caps, 'take' | 'findReached'> | undefined
  readonly conversions: Pick<Conversions, 'add'> | undefined
  readonly velocity: Velocity | undefined
  readonly sequences: Sequences
  readonly getProtection: (accountId: number) => ProtectedAccount
}

export function createDraftCounting(counters: Counters): DraftCounting<JudgedAccount> {
  const { caps, conversions, velocity, sequences, getProtection } = counters

  function countInMemory({ accountId, rules, now }: JudgedAccount, { to, steps }: CountedDraft): () => void {
    const isNew = rules.has('sequential-numbers') && sequences.add(accountId, to)
    const uncountCode = rules.has('low-conversion') ? conversions?.add(accountId, to, steps, now) : undefined
    return () => {
      uncountCode?.()
      if (isNew) sequences.remove(accountId, to)
    }
  }

  return {
    async takeDraft(judged, draft, hold) {
      const { accountId, now } = judged
      const own = getProtection(accountId)
      // Counted before the first wait, so that concurrent messages to consecutive numbers see each other.
      const uncount = countInMemory(judged, draft)
      const capUses = caps === undefined ? [] : findCapUses(own.caps, draft)
      const taken = capUses.length === 0 ? nothingTaken : await caps!.take(accountId, capUses, now)
      if (taken.kind !== 'taken') {
        uncount()
        return toCapProblem(taken)
      }
      const limits = velocity?.findLimits(judged, own, draft.to) ?? []
      const reached = await velocity?.take(limits)
      if (reached !== undefined && own.onSuspicion === 'refuse') {
        uncount()
        taken.putBack()
        return toVelocityProblem(reached)
      }
      if (reached !== undefined) hold(reached.rule)
      return () => {
        uncount()
        taken.putBack()
        if (reached === undefined) velocity?.putBack(limits)
      }
    },
    async previewDraft(judged, draft, hold) {
      const { accountId, now } = judged
      const own = getProtection(accountId)
      const problems: Problem[] = []
      const limit = await velocity?.findReached(velocity.findLimits(judged, own, draft.to))
      if (limit !== undefined && own.onSuspicion === 'refuse') problems.push(toVelocityProblem(limit))
      else if (limit !== undefined) hold(limit.rule)
      const capUses = findCapUses(own.caps, draft)
      const cap = capUses.length === 0 ? null : await caps?.findReached(accountId, capUses, now)
      if (cap) problems.push(toCapProblem({ kind: 'reached', cap }))
      return problems
    },
  }
}

const nothingTaken: CapResult = { kind: 'taken', putBack: () => undefined }

function toVelocityProblem({ reason }: VelocityLimit): Problem {
  return invalidField('A344', 'to', reason)
}
