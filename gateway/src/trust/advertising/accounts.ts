/**
 * The advertising settings of accounts in memory, and the check whether a step is an advertisement. The only
 * writer of account_advertising.
 */
import { isAdvertisement } from '../../channels/advertisement.ts'
import type { ChannelName, Step } from '../../channels/channel.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { createAccountTable } from '../account-table.ts'

export interface AccountAdvertising {
  /** Whether every text of the account is an advertisement, even without a mark. */
  readonly advertiser: boolean
  /** The names of which one must follow the mark. */
  readonly names: readonly string[]
  /** Free numbers (080), digits only, by which recipients opt out. */
  readonly optOutNumbers: readonly string[]
}

export const defaultAccountAdvertising: AccountAdvertising = {
  advertiser: false,
  names: [],
  optOutNumbers: [],
}

const table = createAccountTable<AccountAdvertising>({
  table: 'account_advertising',
  topic: 'advertising',
  columns: { advertiser: 'advertiser', names: 'names', optOutNumbers: 'opt_out_numbers' },
  defaults: defaultAccountAdvertising,
})

export const { read: readAccountAdvertising, change: changeAccountAdvertising } = table

/** Channels whose steps are advertisements only because of their text. */
const textChannels: ReadonlySet<ChannelName> = new Set<ChannelName>(['sms', 'mms', 'international'])

export class AdvertisingAccounts {
  #accounts: ReadonlyMap<number, AccountAdvertising>

  constructor(accounts: ReadonlyMap<number, AccountAdvertising> = new Map()) {
    this.#accounts = accounts
  }

  async load(database: Queryable): Promise<void> {
    this.#accounts = await table.load(database)
  }

  get(accountId: number): AccountAdvertising {
    return this.#accounts.get(accountId) ?? defaultAccountAdvertising
  }

  isAdvertisement(accountId: number, step: Step): boolean {
    return isAdvertisement(step) || (textChannels.has(step.channel) && this.get(accountId).advertiser)
  }
}
