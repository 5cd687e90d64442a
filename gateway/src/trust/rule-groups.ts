/** Every group of rules, one line each, in the order in which they judge. */
import type { BlindIndex } from '../platform/encryption/blind-index.ts'
import { AdvertisingAccounts } from './advertising/accounts.ts'
import { createAdvertisingForm } from './advertising/form.ts'
import { createOrigin } from './origin/origin.ts'
import { createQuietHours } from './quiet-hours/quiet-hours.ts'
import { QuietHoursTable } from './quiet-hours/settings.ts'
import type { RuleGroup } from './rule-group.ts'
import { SenderIndex } from './senders/sender-index.ts'
import { createSenders } from './senders/senders.ts'
import type { TrustSettings } from './settings.ts'
import { ChoiceIndex } from './suppression/choice-index.ts'
import { createSuppression } from './suppression/suppression.ts'

/** What the groups judge by, in memory. They fill it from their tables; tests give it. */
export class RuleData {
  readonly senders: SenderIndex
  readonly advertising: AdvertisingAccounts
  readonly choices: ChoiceIndex
  readonly quietHours: QuietHoursTable

  constructor(given: Partial<RuleData> = {}) {
    this.senders = given.senders ?? new SenderIndex()
    this.advertising = given.advertising ?? new AdvertisingAccounts()
    this.choices = given.choices ?? new ChoiceIndex()
    this.quietHours = given.quietHours ?? new QuietHoursTable()
  }
}

export function createRuleGroups(
  settings: TrustSettings,
  openBlindIndex: () => Promise<BlindIndex>,
  { senders, advertising: accounts, choices: index, quietHours: table } = new RuleData(),
): readonly RuleGroup[] {
  return [
    createSenders(settings, senders),
    createOrigin(settings),
    createAdvertisingForm(accounts),
    // Before quiet hours: what is never sent does not wait for the morning.
    createSuppression({ accounts, index, openBlindIndex }),
    createQuietHours({ accounts, table, allowsNight: (id, to) => index.allowsNight(id, to) }, settings),
  ]
}
