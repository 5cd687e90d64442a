/** Every group of rules, one line each, in the order in which they judge. */
import { AdvertisingAccounts } from './advertising/accounts.ts'
import { createAdvertisingForm } from './advertising/form.ts'
import { createOrigin } from './origin/origin.ts'
import { createQuietHours } from './quiet-hours/quiet-hours.ts'
import type { RuleGroup } from './rule-group.ts'
import { createSenders } from './senders/senders.ts'
import type { TrustSettings } from './settings.ts'

export function createRuleGroups(settings: TrustSettings): readonly RuleGroup[] {
  const accounts = new AdvertisingAccounts()
  return [
    createSenders(settings),
    createOrigin(settings),
    createAdvertisingForm(accounts),
    createQuietHours({ accounts, allowsNight: () => false }, settings),
  ]
}
