/**
 * Who receives advertisements: nobody who has opted out of those of the account or of all accounts and, where the rule is
 * on, only those who have agreed. Judged at accept and again before a submission, over all choices in memory.
 */
import { invalidField } from '../../contract/problem.ts'
import type { BlindIndex } from '../../platform/encryption/blind-index.ts'
import type { AdvertisingAccounts } from '../advertising/accounts.ts'
import type { JudgedAccount, RuleGroup } from '../rule-group.ts'
import type { RuleId } from '../rules.ts'
import { ChoiceIndex } from './choice-index.ts'
import { createChoiceReader } from './read-choices.ts'

export interface SuppressionContext {
  readonly accounts: AdvertisingAccounts
  readonly index: ChoiceIndex
  /** Called when there are choices. */
  readonly openBlindIndex: () => Promise<BlindIndex>
}

export function createSuppression({ accounts, index, openBlindIndex }: SuppressionContext): RuleGroup {
  function brokenRule({ accountId, rules }: JudgedAccount, to: string): RuleId | null {
    if (index.isSuppressed(accountId, to)) return 'recipient-not-suppressed'
    if (!rules.has('advertisement-consent')) return null
    return index.of(accountId, to)?.state === 'agreed' ? null : 'advertisement-consent'
  }

  return {
    name: 'suppression',
    load: createChoiceReader(index, openBlindIndex),
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
