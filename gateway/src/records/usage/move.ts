/** Adds the usage that an account had in its old cell to that of its new one. Called by `postern account move`. */
import type { Queryable } from '../../platform/database.ts'

/** All days of an account with the counts that are not folded yet, as JSON rows of usage_days. */
export async function readAllUsage(
  database: Queryable,
  accountId: number,
  timeZone: string,
): Promise<string[]> {
  const result = await database.query<{ row: string }>(
    `select to_json(u)::text as row
       from (select day, channel, carrier, outcome, payment_code,
                    sum(messages)::bigint as messages, sum(steps)::bigint as steps, sum(parts)::bigint as parts
               from (select day, channel, carrier, outcome, payment_code, messages, steps, parts
                       from usage_days where account_id = $1
                     union all
                     select (quarter at time zone $2)::date, channel, carrier, outcome, payment_code, messages, steps, parts
                       from usage_deltas where account_id = $1) counted
              group by day, channel, carrier, outcome, payment_code) u`,
    [accountId, timeZone],
  )
  return result.rows.map(({ row }) => row)
}

/** In the transaction that ends the move. What an earlier end has added, `added`, is not added again. */
export async function addUsage(
  transaction: Queryable,
  accountId: number,
  rows: readonly string[],
  added: string | null,
): Promise<void> {
  await transaction.query(
    `insert into usage_days as d (account_id, day, channel, carrier, outcome, payment_code, messages, steps, parts)
     select $2::integer, u.day, u.channel, u.carrier, u.outcome, u.payment_code,
            u.messages - coalesce(o.messages, 0), u.steps - coalesce(o.steps, 0), u.parts - coalesce(o.parts, 0)
       from unnest($1::text[]) as row
            cross join json_populate_record(null::usage_days, row::json) as u
            left join json_populate_recordset(null::usage_days, coalesce($3::json, '[]')) as o
              on (o.day, o.channel, o.carrier, o.outcome, o.payment_code)
               = (u.day, u.channel, u.carrier, u.outcome, u.payment_code)
      where (u.messages, u.steps, u.parts) is distinct from (o.messages, o.steps, o.parts)
     on conflict (account_id, day, channel, carrier, outcome, payment_code) do update
       set messages = d.messages + excluded.messages, steps = d.steps + excluded.steps, parts = d.parts + excluded.parts`,
    [rows, accountId, added],
  )
}

/** What the cell counted when the account was in it before: the old cell has counted it too. */
export async function clearUsage(transaction: Queryable, accountId: number): Promise<void> {
  await transaction.query('delete from usage_days where account_id = $1', [accountId])
  await transaction.query('delete from usage_deltas where account_id = $1', [accountId])
}
