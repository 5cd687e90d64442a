/** For which routes, lanes and accounts steps wait, and how many; not the steps themselves. */
import type { Lane } from '../../channels/lane.ts'
import { possibleShareIds } from '../../jobs/route-share.ts'
import type { Queryable } from '../../platform/database.ts'
import { timedSql } from './scheduled.ts'

/** The lanes of each route on which steps wait. Steps without a route are listed under '' when they are due. */
export type WaitingLanes = ReadonlyMap<string, ReadonlySet<Lane>>

/**
 * One index probe per route and lane with waiting steps, and three for the steps without a route, however many wait. A
 * step that has a route is due: it waits for its turn only.
 */
export async function findWaitingLanes(database: Queryable): Promise<WaitingLanes> {
  const result = await database.query<{ routeId: string; lane: Lane }>({
    name: 'find-waiting-lanes',
    text: `with recursive waits (route_id, lane) as (
             (select route_id, lane from waiting where route_id > '' order by route_id, lane limit 1)
             union all
             select n.route_id, n.lane from waits p cross join lateral (
               select route_id, lane from waiting w where (w.route_id, w.lane) > (p.route_id, p.lane)
                order by route_id, lane limit 1) n)
           select route_id as "routeId", lane from waits
           union all
           select '', l.lane from unnest(array['urgent', 'normal', 'bulk']) as l (lane)
            -- The first in order of time, not any that is due: only one index has this order, so that the plan is the same
            -- while the table is empty.
            where (select release_at from waiting w where w.route_id = '' and w.lane = l.lane
                    order by release_at limit 1) <= now()`,
  })
  const waiting = new Map<string, Set<Lane>>()
  for (const { routeId, lane } of result.rows) {
    const found = waiting.get(routeId)
    if (found === undefined) waiting.set(routeId, new Set([lane]))
    else found.add(lane)
  }
  return waiting
}

/** Accounts with due steps on a lane of a route: one index probe per account, however many steps wait. */
export async function findWaiters(
  database: Queryable,
  routeId: string,
  lane: Lane,
  now: Date,
): Promise<number[]> {
  const result = await database.query<{ accountId: number }>({
    name: 'find-waiters',
    text: `with recursive first (account_id, release_at) as (
             (select account_id, release_at from waiting where route_id = $1 and lane = $2
               order by account_id, release_at limit 1)
             union all
             select n.account_id, n.release_at from first f cross join lateral (
               select account_id, release_at from waiting w
                where w.route_id = $1 and w.lane = $2 and w.account_id > f.account_id
                order by account_id, release_at limit 1) n)
           select account_id as "accountId" from first where release_at <= $3`,
    values: [routeId, lane, now],
  })
  return result.rows.map((row) => row.accountId)
}

/** Due steps without a route that are looked at one by one before accounts are. */
const maxDueRead = 2_000

/** `unscheduled`: all but those that must not be sent before a time, by the wish of the client or by a rule. */
export type DueSteps = 'all' | 'unscheduled'

/** Accounts with due steps under a route id, which is empty for steps without a route. */
export async function findDueAccounts(
  database: Queryable,
  routeId: string,
  lane: Lane,
  now: Date,
  which: DueSteps = 'all',
): Promise<number[]> {
  if (routeId !== '') return findWaiters(database, routeId, lane, now)
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
  // Fewer are due than were looked at. Otherwise the first of them may all be of one account: a probe for every account
  // that has scheduled steps, most of which may be for later.
  if (steps < maxDueRead) return result.rows.map(({ accountId }) => accountId)
  return findWaiters(database, '', lane, now)
}

/** Those of the given routes that have due steps. */
export async function findRoutesWithWaiters(
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

/** Parts that wait on a lane of a route, up to `max`. */
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

/** Steps that wait for any share of the route; with `max` counted up to it. */
export async function countWaiting(database: Queryable, routeId: string, max?: number): Promise<number> {
  const result = await database.query<{ n: number }>(
    'select count(*) as n from (select from waiting where route_id = any($1) limit $2) counted',
    // `limit null` is no limit.
    [possibleShareIds(routeId), max ?? null],
  )
  return result.rows[0]!.n
}

export interface WaitingCounts {
  readonly steps: number
  /** There are more than were counted. */
  readonly more: boolean
  readonly lanes: { readonly lane: Lane; readonly steps: number; readonly parts: number }[]
}

/** Steps that wait for the shares, by lane and by account, the account with the most first; counted up to `max`. */
export async function countWaitingBy(
  database: Queryable,
  shareIds: readonly string[],
  max: number,
): Promise<WaitingCounts & { readonly accounts: readonly { accountId: number; steps: number }[] }> {
  const result = await database.query<{ lane: Lane; accountId: number; steps: number; parts: number }>(
    `select lane, account_id as "accountId", count(*) as steps, sum(parts)::bigint as parts
       from (select lane, account_id, parts from waiting where route_id = any($1::text[]) limit $2) w
      group by lane, account_id`,
    [shareIds, max + 1],
  )
  const sum = (rows: readonly { steps: number }[]): number => rows.reduce((all, row) => all + row.steps, 0)
  const steps = sum(result.rows)
  const byLane = Map.groupBy(result.rows, ({ lane }) => lane)
  const byAccount = Map.groupBy(result.rows, ({ accountId }) => accountId)
  return {
    ...{ steps: Math.min(steps, max), more: steps > max },
    lanes: [...byLane].map(([lane, rows]) => ({
      ...{ lane, steps: sum(rows), parts: rows.reduce((all, row) => all + row.parts, 0) },
    })),
    accounts: [...byAccount]
      .map(([accountId, rows]) => ({ accountId, steps: sum(rows) }))
      .sort((left, right) => right.steps - left.steps),
  }
}
