/** SQL of conversions and conversion_counts, their only writer: one-time codes that were sent, and those that were used. */
import { columns, queryBulk } from '../../platform/bulk.ts'
import { inTransaction, type Queryable, type Transactional } from '../../platform/database.ts'

export interface ConversionKey {
  readonly accountId: number
  /** ISO code. */
  readonly country: string
  /** YYYY-MM-DD, UTC. */
  readonly day: string
}

export interface CodeUse {
  readonly codes: number
  readonly converted: number
}

export const dayOf = (now: number): string => new Date(now).toISOString().slice(0, 10)

/** Adds codes that were sent, of different keys. */
export async function addCodes(
  database: Queryable,
  counts: readonly (ConversionKey & { readonly codes: number })[],
): Promise<void> {
  const sorted = counts.toSorted((one, other) => compare(one, other))
  await queryBulk(database, {
    name: 'add-codes',
    text: `insert into conversion_counts as c (account_id, country, day, codes)
           select * from unnest($1::int[], $2::text[], $3::text[], $4::bigint[])
           on conflict (account_id, country, day) do update set codes = c.codes + excluded.codes`,
    columns: columns(sorted, (row) => [row.accountId, row.country, row.day, row.codes]),
  })
}

/** Returns how many of the messages were not counted before. */
export function addConversions(
  database: Transactional,
  accountId: number,
  messages: readonly { readonly msgKey: string; readonly country: string }[],
  day: string,
): Promise<number> {
  if (messages.length === 0) return Promise.resolve(0)
  return inTransaction(database, async (transaction) => {
    const sorted = messages.toSorted((one, other) => (one.msgKey < other.msgKey ? -1 : 1))
    const added = await queryBulk<{ key: string }>(transaction, {
      text: `insert into conversions (msg_key, day) select key, $2 from unnest($1::text[]) as key
             on conflict do nothing returning msg_key as key`,
      columns: columns(sorted, ({ msgKey }) => [msgKey]),
      values: [day],
    })
    const isNew = new Set(added.map(({ key }) => key))
    const groups = Map.groupBy(
      sorted.filter(({ msgKey }) => isNew.has(msgKey)),
      ({ country }) => country,
    )
    const counts = [...groups].map(([country, of]) => ({ accountId, country, day, converted: of.length }))
    await queryBulk(transaction, {
      text: `insert into conversion_counts as c (account_id, country, day, converted)
             select * from unnest($1::int[], $2::text[], $3::text[], $4::bigint[])
             on conflict (account_id, country, day) do update set converted = c.converted + excluded.converted`,
      columns: columns(
        counts.toSorted((one, other) => compare(one, other)),
        (row) => [row.accountId, row.country, row.day, row.converted],
      ),
    })
    return isNew.size
  })
}

function compare(one: ConversionKey, other: ConversionKey): number {
  return one.accountId - other.accountId || (one.country < other.country ? -1 : 1)
}

/** Since a day, of all accounts. */
export async function readCodeUse(
  database: Queryable,
  since: string,
): Promise<(Omit<ConversionKey, 'day'> & CodeUse)[]> {
  const result = await database.query<Omit<ConversionKey, 'day'> & CodeUse>({
    name: 'read-code-use',
    text: `select account_id as "accountId", country, sum(codes)::bigint as codes, sum(converted)::bigint as converted
             from conversion_counts where day >= $1 group by account_id, country`,
    values: [since],
  })
  return result.rows
}

export async function removeOldConversions(database: Queryable, before: string): Promise<void> {
  await database.query('delete from conversions where day < $1', [before])
  await database.query('delete from conversion_counts where day < $1', [before])
}
