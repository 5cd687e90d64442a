/** SQL of cap_counts, its only writer: how much of each cap is used. What API processes have reserved counts as used. */
import { columns, queryBulk } from '../../platform/bulk.ts'
import type { Queryable } from '../../platform/database.ts'
import type { CounterStore, Granted } from '../../platform/leased-counters.ts'
import type { Cap } from './protection.ts'
import type { Period } from './protection-choices.ts'

export interface CapKey {
  readonly accountId: number
  readonly period: Period
  readonly class: string
  /** The day, or the first day of the month, YYYY-MM-DD in the time zone of the installation. */
  readonly begins: string
}

/** The current day and month. */
export type PeriodBegins = Readonly<Record<Period, string>>

export interface CapStore extends CounterStore<CapKey> {
  readonly readUsed: (accountId: number, begins: PeriodBegins) => ReturnType<typeof readUsed>
}

export function createCapStore(database: Queryable): CapStore {
  return {
    reserve: (key, wanted, max) => reserve(database, key, wanted, max),
    giveBack: (unused) => giveBack(database, unused),
    readUsed: (accountId, begins) => readUsed(database, accountId, begins),
  }
}

async function reserve(database: Queryable, key: CapKey, wanted: number, max: number): Promise<Granted> {
  const granted = await update(database, key, wanted, max)
  if (granted !== undefined) return granted
  // The first of a day or month.
  await database.query({
    name: 'create-cap-count',
    text: `insert into cap_counts (account_id, period, class, begins, used) values ($1, $2, $3, $4, 0)
           on conflict do nothing`,
    values: [key.accountId, key.period, key.class, key.begins],
  })
  return (await update(database, key, wanted, max)) ?? { granted: 0, used: 0 }
}

/** Returns undefined if there is no row. The row is locked while it is read and written. */
async function update(
  database: Queryable,
  { accountId, period, class: name, begins }: CapKey,
  wanted: number,
  max: number,
): Promise<Granted | undefined> {
  const { rows } = await database.query<Granted>({
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
export async function readUsed(
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

/** Deletes the counts of earlier days and months. */
export async function deleteOldCapCounts(database: Queryable, before: string): Promise<void> {
  await database.query('delete from cap_counts where begins < $1', [before])
}

export interface UsedCap extends Cap {
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
): Promise<UsedCap[]> {
  const values: unknown[] = [begins.day, begins.month, limit]
  const place = (value: unknown): string => `$${values.push(value)}`
  const conditions = [
    'true',
    ...(clientId === undefined ? [] : [`a.client_id = ${place(clientId)}`]),
    ...(usedPercent === undefined ? [] : [`coalesce(c.used, 0) * 100 >= p.max * ${place(usedPercent)}::int`]),
    ...(after === undefined
      ? []
      : [
          `(a.client_id, p.class, p.period) > (${place(after.clientId)}, ${place(after.class)}, ${place(after.period)})`,
        ]),
  ]
  const result = await database.query<UsedCap>(
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
