/**
 * The hours in which advertisements to Korea may be sent, by account and channel: the table quiet_hours, which only this module
 * writes, and its copy in memory.
 */
import { inTransaction, type Queryable, type Transactional } from '../../platform/database/database.ts'
import { incrementVersion } from '../versions.ts'
import { everyAccount, everyChannel, type NightChoice, type QuietChannel } from './choices.ts'
import type { SendingWindow } from './window.ts'

/** The `choice` is what happens to an advertisement outside the hours; it also applies to other countries. */
export interface QuietHours extends SendingWindow {
  readonly choice: NightChoice
}

/** Ten minutes before the legal limit: the messenger stops at 20:50, and carriers need time. */
export const defaultQuietHours: QuietHours = { opensAt: 8 * 60, closesAt: 20 * 60 + 50, choice: 'next-step' }

export interface QuietHoursRow extends QuietHours {
  readonly accountId: number
  /** `null` stands for every account. */
  readonly clientId: string | null
  readonly channel: QuietChannel
}

export class QuietHoursTable {
  #rows: ReadonlyMap<string, QuietHours>

  constructor(rows: readonly QuietHoursRow[] = []) {
    this.#rows = toMap(rows)
  }

  async load(database: Queryable): Promise<void> {
    this.#rows = toMap(await readQuietHours(database))
  }

  /** Returns the hours. Settings of the account take precedence over those of every account, then those of the channel. */
  get(accountId: number, channel: QuietChannel): QuietHours {
    const rows = this.#rows
    if (rows.size === 0) return defaultQuietHours
    return (
      rows.get(`${accountId}/${channel}`) ??
      rows.get(`${accountId}/${everyChannel}`) ??
      rows.get(`${everyAccount}/${channel}`) ??
      rows.get(`${everyAccount}/${everyChannel}`) ??
      defaultQuietHours
    )
  }
}

function toMap(rows: readonly QuietHoursRow[]): Map<string, QuietHours> {
  return new Map(
    rows.map(({ accountId, channel, opensAt, closesAt, choice }) => [
      `${accountId}/${channel}`,
      { opensAt, closesAt, choice },
    ]),
  )
}

export interface QuietHoursFilter {
  readonly accountId?: number | undefined
  /** Lists the rows after this one. */
  readonly after?: Pick<QuietHoursRow, 'accountId'> & { readonly channel: string }
  readonly limit?: number
}

/** Reads rows by account and channel, those of every account first. */
export async function readQuietHours(
  database: Queryable,
  { accountId, after, limit }: QuietHoursFilter = {},
): Promise<QuietHoursRow[]> {
  const result = await database.query<QuietHoursRow>(
    `select q.account_id as "accountId", a.client_id as "clientId", q.channel, q.opens_at as "opensAt",
            q.closes_at as "closesAt", q.choice
       from quiet_hours q left join accounts a on a.id = q.account_id
      where ($1::int is null or q.account_id = $1) and (q.account_id, q.channel) > ($2::int, $3::text collate "C")
      order by q.account_id, q.channel limit $4`,
    [accountId ?? null, after?.accountId ?? -1, after?.channel ?? '', limit ?? null],
  )
  return result.rows
}

/**
 * Changes the hours of the account and channel. `before` is the previous effective value, configured or
 * default.
 */
export function changeQuietHours(
  database: Transactional,
  accountId: number,
  channel: QuietChannel,
  change: (before: QuietHours) => QuietHours,
): Promise<QuietHours> {
  return inTransaction(database, async (transaction) => {
    // Concurrent changes wait for each other here.
    await incrementVersion(transaction, 'quiet-hours')
    const ofAccount = await readQuietHours(transaction, { accountId })
    const ofEveryAccount = await readQuietHours(transaction, { accountId: everyAccount })
    const after = change(new QuietHoursTable([...ofAccount, ...ofEveryAccount]).get(accountId, channel))
    await write(transaction, accountId, { ...after, channel })
    return after
  })
}

/** Sets the hours. `null` removes the row, so that the next more general settings apply again. */
export async function setQuietHours(
  database: Transactional,
  accountId: number,
  channel: QuietChannel,
  hours: QuietHours | null,
): Promise<void> {
  await inTransaction(database, async (transaction) => {
    await incrementVersion(transaction, 'quiet-hours')
    if (hours !== null) return write(transaction, accountId, { ...hours, channel })
    await transaction.query('delete from quiet_hours where account_id = $1 and channel = $2', [
      accountId,
      channel,
    ])
  })
}

async function write(
  transaction: Queryable,
  accountId: number,
  { channel, opensAt, closesAt, choice }: QuietHours & { readonly channel: QuietChannel },
): Promise<void> {
  await transaction.query(
    `insert into quiet_hours (account_id, channel, opens_at, closes_at, choice) values ($1, $2, $3, $4, $5)
     on conflict (account_id, channel) do update
        set opens_at = excluded.opens_at, closes_at = excluded.closes_at, choice = excluded.choice`,
    [accountId, channel, opensAt, closesAt, choice],
  )
}
