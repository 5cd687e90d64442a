/**
 * What is set for the advertisements of an account, in memory, and whether a step is one. SQL of account_advertising, its
 * only writer. Read by the rules on the form of advertisements, quiet hours and suppression.
 */
import { isAdvertisement } from '../../channels/advertisement.ts'
import type { ChannelName, Step } from '../../channels/channel.ts'
import { inTransaction, type Queryable, type Transactional } from '../../platform/database.ts'
import { raiseVersion } from '../versions.ts'

export interface AccountAdvertising {
  /** Every text of the account is an advertisement, marked or not. */
  readonly advertiser: boolean
  /** Names of which one follows the mark. */
  readonly names: readonly string[]
  /** Free numbers (080), digits only, by which recipients opt out. */
  readonly optOutNumbers: readonly string[]
}

export const defaultAccountAdvertising: AccountAdvertising = {
  advertiser: false,
  names: [],
  optOutNumbers: [],
}

/** Channels whose steps say by their text alone that they are advertisements. */
const textChannels: ReadonlySet<ChannelName> = new Set<ChannelName>(['sms', 'mms', 'international'])

export class AdvertisingAccounts {
  #accounts: ReadonlyMap<number, AccountAdvertising>

  constructor(accounts: ReadonlyMap<number, AccountAdvertising> = new Map()) {
    this.#accounts = accounts
  }

  async load(database: Queryable): Promise<void> {
    const result = await database.query<AccountAdvertising & { accountId: number }>(
      `select account_id as "accountId", ${columns} from account_advertising`,
    )
    this.#accounts = new Map(result.rows.map(({ accountId, ...one }) => [accountId, one]))
  }

  of(accountId: number): AccountAdvertising {
    return this.#accounts.get(accountId) ?? defaultAccountAdvertising
  }

  isAdvertisement(accountId: number, step: Step): boolean {
    return isAdvertisement(step) || (textChannels.has(step.channel) && this.of(accountId).advertiser)
  }
}

const columns = 'advertiser, names, opt_out_numbers as "optOutNumbers"'

export async function readAccountAdvertising(
  database: Queryable,
  accountId: number,
): Promise<AccountAdvertising> {
  const result = await database.query<AccountAdvertising>(
    `select ${columns} from account_advertising where account_id = $1`,
    [accountId],
  )
  return result.rows[0] ?? defaultAccountAdvertising
}

/** Changes what is given and keeps the rest. */
export function changeAccountAdvertising(
  database: Transactional,
  accountId: number,
  change: Partial<AccountAdvertising>,
): Promise<AccountAdvertising> {
  return inTransaction(database, async (transaction) => {
    // Concurrent changes wait for each other here.
    await raiseVersion(transaction, 'advertising')
    const after = { ...(await readAccountAdvertising(transaction, accountId)), ...change }
    await write(transaction, accountId, after)
    return after
  })
}

async function write(transaction: Queryable, accountId: number, one: AccountAdvertising): Promise<void> {
  await transaction.query(
    `insert into account_advertising (account_id, advertiser, names, opt_out_numbers) values ($1, $2, $3, $4)
     on conflict (account_id) do update
        set advertiser = excluded.advertiser, names = excluded.names, opt_out_numbers = excluded.opt_out_numbers`,
    [accountId, one.advertiser, one.names, one.optOutNumbers],
  )
}
