/**
 * Creates the rule groups in the order in which they check a message, at accept and again before each
 * submission:
 *
 * 1. `stops`: nothing of a blocked account is submitted.
 * 2. `batches`: nothing of a paused or cancelled batch is submitted.
 * 3. `senders`: each step is sent from a registered sender; sandbox accounts use sandbox routes only.
 * 4. `origin`: the message has a code that its account is allowed to use.
 * 5. `advertising`: advertisements have the legal form.
 * 6. `suppression`: no advertisement reaches a recipient who opted out.
 * 7. `quiet-hours`: no advertisement is sent at night. It follows `suppression`, because a message that is
 * never sent must not wait for the morning.
 * 8. `abuse`: recipients, countries, links and texts.
 *
 * A draft collects the issues of all groups; the first denial of a submission counts. Drafts that pass are
 * counted for caps and velocity last (`abuse/draft-counting.ts`).
 */
import type { BlindIndex } from '../platform/encryption/blind-index.ts'
import type { AbuseRules } from './abuse/abuse.ts'
import { AdvertisingAccounts } from './advertising/accounts.ts'
import { createAdvertisingForm } from './advertising/form.ts'
import { createOrigin } from './origin/origin.ts'
import { createQuietHours } from './quiet-hours/quiet-hours.ts'
import { QuietHoursTable } from './quiet-hours/settings.ts'
import type { RuleGroup } from './rule-group.ts'
import type { StoppedBatches } from './batches/stopped-batches.ts'
import { SenderIndex } from './senders/sender-index.ts'
import { createSenders } from './senders/senders.ts'
import type { TrustSettings } from './settings.ts'
import type { BlockedAccounts } from './blocked-accounts/blocked-accounts.ts'
import { ChoiceIndex } from './suppression/choice-index.ts'
import { createSuppression } from './suppression/suppression.ts'

/** The data of the groups in memory, which they load from their tables. Tests pass it. */
export class RuleData {
  readonly senders: SenderIndex
  readonly advertising: AdvertisingAccounts
  readonly choices: ChoiceIndex
  readonly quietHours: QuietHoursTable

  constructor({
    senders = new SenderIndex(),
    advertising = new AdvertisingAccounts(),
    choices = new ChoiceIndex(),
    quietHours = new QuietHoursTable(),
  }: Partial<RuleData> = {}) {
    this.senders = senders
    this.advertising = advertising
    this.choices = choices
    this.quietHours = quietHours
  }
}

export interface RuleGroupsOptions {
  readonly settings: TrustSettings
  readonly blockedAccounts: BlockedAccounts
  readonly stoppedBatches: StoppedBatches
  readonly abuse: AbuseRules
  readonly data: RuleData
  readonly openBlindIndex: () => Promise<BlindIndex>
}

export function createRuleGroups(options: RuleGroupsOptions): readonly RuleGroup[] {
  const { settings, blockedAccounts, stoppedBatches, abuse, data, openBlindIndex } = options
  const { senders, advertising: accounts, choices: index, quietHours: table } = data
  return [
    blockedAccounts,
    stoppedBatches,
    createSenders(settings, senders),
    createOrigin(settings),
    createAdvertisingForm(accounts),
    createSuppression({ accounts, index, openBlindIndex }),
    createQuietHours({ accounts, table, allowsNight: (id, to) => index.allowsNight(id, to) }, settings),
    abuse,
  ]
}
