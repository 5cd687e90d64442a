/**
 * The only writer of the usage tables. Counts are appended in the transaction that closes the messages, so
 * that they always agree with the reports, and a worker adds them to their day: closing never waits for
 * another close's row.
 */
import { columns, queryBulk } from '../../platform/database/bulk.ts'
import { inTransaction, type Database, type Queryable } from '../../platform/database/database.ts'

export const usageOutcomes = ['delivered', 'failed', 'expired', 'unknown', 'cancelled'] as const
export type UsageOutcome = (typeof usageOutcomes)[number]

export interface UsageEntry {
  /** When the messages were accepted (scheduled messages: sent), rounded down to a quarter of an hour. */
  readonly quarter: Date
  readonly accountId: number
  readonly channel: string
  readonly carrier: string
  readonly outcome: UsageOutcome
  /** Empty if the send had none. */
  readonly paymentCode: string
  readonly messages: number
  readonly steps: number
  readonly parts: number
}

export async function appendUsage(transaction: Queryable, entries: readonly UsageEntry[]): Promise<void> {
  await queryBulk(transaction, {
    name: 'append-usage',
    text: `insert into usage_deltas (quarter, account_id, channel, carrier, outcome, payment_code, messages, steps, parts)
           select * from unnest($1::timestamptz[], $2::int[], $3::text[], $4::text[], $5::text[], $6::text[],
                                $7::bigint[], $8::bigint[], $9::bigint[])`,
    columns: columns(entries, (entry) => [
      entry.quarter,
      entry.accountId,
      entry.channel,
      entry.carrier,
      entry.outcome,
      entry.paymentCode,
      entry.messages,
      entry.steps,
      entry.parts,
    ]),
  })
}

const lockKey = 0x75736167

/** Rows per transaction, which holds its locks until it ends. */
const maxRows = 50_000

/** Payment code of the counts beyond the limit. */
export const otherCodes = '(other codes)'

/**
 * Adds the appended counts to the days of the time zone, one worker at a time. An account and day keeps
 * `maxCodes` payment codes; further ones are counted together, so that a code per message cannot make the
 * table as large as the messages.
 */
export async function foldUsage(database: Database, timeZone: string, maxCodes: number): Promise<void> {
  while ((await foldPage(database, timeZone, maxCodes)) === maxRows);
}

/** Returns how many counts were added. */
function foldPage(database: Database, timeZone: string, maxCodes: number): Promise<number> {
  return inTransaction(database, async (transaction) => {
    const lock = await transaction.query<{ taken: boolean }>(
      'select pg_try_advisory_xact_lock($1) as taken',
      [lockKey],
    )
    if (lock.rows[0]?.taken !== true) return 0
    const folded = await transaction.query<{ rows: number }>(
      `with taken as (
         delete from usage_deltas where ctid = any(array(select ctid from usage_deltas limit ${maxRows}))
         returning *, (quarter at time zone $1)::date as day),
       codes as (select distinct account_id, day, payment_code from taken where payment_code not in ('', $3)),
       known as (
         select distinct u.account_id, u.day, u.payment_code
           from (select distinct account_id, day from codes) c
                join usage_days u on u.account_id = c.account_id and u.day = c.day
          where u.payment_code not in ('', $3)),
       held as (select account_id, day, count(*) as held from known group by 1, 2),
       ranked as (
         select c.*, row_number() over (partition by c.account_id, c.day order by k.payment_code is null, c.payment_code)
                     - count(k.payment_code) over (partition by c.account_id, c.day) as nth,
                coalesce(h.held, 0) as held, k.payment_code is not null as is_known
           from codes c left join known k
                on k.account_id = c.account_id and k.day = c.day and k.payment_code = c.payment_code
                left join held h on h.account_id = c.account_id and h.day = c.day),
       added as (
       insert into usage_days as d (account_id, day, channel, carrier, outcome, payment_code, messages, steps, parts)
       select t.account_id, t.day, channel, carrier, outcome,
              case when r.is_known or r.held + r.nth <= $2 or r.payment_code is null then t.payment_code else $3 end,
              sum(messages), sum(steps), sum(parts)
         from taken t left join ranked r
              on r.account_id = t.account_id and r.day = t.day and r.payment_code = t.payment_code
        group by 1, 2, 3, 4, 5, 6
       on conflict (account_id, day, channel, carrier, outcome, payment_code) do update
         set messages = d.messages + excluded.messages, steps = d.steps + excluded.steps, parts = d.parts + excluded.parts)
       select count(*) as rows from taken`,
      [timeZone, maxCodes, otherCodes],
    )
    return folded.rows[0]!.rows
  })
}

/** SQL expression of each grouping. */
export const groupings = {
  day: `to_char(day, 'YYYY-MM-DD')`,
  channel: 'channel',
  carrier: 'carrier',
  outcome: 'outcome',
  paymentCode: 'payment_code',
} as const
export type Grouping = keyof typeof groupings

export type UsageRow = Partial<Record<Grouping, string>> & {
  readonly messages: number
  readonly steps: number
  readonly parts: number
}

export interface UsagePage {
  readonly limit: number
  /** Values of the groupings of the last row before this page; `null` for the first page. */
  readonly after: readonly string[] | null
}

/** Reads the usage of an account, both days included, with the counts that are not aggregated yet. */
export async function readUsage(
  database: Queryable,
  accountId: number,
  from: string,
  to: string,
  by: readonly Grouping[],
  timeZone: string,
  { limit, after }: UsagePage,
): Promise<UsageRow[]> {
  const selected = [
    ...by.map((name) => `${groupings[name]} as "${name}"`),
    ...['messages', 'steps', 'parts'].map((count) => `coalesce(sum(${count}), 0)::bigint as ${count}`),
  ]
  const positions = by.map((_, index) => String(index + 1)).join(', ')
  const placeholders = (after ?? []).map((_, index) => `$${index + 6}::text`).join(', ')
  const following =
    placeholders === '' ? '' : `having (${by.map((name) => groupings[name]).join(', ')}) > (${placeholders})`
  const result = await database.query<UsageRow>(
    `with counted as (
       select day, channel, carrier, outcome, payment_code, messages, steps, parts
         from usage_days where account_id = $1 and day between $2 and $3
       union all
       select day, channel, carrier, outcome, payment_code, messages, steps, parts
         from (select (quarter at time zone $4)::date as day, * from usage_deltas where account_id = $1) recent
        where day between $2 and $3)
     select ${selected.join(', ')}
       from counted ${by.length === 0 ? '' : `group by ${positions} ${following} order by ${positions}`} limit $5`,
    [accountId, from, to, timeZone, limit, ...(after ?? [])],
  )
  return result.rows
}
