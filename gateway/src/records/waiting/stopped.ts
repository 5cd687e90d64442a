/**
 * Waiting steps of one account, found through the index of routes and lanes, and steps that are put aside for an operator:
 * they have no route and are never due. SQL of `waiting`.
 */
import { columns, queryBulk } from '../../platform/bulk.ts'
import type { Database, Queryable } from '../../platform/database.ts'
import { inKeyOrder, type StepKey } from '../../jobs/step-key.ts'

/** A row with this time is never due. */
export const neverSql = `timestamptz '9999-01-01 00:00:00+00'`

/** Every route and lane with waiting steps: one index probe for each. */
export const places = `with recursive places (route_id, lane) as (
    (select route_id, lane from waiting order by route_id, lane limit 1)
    union all
    select n.route_id, n.lane from places p cross join lateral (
      select route_id, lane from waiting w where (w.route_id, w.lane) > (p.route_id, p.lane)
       order by route_id, lane limit 1) n)`

/** `due`: without those that are put aside, which are never due. */
export type WaitingSteps = 'all' | 'due'

const among = (which: WaitingSteps): string => (which === 'all' ? '' : `and w.release_at < ${neverSql}`)

/** Keys of waiting steps of the account, without those of `except`. */
export async function findWaitingOf(
  database: Queryable,
  accountId: number,
  which: WaitingSteps,
  limit: number,
  except: readonly string[] = [],
): Promise<string[]> {
  const result = await database.query<{ key: string }>(
    `${places}
     select w.msg_key as key from places p cross join lateral (
       select msg_key from waiting w where w.route_id = p.route_id and w.lane = p.lane and w.account_id = $1
          and w.msg_key <> all ($3::text[]) ${among(which)} limit $2) w limit $2`,
    [accountId, limit, except],
  )
  return result.rows.map(({ key }) => key)
}

/**
 * Those of the accounts that have waiting steps. For each route and lane it goes from account to account that waits, and
 * skips to the next of the given ones: with 5,000 blocked accounts and three that wait it takes a few probes, not 5,000.
 */
export async function findAccountsWaiting(
  database: Queryable,
  accountIds: readonly number[],
  which: WaitingSteps,
): Promise<number[]> {
  if (accountIds.length === 0) return []
  const result = await database.query<{ id: number }>({
    name: `find-accounts-waiting-${which}`,
    // width_bucket: how many of the sorted ids are not above the account, by a binary search.
    text: `${places}, found (route_id, lane, account_id, release_at) as (
             select p.route_id, p.lane, f.account_id, f.release_at from places p cross join lateral (
               select account_id, release_at from waiting w
                where w.route_id = p.route_id and w.lane = p.lane and w.account_id >= ($1::int[])[1]
                order by account_id, release_at limit 1) f
             union all
             select f.route_id, f.lane, n.account_id, n.release_at from found f cross join lateral (
               select account_id, release_at from waiting w
                where w.route_id = f.route_id and w.lane = f.lane
                  and w.account_id >= ($1::int[])[width_bucket(f.account_id, $1::int[]) + 1]
                order by account_id, release_at limit 1) n)
           select distinct w.account_id as id from found w
            where ($1::int[])[width_bucket(w.account_id, $1::int[])] = w.account_id ${among(which)}`,
    values: [accountIds.toSorted((one, other) => one - other)],
  })
  return result.rows.map(({ id }) => id)
}

export interface LockedSteps {
  /** Steps that no route has claimed, locked with their messages. */
  readonly current: readonly (StepKey & { readonly parts: number })[]
  /** Rows whose message has ended or moved on. */
  readonly ended: readonly StepKey[]
}

/** Rows that another transaction has locked are left out. */
export async function lockWaiting(transaction: Queryable, keys: readonly string[]): Promise<LockedSteps> {
  const rows = await transaction.query<StepKey & { parts: number; isCurrent: boolean }>(
    `select w.msg_key as "msgKey", w.step, w.try, w.parts, f.msg_key is not null as "isCurrent"
       from waiting w left join in_flight f on f.msg_key = any (array[w.msg_key]) and f.step = w.step and f.try = w.try
      where w.msg_key = any ($1) for update of w skip locked`,
    [keys],
  )
  const locked = await transaction.query<{ key: string }>(
    `select msg_key as key from in_flight where msg_key = any ($1) and state = 'released' for update skip locked`,
    [rows.rows.filter(({ isCurrent }) => isCurrent).map(({ msgKey }) => msgKey)],
  )
  const released = new Set(locked.rows.map(({ key }) => key))
  return {
    current: rows.rows.filter(({ msgKey, isCurrent }) => isCurrent && released.has(msgKey)),
    ended: rows.rows.filter(({ isCurrent }) => !isCurrent),
  }
}

/** A step whose time has not come is a scheduled one again, which its client may cancel. */
export const resumedReason = `reason = case when resume_at > now() then 'scheduled' else 'rule' end,
                        rule = case when resume_at > now() then null else rule end`

/** Puts steps aside for the rule, until `resume`. Returns how many. */
export async function putAside(
  transaction: Queryable,
  keys: readonly string[],
  rule: string,
): Promise<number> {
  const result = await transaction.query(
    `update waiting set resume_at = release_at, release_at = ${neverSql}, route_id = '', route_reason = null,
                        reason = 'rule', rule = $2
      where msg_key = any ($1) and release_at < ${neverSql}`,
    [keys, rule],
  )
  return result.rowCount ?? 0
}

const resumePage = 5_000

/**
 * Lets the steps of the account that were put aside for the rule be released, each at its time, while the account is not
 * blocked. In pages that commit one by one, outside of any transaction: with a million steps one statement would hold what
 * the end of the stop has locked for tens of seconds. Repeated, it goes on. Returns how many.
 */
export async function resumeWaitingOf(database: Database, accountId: number, rule: string): Promise<number> {
  for (let count = 0; ;) {
    const { rowCount } = await database.query(
      `update waiting set release_at = greatest(resume_at, now()), resume_at = null, ${resumedReason}
        where release_at = ${neverSql} and rule = $2 and not exists (select from accounts where id = $1 and blocked)
          and msg_key = any (array(
            select msg_key from waiting
             where route_id = '' and lane = any (array['urgent', 'normal', 'bulk']) and account_id = $1
               and release_at = ${neverSql} and rule = $2 limit ${resumePage}))`,
      [accountId, rule],
    )
    if (rowCount === 0 || rowCount === null) return count
    count += rowCount
  }
}

/** What the waiting table says of a step that ends. */
export interface EndedWaiting {
  /** Put aside for an operator, for this rule. */
  readonly aside: string | null
  /** Null where they have not been counted. */
  readonly parts: number | null
}

/**
 * Removes the rows of steps that end: those that are put aside are never due, and each of the others would cost a release
 * that finds nothing to send. Waits for an operator who decides on one of them at the same moment.
 */
export async function removeEnded(
  transaction: Queryable,
  steps: readonly StepKey[],
): Promise<ReadonlyMap<string, EndedWaiting>> {
  const rows = await queryBulk<EndedWaiting & { key: string }>(transaction, {
    name: 'remove-ended',
    text: `delete from waiting w
            using unnest($1::text[], $2::smallint[], $3::smallint[]) as k (msg_key, step, try)
            where w.msg_key = any (array[k.msg_key]) and w.step = k.step and w.try = k.try
           returning w.msg_key as key, case when w.release_at = ${neverSql} then w.rule end as aside,
                     case when w.reason = 'backlog' then w.parts end as parts`,
    columns: columns(inKeyOrder(steps), ({ msgKey, step, try: nth }) => [msgKey, step, nth]),
  })
  return new Map(rows.map(({ key, ...row }) => [key, row]))
}

export async function countAsideOf(database: Queryable, accountId: number, rule: string): Promise<number> {
  const result = await database.query<{ n: number }>(
    `select count(*) as n from waiting
      where route_id = '' and lane = any (array['urgent', 'normal', 'bulk']) and account_id = $1 and release_at = ${neverSql}
        and rule = $2`,
    [accountId, rule],
  )
  return result.rows[0]!.n
}
