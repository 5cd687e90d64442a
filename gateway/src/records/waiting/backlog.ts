/**
 * Who waits for routes and for how long, for whoever watches. Every lane of every route is looked at by index probes, so that a long
 * backlog hides no other one, and all of it is bounded. Called by the admin API.
 */
import type { Lane } from '../../channels/lane.ts'
import { possibleShareIds } from '../../jobs/route-share.ts'
import { columns, queryBulk } from '../../platform/bulk.ts'
import type { Queryable } from '../../platform/database.ts'

export interface WaitingAccount {
  /** The id of a share of a route. */
  readonly shareId: string
  readonly lane: Lane
  readonly accountId: number
  /** How long its oldest step has waited. */
  readonly seconds: number
}

export interface WaitingAccounts {
  readonly found: readonly WaitingAccount[]
  /** More accounts wait than were looked at. */
  readonly more: boolean
}

/** One index probe for each, as in `findWaitingLanes`: a step that has a route is due. */
const everyLane = `lanes (route_id, lane) as (
    (select route_id, lane from waiting where route_id > '' order by route_id, lane limit 1)
    union all
    select n.route_id, n.lane from lanes p cross join lateral (
      select route_id, lane from waiting w where (w.route_id, w.lane) > (p.route_id, p.lane)
       order by route_id, lane limit 1) n)`

const lanesOfShares = `lanes (route_id, lane) as materialized (
    select s.route_id, l.lane from unnest($2::text[]) as s (route_id) cross join unnest(array['urgent', 'normal', 'bulk']) as l (lane)
     cross join lateral (
       -- In the order of its index: any other plan would read what waits for others.
       select from waiting w where w.route_id = s.route_id and w.lane = l.lane order by w.account_id, w.release_at limit 1) w)`

/** The oldest step of each account on each lane: `max` probes, divided among the lanes, and one more for each lane. */
async function findIn(
  database: Queryable,
  lanes: string,
  values: readonly [max: number, ...shareIds: string[][]],
): Promise<WaitingAccounts> {
  const { rows } = await database.query<WaitingAccount & { readonly limit: number }>(
    `with recursive ${lanes},
     bounds as materialized (select greatest(1, $1::int / nullif((select count(*) from lanes), 0))::int as accounts)
     select l.route_id as "shareId", l.lane, a.account_id as "accountId", (select accounts from bounds) as limit,
            extract(epoch from now() - a.release_at)::float8 as seconds
       from lanes l cross join lateral (
         with recursive first (account_id, release_at) as (
           (select account_id, release_at from waiting w where w.route_id = l.route_id and w.lane = l.lane
             order by account_id, release_at limit 1)
           union all
           select n.account_id, n.release_at from first f cross join lateral (
             select account_id, release_at from waiting w
              where w.route_id = l.route_id and w.lane = l.lane and w.account_id > f.account_id
              order by account_id, release_at limit 1) n)
         select account_id, release_at from first limit (select accounts + 1 from bounds)) a`,
    [...values],
  )
  const byLane = Map.groupBy(rows, ({ shareId, lane }) => `${shareId}/${lane}`)
  return {
    found: rows.filter(({ seconds }) => seconds >= 0),
    more: [...byLane.values()].some((ofLane) => ofLane.length > ofLane[0]!.limit),
  }
}

export function findWaitingAccounts(database: Queryable, max: number): Promise<WaitingAccounts> {
  return findIn(database, everyLane, [max])
}

/** Those that wait for any share of the route. */
export function findWaitingForRoute(
  database: Queryable,
  routeId: string,
  max: number,
): Promise<WaitingAccounts> {
  return findIn(database, lanesOfShares, [max, possibleShareIds(routeId)])
}

/** Steps of each that could be submitted now, in the same order; each is counted up to `max`. */
export async function countDueSteps(
  database: Queryable,
  waiting: readonly WaitingAccount[],
  max: number,
): Promise<number[]> {
  const rows = await queryBulk<{ steps: number }>(database, {
    // In the order of its index: any other plan would read what waits for others.
    text: `select c.steps
             from unnest($1::text[], $2::text[], $3::int[]) with ordinality as a (route_id, lane, account_id, nth)
             cross join lateral (
               select count(*) as steps from (
                 select from waiting w
                  where w.route_id = a.route_id and w.lane = a.lane and w.account_id = a.account_id and w.release_at <= now()
                  order by w.release_at limit $4::int) counted) c
            order by a.nth`,
    columns: columns(waiting, ({ shareId, lane, accountId }) => [shareId, lane, accountId]),
    values: [max],
  })
  return rows.map(({ steps }) => steps)
}

export interface UnroutedAccount {
  readonly accountId: number
  readonly steps: number
  /** How long its oldest step has waited. */
  readonly seconds: number
}

/**
 * Due steps without a route by account, of the oldest `max` of each lane: another account has none that has waited for longer. What is
 * scheduled for later is not read, and may be millions.
 */
export async function findUnrouted(
  database: Queryable,
  max: number,
): Promise<{ readonly accounts: readonly UnroutedAccount[]; readonly more: boolean }> {
  const { rows } = await database.query<UnroutedAccount & { readonly lane: Lane }>(
    `select l.lane, d.account_id as "accountId", count(*) as steps,
            extract(epoch from now() - min(d.release_at))::float8 as seconds
       from unnest(array['urgent', 'normal', 'bulk']) as l (lane) cross join lateral (
         select account_id, release_at from waiting w
          where w.route_id = '' and w.lane = l.lane and w.release_at <= now() order by w.release_at limit $1) d
      group by l.lane, d.account_id`,
    [max],
  )
  const byLane = Map.groupBy(rows, ({ lane }) => lane)
  return {
    accounts: rows,
    more: [...byLane.values()].some((ofLane) => ofLane.reduce((sum, { steps }) => sum + steps, 0) >= max),
  }
}
