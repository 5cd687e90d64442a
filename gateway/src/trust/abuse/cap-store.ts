/**
 * The only writer of cap_counts: how much of each cap is used. The quantity that API processes have reserved
 * counts as used.
 */
import { columns, queryBulk } from '../../platform/database/bulk.ts'
import type { Queryable } from '../../platform/database/database.ts'
import type { CounterStore, CounterGrant } from '../../platform/database/leased-counters.ts'
import type { Cap } from './protection.ts'
import type { Period } from './protection-choices.ts'

export interface CapKey {
  readonly accountId: number
  readonly period: Period
  readonly class: string
  /** The day, or the first day of the month, YYYY-MM-DD in the time zone of the installation. */
  readonly begins: string
}

/** Start of the current day and month. */
export type PeriodBegins = Readonly<Record<Period, string>>

export interface CapStore extends CounterStore<CapKey> {
  readonly readUsed: (accountId: number, begins: PeriodBegins) => ReturnType<typeof readCapUsage>
}

export function createCapStore(database: Queryable): CapStore {
  return {
    reserve: (key, wanted, max) => reserve(database, key, wanted, max),
    giveBack: (unused) => giveBack(database, unused),
    readUsed: (accountId, begins) => readCapUsage(database, accountId, begins),
  }
}

async function reserve(database: Queryable, key: CapKey, wanted: number, max: number): Promise<CounterGrant> {
  const granted = await update(database, key, wanted, max)
  if (granted !== undefined) return granted
  // First use of a day or month.
  await database.query({
    name: 'create-cap-count',
    text: `insert into cap_counts (account_id, period, class, begins, used) values ($1, $2, $3, $4, 0)
           on conflict do nothing`,
    values: [key.accountId, key.period, key.class, key.begins],
  })
  return (await update(database, key, wanted, max)) ?? { granted: 0, used: 0 }
}

/** Returns undefined if there is no row. Locks the row while it is read and written. */
async function update(
  database: Queryable,
  { accountId, period, class: name, begins }: CapKey,
  wanted: number,
  max: number,
): Promise<CounterGrant | undefined> {
  const { rows } = await database.query<CounterGrant>({
    name: 'reserve-cap',
    text: `update cap_counts c set used = c.used + b.granted
             from (select least($5::bigint, greatest(0, $6::bigint - used)) as granted from cap_counts
                    where account_id = $1 and period = $2 and class = $3 and begins = $4 for update) b
            where c.account_id = $1 and c.period = $2 and c.class = $3 and c.begins = $4
           returning b.granted, c.used`,
    values: [accountId, period, name, begins, wanted, max],
  })
  return rows[0]
}

async function giveBack(
  database: Queryable,
  unused: readonly { readonly key: CapKey; readonly count: number }[],
): Promise<void> {
  await queryBulk(database, {
    name: 'give-cap-back',
    text: `update cap_counts c set used = greatest(0, c.used - g.count)
             from unnest($1::int[], $2::text[], $3::text[], $4::date[], $5::bigint[])
               as g (account_id, period, class, begins, count)
            where c.account_id = g.account_id and c.period = g.period and c.class = g.class and c.begins = g.begins`,
    columns: columns(unused, ({ key, count }) => [key.accountId, key.period, key.class, key.begins, count]),
  })
}

/** Reads the use of an account's caps. */
export async function readCapUsage(
  database: Queryable,
  accountId: number,
  begins: PeriodBegins,
): Promise<(Pick<CapKey, 'period' | 'class'> & { readonly used: number })[]> {
  const result = await database.query<Pick<CapKey, 'period' | 'class'> & { used: number }>(
    `select period, class, used from cap_counts
      where account_id = $1 and begins = case period when 'day' then $2::date else $3::date end`,
    [accountId, begins.day, begins.month],
  )
  return result.rows
}

/** Deletes the counts of days and months that began before `before`. */
export async function deleteOldCapCounts(database: Queryable, before: string): Promise<void> {
  await database.query('delete from cap_counts where begins < $1', [before])
}

export interface CapUsage extends Cap {
  readonly clientId: string
  readonly used: number
}

export interface CapFilter {
  readonly clientId?: string | undefined
  /** Lists only caps of which at least this percentage is used. */
  readonly usedPercent?: number | undefined
  /** Lists the caps after this one. */
  readonly after?: { readonly clientId: string; readonly class: string; readonly period: string } | undefined
  readonly limit: number
}

/** Lists caps by account, class and period. */
export async function listCaps(
  database: Queryable,
  begins: PeriodBegins,
  { clientId, usedPercent, after, limit }: CapFilter,
): Promise<CapUsage[]> {
  const values: unknown[] = [begins.day, begins.month, limit]
  const placeholder = (value: unknown): string => `$${values.push(value)}`
  const conditions = [
    'true',
    ...(clientId === undefined ? [] : [`a.client_id = ${placeholder(clientId)}`]),
    ...(usedPercent === undefined
      ? []
      : [`coalesce(c.used, 0) * 100 >= p.max * ${placeholder(usedPercent)}::int`]),
    ...(after === undefined
      ? []
      : [
          `(a.client_id, p.class, p.period) > (${placeholder(after.clientId)}, ${placeholder(after.class)}, ${placeholder(after.period)})`,
        ]),
  ]
  const result = await database.query<CapUsage>(
    `select a.client_id as "clientId", p.period, p.class, p.max, coalesce(c.used, 0) as used
       from account_caps p join accounts a on a.id = p.account_id
       left join cap_counts c on c.account_id = p.account_id and c.class = p.class and c.period = p.period
                             and c.begins = case p.period when 'day' then $1::date else $2::date end
      where ${conditions.join(' and ')}
      order by a.client_id, p.class, p.period limit $3`,
    values,
  )
  return result.rows
}
