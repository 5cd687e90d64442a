/** Finds the routes, lanes and accounts for which steps wait, and the keys and parts of waiting steps, but not their content. */
import type { Lane } from '../../channels/lane.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { neverSql, timedSql } from './waiting-step.ts'

/**
 * Builds an SQL table `lanes` of every route and lane with waiting steps, with one index probe for each.
 * `chosen` excludes the steps that have no route yet.
 */
export function lanesSql(routes: 'all' | 'chosen'): string {
  return `lanes (route_id, lane) as (
    (select route_id, lane from waiting ${routes === 'all' ? '' : "where route_id > ''"} order by route_id, lane limit 1)
    union all
    select n.route_id, n.lane from lanes p cross join lateral (
      select route_id, lane from waiting w where (w.route_id, w.lane) > (p.route_id, p.lane)
       order by route_id, lane limit 1) n)`
}

/**
 * Builds an SQL query `first` of every account on a lane with the time of its oldest step, with one index
 * probe for each.
 */
export function accountsSql(routeId: string, lane: string): string {
  return `with recursive first (account_id, release_at) as (
    (select account_id, release_at from waiting where route_id = ${routeId} and lane = ${lane}
      order by account_id, release_at limit 1)
    union all
    select n.account_id, n.release_at from first f cross join lateral (
      select account_id, release_at from waiting w
       where w.route_id = ${routeId} and w.lane = ${lane} and w.account_id > f.account_id
       order by account_id, release_at limit 1) n)`
}

/**
 * The lanes of each route on which steps wait. Steps without a route are listed under '' once they are due.
 */
export type WaitingLanes = ReadonlyMap<string, ReadonlySet<Lane>>

/** Finds the lanes. A step that has a route is due, because it only waits for its turn. */
export async function findWaitingLanes(database: Queryable): Promise<WaitingLanes> {
  const result = await database.query<{ routeId: string; lane: Lane }>({
    name: 'find-waiting-lanes',
    text: `with recursive ${lanesSql('chosen')}
           select route_id as "routeId", lane from lanes
           union all
           select '', l.lane from unnest(array['urgent', 'normal', 'bulk']) as l (lane)
            -- The first in order of time, not any that is due: only one index has this order, so that the plan is the same
            -- while the table is empty.
            where (select release_at from waiting w where w.route_id = '' and w.lane = l.lane
                    order by release_at limit 1) <= now()`,
  })
  const byRoute = Map.groupBy(result.rows, ({ routeId }) => routeId)
  return new Map([...byRoute].map(([routeId, rows]) => [routeId, new Set(rows.map(({ lane }) => lane))]))
}

/** Returns the accounts with due steps on a lane of a route. */
export async function findWaitingAccountIds(
  database: Queryable,
  routeId: string,
  lane: Lane,
  now: Date,
): Promise<number[]> {
  const result = await database.query<{ accountId: number }>({
    name: 'find-waiters',
    text: `${accountsSql('$1', '$2')} select account_id as "accountId" from first where release_at <= $3`,
    values: [routeId, lane, now],
  })
  return result.rows.map((row) => row.accountId)
}

/** Maximum due steps without a route to read one by one before reading by account. */
const maxDueRead = 2_000

/** `unscheduled` excludes steps that the client or a rule forbids to send before a time. */
export type DueSteps = 'all' | 'unscheduled'

/**
 * Returns the accounts with due steps under a route id, which is empty for steps without a route. Can include accounts
 * of whose steps `which` selects none.
 */
export async function findDueAccounts(
  database: Queryable,
  routeId: string,
  lane: Lane,
  now: Date,
  which: DueSteps = 'all',
): Promise<number[]> {
  if (routeId !== '') return findWaitingAccountIds(database, routeId, lane, now)
  const result = await database.query<{ accountId: number; steps: number }>({
    name: 'find-due-accounts',
    text: `select account_id as "accountId", count(*) as steps
             from (select account_id from waiting w
                    where w.route_id = '' and w.lane = $1 and w.release_at <= $2 and ($4 or not ${timedSql})
                    order by w.release_at limit $3) due
            group by account_id`,
    values: [lane, now, maxDueRead, which === 'all'],
  })
  const steps = result.rows.reduce((sum, row) => sum + row.steps, 0)
  // If more are due than were read, the first of them may all belong to one account.
  if (steps < maxDueRead) return result.rows.map(({ accountId }) => accountId)
  return findWaitingAccountIds(database, '', lane, now)
}

/** Returns those of the given routes that have due steps. */
export async function findRoutesWithDueSteps(
  database: Queryable,
  routeIds: readonly string[],
): Promise<string[]> {
  const result = await database.query<{ id: string }>({
    name: 'find-routes-with-waiters',
    text: `select r.id from unnest($1::text[]) as r (id)
            where exists (select from waiting w where w.route_id = r.id and w.release_at <= now())`,
    values: [routeIds],
  })
  return result.rows.map((row) => row.id)
}

/** Returns how many parts wait on a lane of a route, counted up to `max`. */
export async function countDueParts(
  database: Queryable,
  routeId: string,
  lane: Lane,
  now: Date,
  max: number,
): Promise<number> {
  const result = await database.query<{ parts: number }>({
    name: 'count-due-parts',
    text: `select least(coalesce(sum(parts), 0), $4)::int as parts
             from (select parts from waiting where route_id = $1 and lane = $2 and release_at <= $3 limit $4) due`,
    values: [routeId, lane, now, max],
  })
  return result.rows[0]!.parts
}

/** `due` excludes suspended steps, which are never due, but not those that become due later. */
export type WaitingSteps = 'all' | 'due'

const stepCondition = (which: WaitingSteps): string =>
  which === 'all' ? '' : `and w.release_at < ${neverSql}`

/** Returns the keys of waiting steps of the account, except the given ones. */
export async function findAccountWaiting(
  database: Queryable,
  accountId: number,
  which: WaitingSteps,
  limit: number,
  except: readonly string[] = [],
): Promise<string[]> {
  const result = await database.query<{ key: string }>(
    `with recursive ${lanesSql('all')}
     select w.msg_key as key from lanes p cross join lateral (
       select msg_key from waiting w where w.route_id = p.route_id and w.lane = p.lane and w.account_id = $1
          and w.msg_key <> all ($3::text[]) ${stepCondition(which)} limit $2) w limit $2`,
    [accountId, limit, except],
  )
  return result.rows.map(({ key }) => key)
}

/**
 * Returns those of the accounts that have waiting steps. On each lane it jumps from one waiting account to
 * the next of the given ones: thousands of blocked accounts, of which few wait, take a few probes.
 */
export async function findAccountsWaiting(
  database: Queryable,
  accountIds: readonly number[],
  which: WaitingSteps,
): Promise<number[]> {
  if (accountIds.length === 0) return []
  const result = await database.query<{ id: number }>({
    name: `find-accounts-waiting-${which}`,
    // width_bucket counts, by a binary search, the sorted ids that are not above the account.
    text: `with recursive ${lanesSql('all')}, found (route_id, lane, account_id, release_at) as (
             select p.route_id, p.lane, f.account_id, f.release_at from lanes p cross join lateral (
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
            where ($1::int[])[width_bucket(w.account_id, $1::int[])] = w.account_id ${stepCondition(which)}`,
    values: [accountIds.toSorted((left, right) => left - right)],
  })
  return result.rows.map(({ id }) => id)
}
