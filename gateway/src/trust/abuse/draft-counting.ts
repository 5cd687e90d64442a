/** Counts the drafts that are about to be accepted, for caps, velocity and conversions. */
import type { Draft } from '../../channels/channel.ts'
import { invalidField, type Problem } from '../../contract/problem.ts'
import type { AccountContext } from '../rule-group.ts'
import type { RuleId } from '../rules.ts'
import { findCapUses, toCapProblem, type CapResult, type Caps } from './caps.ts'
import type { Conversions } from './conversions.ts'
import type { ProtectedAccount } from './protection.ts'
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
  readonly getProtection: (accountId: number) => ProtectedAccount
}

export function createDraftCounting(counters: Counters): DraftCounting<AccountContext> {
  const { caps, conversions, velocity, getProtection } = counters

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
      const { accountId, rules, now } = accountContext
      const protection = getProtection(accountId)
      // First, because it can fail, and then nothing is counted.
      const limits = (await velocity?.findLimits(accountContext, protection, draft.to)) ?? []
      const uncountCode = rules.has('low-conversion')
        ? conversions?.add(accountId, draft.to, draft.steps, now)
        : undefined
      const capUses = caps === undefined ? [] : findCapUses(protection.caps, draft)
      const capResult = capUses.length === 0 ? nothingTaken : await caps!.take(accountId, capUses, now)
      if (capResult.kind !== 'taken') {
        uncountCode?.()
        return toCapProblem(capResult)
      }
      const reached = await velocity?.take(limits)
      if (reached !== undefined && protection.onSuspicion === 'refuse') {
        uncountCode?.()
        capResult.putBack()
        return toVelocityProblem(reached)
      }
      if (reached !== undefined) hold(reached.rule)
      return () => {
        uncountCode?.()
        capResult.putBack()
        if (reached === undefined) velocity?.putBack(limits)
      }
    },
    async findReachedLimits(accountContext, draft, hold) {
      const { accountId, now } = accountContext
      const protection = getProtection(accountId)
      const problems: Problem[] = []
      const limits = (await velocity?.findLimits(accountContext, protection, draft.to)) ?? []
      const limit = await velocity?.findReached(limits)
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
