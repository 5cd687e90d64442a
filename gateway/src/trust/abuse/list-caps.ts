/** Caps of all accounts with what is used of them, page by page, for the admin API. What API processes have reserved counts as used. */
import type { Queryable } from '../../platform/database.ts'
import type { UsedCap } from './cap-use.ts'
import type { Period } from './protection-choices.ts'

export interface CapFilter {
  readonly clientId?: string | undefined
  /** Only those of which at least this percentage is used. */
  readonly usedPercent?: number | undefined
  /** Those after this one. */
  readonly after?: { readonly clientId: string; readonly class: string; readonly period: string } | undefined
  readonly limit: number
}

/** In the order of account, class and period. `begins`: the present day and month. */
export async function listCaps(
  database: Queryable,
  begins: Readonly<Record<Period, string>>,
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
                             and c.begins = case p.period when 'day' then $1 else $2 end
      where ${conditions.join(' and ')}
      order by a.client_id, p.class, p.period limit $3`,
    values,
  )
  return result.rows
}
