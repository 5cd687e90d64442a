/** Applies the rules of trust to a draft, as a check of accept. A draft that a rule finds suspicious is marked, not refused. */
import type { Policy } from '../../trust/policy.ts'
import type { DraftSubject } from '../../trust/rule-group.ts'
import type { CheckInMemory } from './check-steps.ts'

export function createCheckTrust(policy: Pick<Policy, 'judgeDraft'>): CheckInMemory {
  return (accountId, draft, placeOf, issues) => {
    const { effects } = draft
    const hold: DraftSubject['hold'] = (rule) => {
      draft.heldBy ??= rule
      effects?.push({ rule, effect: 'held', step: null, notBefore: null, reason: heldReason })
    }
    const subject: DraftSubject =
      effects === undefined
        ? { draft, placeOf, issues, hold }
        : { draft, placeOf, issues, hold, note: (effect) => void effects.push(effect) }
    policy.judgeDraft(accountId, subject)
  }
}

const heldReason = 'it is suspicious: it is accepted and waits until an operator of the service decides'
