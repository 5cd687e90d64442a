/** SQL of cap_counts, its only writer: how much of each cap is used or reserved by a process. */
import { columns, queryBulk } from '../../platform/bulk.ts'
import type { Queryable } from '../../platform/database.ts'
import type { Period } from './protection-choices.ts'

export interface CapKey {
  readonly accountId: number
  readonly period: Period
  readonly class: string
  /** The day or month, YYYY-MM-DD or YYYY-MM in the time zone of the installation. */
  readonly begins: string
}

export interface Reservation extends CapKey {
  readonly wanted: number
  readonly max: number
}

export interface Reserved {
  readonly granted: number
  /** After it, by all processes. */
  readonly used: number
}

/** Where processes share what is used of caps. */
export interface CapStore {
  /** Up to `wanted` of each, never beyond `max`, in the order of the reservations. */
  readonly reserve: (wanted: readonly Reservation[]) => Promise<readonly Reserved[]>
  readonly giveBack: (unused: readonly (CapKey & { readonly count: number })[]) => Promise<void>
  readonly readUsed: (accountId: number, begins: readonly string[]) => ReturnType<typeof readUsed>
}

export function createCapStore(database: Queryable): CapStore {
  return {
    reserve: (wanted) => reserve(database, wanted),
    giveBack: (unused) => giveBack(database, unused),
    readUsed: (accountId, begins) => readUsed(database, accountId, begins),
  }
}

/**
 * Reserves up to `wanted` of each, never beyond `max`: the row is locked while it is read and written. In the order of the
 * reservations, which are of different keys.
 */
async function reserve(database: Queryable, wanted: readonly Reservation[]): Promise<Reserved[]> {
  let found = await update(database, wanted)
  // The first of a day or month.
  if (found.size < wanted.length) {
    await create(database, wanted)
    const missing = wanted.filter((_, n) => !found.has(n))
    const created = await update(database, missing)
    const rest = wanted.flatMap((_, n) => (found.has(n) ? [] : [n]))
    found = new Map([...found, ...[...created].map(([n, row]) => [rest[n]!, row] as const)])
  }
  return wanted.map((_, n) => found.get(n) ?? { granted: 0, used: 0 })
}

async function create(database: Queryable, wanted: readonly CapKey[]): Promise<void> {
  await queryBulk(database, {
    name: 'create-cap-counts',
    text: `insert into cap_counts (account_id, period, class, begins, used)
           select w.account_id, w.period, w.class, w.begins, 0
             from unnest($1::int[], $2::text[], $3::text[], $4::text[]) as w (account_id, period, class, begins)
           on conflict do nothing`,
    columns: columns(wanted, (row) => [row.accountId, row.period, row.class, row.begins]),
  })
}

/** Of those that have a row, by their place in the list. */
async function update(database: Queryable, wanted: readonly Reservation[]): Promise<Map<number, Reserved>> {
  const rows = await queryBulk<Reserved & { n: number }>(database, {
    name: 'reserve-cap',
    text: `update cap_counts c set used = c.used + b.granted
             from (select w.n, c.account_id, c.period, c.class, c.begins,
                          least(w.wanted, greatest(0, w.max - c.used)) as granted
                     from unnest($1::int[], $2::text[], $3::text[], $4::text[], $5::int[], $6::bigint[], $7::bigint[])
                            as w (account_id, period, class, begins, n, wanted, max)
                     join cap_counts c on c.account_id = w.account_id and c.period = w.period and c.class = w.class
                                      and c.begins = w.begins
                    order by c.account_id, c.period, c.class for update of c) b
            where c.account_id = b.account_id and c.period = b.period and c.class = b.class and c.begins = b.begins
           returning b.n, b.granted, c.used`,
    columns: columns(wanted, (row, n) => [
      ...[row.accountId, row.period, row.class, row.begins, n, row.wanted, row.max],
    ]),
  })
  return new Map(rows.map((row) => [row.n, row]))
}

/** Gives back what a process has reserved and not used. */
async function giveBack(
  database: Queryable,
  unused: readonly (CapKey & { readonly count: number })[],
): Promise<void> {
  await queryBulk(database, {
    name: 'give-cap-back',
    text: `update cap_counts c set used = greatest(0, c.used - g.count)
             from unnest($1::int[], $2::text[], $3::text[], $4::text[], $5::bigint[])
               as g (account_id, period, class, begins, count)
            where c.account_id = g.account_id and c.period = g.period and c.class = g.class and c.begins = g.begins`,
    columns: columns(unused, (row) => [row.accountId, row.period, row.class, row.begins, row.count]),
  })
}

/** What is used of the caps of an account in the given days and months. */
export async function readUsed(
  database: Queryable,
  accountId: number,
  begins: readonly string[],
): Promise<(Omit<CapKey, 'accountId'> & { readonly used: number })[]> {
  const result = await database.query<Omit<CapKey, 'accountId'> & { used: number }>(
    'select period, class, begins, used from cap_counts where account_id = $1 and begins = any ($2)',
    [accountId, begins],
  )
  return result.rows
}

/** Counts of days and months before are not needed any more. */
export async function removeOldCounts(database: Queryable, before: string): Promise<void> {
  await database.query('delete from cap_counts where begins < $1', [before])
}
