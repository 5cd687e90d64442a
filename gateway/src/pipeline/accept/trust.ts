/** Applies the rules of trust to a draft, as a check of accept. A draft that a rule finds suspicious is marked, not refused. */
import type { Policy } from '../../trust/policy.ts'
import type { CheckInMemory } from './check-steps.ts'

export function createCheckTrust(policy: Pick<Policy, 'judgeDraft'>): CheckInMemory {
  return (accountId, draft, placeOf, issues) =>
    policy.judgeDraft(accountId, {
      ...{ draft, placeOf, issues },
      hold: (rule) => void (draft.heldBy ??= rule),
    })
}
