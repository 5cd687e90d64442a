/**
 * Advertisements go to no recipient who opted out of those of the account or of all accounts and, if that rule is on, only to
 * recipients who agreed.
 */
import { invalidField } from '../../contract/problem.ts'
import type { BlindIndex } from '../../platform/encryption/blind-index.ts'
import type { AdvertisingAccounts } from '../advertising/accounts.ts'
import type { JudgedAccount, RuleGroup } from '../rule-group.ts'
import type { RuleId } from '../rules.ts'
import { createChoiceLoader, type ChoiceIndex } from './choice-index.ts'

export interface SuppressionContext {
  readonly accounts: AdvertisingAccounts
  readonly index: ChoiceIndex
  /** Called only if there are choices. */
  readonly openBlindIndex: () => Promise<BlindIndex>
}

export function createSuppression({ accounts, index, openBlindIndex }: SuppressionContext): RuleGroup {
  function brokenRule({ accountId, rules }: JudgedAccount, to: string): RuleId | null {
    if (index.isSuppressed(accountId, to)) return 'recipient-not-suppressed'
    if (!rules.has('advertisement-consent')) return null
    return index.get(accountId, to)?.state === 'agreed' ? null : 'advertisement-consent'
  }

  return {
    name: 'suppression',
    load: createChoiceLoader(index, openBlindIndex),
    judgeDraft(judged, { draft: { to, steps }, issues }) {
      if (!steps.some((step) => accounts.isAdvertisement(judged.accountId, step))) return
      const rule = brokenRule(judged, to)
      if (rule === null) return
      const reason =
        rule === 'advertisement-consent'
          ? 'has not agreed to advertisements; record the consent first'
          : 'has opted out of advertisements; remove it from the list of this advertisement'
      issues.add(invalidField('A324', 'to', reason))
    },
    judgeSubmission(judged, { content, to }) {
      if (!accounts.isAdvertisement(judged.accountId, content)) return null
      const rule = brokenRule(judged, to)
      if (rule === null) return null
      return { verdict: 'fail', rule, cause: 'suppressed', text: 'the recipient wants no advertisements' }
    },
  }
}
