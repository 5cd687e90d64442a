/** Counts the drafts that are about to be accepted, for caps, velocity, sequences and conversions. */
import type { Draft } from '../../channels/channel.ts'
import { invalidField, type Problem } from '../../contract/problem.ts'
import type { AccountContext } from '../rule-group.ts'
import type { RuleId } from '../rules.ts'
import { findCapUses, toCapProblem, type CapResult, type Caps } from './caps.ts'
import type { Conversions } from './conversions.ts'
import type { ProtectedAccount } from './protection.ts'
import type { Sequences } from './sequences.ts'
import type { Velocity, VelocityLimit } from './velocity.ts'

export type CountedDraft = Pick<Draft, 'to' | 'steps'>
/** The reason why the draft is refused, or a function that undoes the count if the draft is not accepted. */
export type DraftCountResult = Problem | (() => void)
/** Holds a draft that a rule finds suspicious, for an operator's decision. */
export type HoldDraft = (rule: RuleId) => void

export interface DraftCounting<Account = number> {
  /** Counts a draft that is about to be accepted. */
  readonly countDraft: (account: Account, draft: CountedDraft, hold: HoldDraft) => Promise<DraftCountResult>
  /**
   * Returns the problems of the velocity limit and the cap that the draft would exceed, without counting it. Calls `hold`
   * for the velocity limit if the account holds suspicious drafts.
   */
  readonly findReachedLimits: (account: Account, draft: CountedDraft, hold: HoldDraft) => Promise<Problem[]>
  /** Returns the problem if `messages` such drafts would exceed a cap at the time `at`, or null. Counts none. */
  readonly findReachedCap: (
    account: Account,
    draft: CountedDraft,
    messages: number,
    at: number,
  ) => Promise<Problem | null>
}

export interface Counters {
  readonly caps: Pick<Caps, 'take' | 'findReached'> | undefined
  readonly conversions: Pick<Conversions, 'add'> | undefined
  readonly velocity: Velocity | undefined
  readonly sequences: Sequences
  readonly getProtection: (accountId: number) => ProtectedAccount
}

export function createDraftCounting(counters: Counters): DraftCounting<AccountContext> {
  const { caps, conversions, velocity, sequences, getProtection } = counters

  function countInMemory({ accountId, rules, now }: AccountContext, { to, steps }: CountedDraft): () => void {
    const isNew = rules.has('sequential-numbers') && sequences.add(accountId, to)
    const uncountCode = rules.has('low-conversion') ? conversions?.add(accountId, to, steps, now) : undefined
    return () => {
      uncountCode?.()
      if (isNew) sequences.remove(accountId, to)
    }
  }

  async function findReachedCap(
    { accountId }: AccountContext,
    draft: CountedDraft,
    messages: number,
    at: number,
  ): Promise<Problem | null> {
    const uses = findCapUses(getProtection(accountId).caps, draft).map((use) => ({
      ...use,
      count: use.count * messages,
    }))
    const cap = uses.length === 0 ? null : await caps?.findReached(accountId, uses, at)
    return cap ? toCapProblem({ kind: 'reached', cap }) : null
  }

  return {
    findReachedCap,
    async countDraft(accountContext, draft, hold) {
      const { accountId, now } = accountContext
      const protection = getProtection(accountId)
      // Count before the first wait, so that concurrent messages to consecutive numbers are detected.
      const uncount = countInMemory(accountContext, draft)
      const capUses = caps === undefined ? [] : findCapUses(protection.caps, draft)
      const capResult = capUses.length === 0 ? nothingTaken : await caps!.take(accountId, capUses, now)
      if (capResult.kind !== 'taken') {
        uncount()
        return toCapProblem(capResult)
      }
      const limits = velocity?.findLimits(accountContext, protection, draft.to) ?? []
      const reached = await velocity?.take(limits)
      if (reached !== undefined && protection.onSuspicion === 'refuse') {
        uncount()
        capResult.putBack()
        return toVelocityProblem(reached)
      }
      if (reached !== undefined) hold(reached.rule)
      return () => {
        uncount()
        capResult.putBack()
        if (reached === undefined) velocity?.putBack(limits)
      }
    },
    async findReachedLimits(accountContext, draft, hold) {
      const { accountId, now } = accountContext
      const protection = getProtection(accountId)
      const problems: Problem[] = []
      const limit = await velocity?.findReached(velocity.findLimits(accountContext, protection, draft.to))
      if (limit !== undefined && protection.onSuspicion === 'refuse') problems.push(toVelocityProblem(limit))
      else if (limit !== undefined) hold(limit.rule)
      const cap = await findReachedCap(accountContext, draft, 1, now)
      if (cap !== null) problems.push(cap)
      return problems
    },
  }
}

const nothingTaken: CapResult = { kind: 'taken', putBack: () => undefined }

function toVelocityProblem({ reason }: VelocityLimit): Problem {
  return invalidField('A344', 'to', reason)
}
