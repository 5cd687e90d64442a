/**
 * Blocks advertisements to recipients who opted out of those of the account or of all accounts and, if that
 * rule is enabled, to recipients who have not consented.
 */
import { invalidField } from '../../contract/problem.ts'
import type { BlindIndex } from '../../platform/encryption/blind-index.ts'
import type { AdvertisingAccounts } from '../advertising/accounts.ts'
import type { AccountContext, RuleGroup } from '../rule-group.ts'
import type { RuleId } from '../rules.ts'
import { createChoiceLoader, type ChoiceIndex } from './choice-index.ts'

export interface SuppressionContext {
  readonly accounts: AdvertisingAccounts
  readonly index: ChoiceIndex
  /** Runs only if there are choices. */
  readonly openBlindIndex: () => Promise<BlindIndex>
}

export function createSuppression({ accounts, index, openBlindIndex }: SuppressionContext): RuleGroup {
  function findBrokenRule({ accountId, rules }: AccountContext, to: string): RuleId | null {
    if (index.isSuppressed(accountId, to)) return 'recipient-not-suppressed'
    if (!rules.has('advertisement-consent')) return null
    return index.get(accountId, to)?.state === 'agreed' ? null : 'advertisement-consent'
  }

  return {
    name: 'suppression',
    load: createChoiceLoader(index, openBlindIndex),
    checkDraft(accountContext, { draft: { to, steps }, issues }) {
      if (!steps.some((step) => accounts.isAdvertisement(accountContext.accountId, step))) return
      const rule = findBrokenRule(accountContext, to)
      if (rule === null) return
      const reason =
        rule === 'advertisement-consent'
          ? 'has not agreed to advertisements; record the consent first'
          : 'has opted out of advertisements; remove it from the list of this advertisement'
      issues.add(invalidField('A324', 'to', reason))
    },
    checkSubmission(accountContext, { content, to }) {
      if (!accounts.isAdvertisement(accountContext.accountId, content)) return null
      const rule = findBrokenRule(accountContext, to)
      if (rule === null) return null
      return {
        verdict: 'fail',
        rule,
        cause: 'suppressed',
        text: 'the recipient has opted out of advertisements or has not consented',
      }
    },
  }
}
