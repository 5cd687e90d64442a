/** Applies the rules of trust to a draft, as a check of accept. A draft that a rule finds suspicious is marked, not refused. */
import type { Hold } from '../../trust/abuse/abuse.ts'
import type { Policy } from '../../trust/policy.ts'
import type { DraftSubject } from '../../trust/rule-group.ts'
import type { CheckedDraft, CheckInMemory } from './check-steps.ts'

export function createCheckTrust(policy: Pick<Policy, 'judgeDraft'>): CheckInMemory {
  return (accountId, draft, placeOf, issues) => {
    const { effects } = draft
    const hold = createHold(draft)
    const subject: DraftSubject =
      effects === undefined
        ? { draft, placeOf, issues, hold }
        : { draft, placeOf, issues, hold, note: (effect) => void effects.push(effect) }
    policy.judgeDraft(accountId, subject)
  }
}

/** Returns a function that marks the draft as held by a rule. */
export function createHold(draft: CheckedDraft): Hold {
  return (rule) => {
    draft.heldBy ??= rule
    draft.effects?.push({ rule, effect: 'held', step: null, notBefore: null, reason: heldReason })
  }
}

const heldReason = 'it is suspicious: it is accepted and waits until an operator of the service decides'
