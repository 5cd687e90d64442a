/** Every group of rules, one line each, in the order in which they judge. */
import type { BlindIndex } from '../platform/encryption/blind-index.ts'
import { AdvertisingAccounts } from './advertising/accounts.ts'
import { createAdvertisingForm } from './advertising/form.ts'
import { createOrigin } from './origin/origin.ts'
import { createQuietHours } from './quiet-hours/quiet-hours.ts'
import type { RuleGroup } from './rule-group.ts'
import { createSenders } from './senders/senders.ts'
import type { TrustSettings } from './settings.ts'
import { ChoiceIndex } from './suppression/choice-index.ts'
import { createSuppression } from './suppression/suppression.ts'

export function createRuleGroups(
  settings: TrustSettings,
  openBlindIndex: () => Promise<BlindIndex>,
): readonly RuleGroup[] {
  const accounts = new AdvertisingAccounts()
  const index = new ChoiceIndex()
  return [
    createSenders(settings),
    createOrigin(settings),
    createAdvertisingForm(accounts),
    // Before quiet hours: what is never sent does not wait for the morning.
    createSuppression({ accounts, index, openBlindIndex }),
    createQuietHours({ accounts, allowsNight: (id, to) => index.allowsNight(id, to) }, settings),
  ]
}
