/**
 * Counts waiting steps, for operators. A count over all routes reads every lane of every route by index probes,
 * so that a long backlog hides no other one. Every count is limited, except that of `countWaiting` without `max`.
 */
import type { Lane } from '../../channels/lane.ts'
import { possibleShareIds } from '../../jobs/route-share.ts'
import { columns, queryBulk } from '../../platform/database/bulk.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { accountsSql, lanesSql } from './find-waiting.ts'

export interface WaitingAccount {
  readonly shareId: string
  readonly lane: Lane
  readonly accountId: number
  /** Seconds that its oldest step has waited. */
  readonly seconds: number
}

export interface WaitingAccounts {
  readonly found: readonly WaitingAccount[]
  /** Whether more accounts wait than were read. */
  readonly more: boolean
}

/**
 * Returns the accounts that have a due step for a route, with their oldest one on each lane. The limit of `max`
 * accounts is divided among the lanes. Without `shareIds` all routes are read.
 */
export async function findWaitingAccounts(
  database: Queryable,
  max: number,
  shareIds: readonly string[] | null = null,
): Promise<WaitingAccounts> {
  const { rows } = await database.query<WaitingAccount & { readonly limit: number }>(
    `with recursive ${lanesSql('chosen')},
     wanted as materialized (select route_id, lane from lanes where $2::text[] is null or route_id = any ($2)),
     bounds as materialized (select greatest(1, $1::int / nullif((select count(*) from wanted), 0))::int as accounts)
     select l.route_id as "shareId", l.lane, a.account_id as "accountId", (select accounts from bounds) as limit,
            extract(epoch from now() - a.release_at)::float8 as seconds
       from wanted l cross join lateral (
         ${accountsSql('l.route_id', 'l.lane')}
         select account_id, release_at from first limit (select accounts + 1 from bounds)) a`,
    [max, shareIds],
  )
  const byLane = Map.groupBy(rows, ({ shareId, lane }) => `${shareId}/${lane}`)
  return {
    found: rows.filter(({ seconds }) => seconds >= 0),
    more: [...byLane.values()].some((ofLane) => ofLane.length > ofLane[0]!.limit),
  }
}

/** Maximum accounts of a route to read for each lane. */
const maxAccounts = 2_000

/**
 * Returns the seconds that the oldest due step has waited for any share of the route, or 0 if none waits. If
 * more accounts wait than are read, another step may have waited longer.
 */
export async function readOldestDue(database: Queryable, routeId: string): Promise<number> {
  const { found } = await findWaitingAccounts(database, maxAccounts, possibleShareIds(routeId))
  const seconds = found.reduce((oldest, account) => Math.max(oldest, account.seconds), 0)
  return Math.round(seconds * 10) / 10
}

/** Returns how many steps of each account are due, in the same order, each counted up to `max`. */
export async function countDueSteps(
  database: Queryable,
  waiting: readonly WaitingAccount[],
  max: number,
): Promise<number[]> {
  const rows = await queryBulk<{ steps: number }>(database, {
    // Read in index order: any other plan would read the steps that wait for other routes.
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
  /** Seconds that its oldest step has waited. */
  readonly seconds: number
}

/**
 * Counts the due steps without a route by lane and account, reading the oldest `max` of each lane: no other
 * account has one that has waited longer. Steps that are scheduled for later, possibly millions, are not read.
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

/** Counts the steps that wait for each share, up to `max` on each lane. */
export async function countWaitingByShare(
  database: Queryable,
  max: number,
): Promise<ReadonlyMap<string, number>> {
  const result = await database.query<{ share: string; steps: number }>(
    `with recursive ${lanesSql('chosen')}
     select p.route_id as share, sum(w.steps)::bigint as steps from lanes p cross join lateral (
       select count(*) as steps from (
         select from waiting w where w.route_id = p.route_id and w.lane = p.lane limit $1) counted) w
      group by p.route_id`,
    [max],
  )
  return new Map(result.rows.map(({ share, steps }) => [share, steps]))
}

/** Limit of a count that an operator waits for. */
export const maxCountedWaiting = 10_000

export interface WaitingCount {
  /** The wait reason as stored, or as merged. */
  readonly reason: string
  readonly count: number
  readonly oldestAt: Date
}

/** Adds up the counts whose reasons `reasonOf` maps to the same one, highest first. */
export function mergeReasons(
  counts: readonly WaitingCount[],
  reasonOf: (reason: string) => string,
): WaitingCount[] {
  const merged = new Map<string, WaitingCount>()
  for (const { reason: stored, count, oldestAt } of counts) {
    const reason = reasonOf(stored)
    const before = merged.get(reason)
    merged.set(reason, {
      reason,
      count: count + (before?.count ?? 0),
      oldestAt: before !== undefined && before.oldestAt < oldestAt ? before.oldestAt : oldestAt,
    })
  }
  return [...merged.values()].sort((left, right) => right.count - left.count)
}

/** Counts the waiting steps of an account by reason, all together up to `maxCountedWaiting`. */
export async function countAccountWaiting(database: Queryable, accountId: number): Promise<WaitingCount[]> {
  const result = await database.query<WaitingCount>({
    name: 'count-waiting-of-account',
    text: `with recursive ${lanesSql('all')}
           select reason, count(*) as count, min(created_at) as "oldestAt" from (
             select w.reason, w.created_at from lanes p cross join lateral (
               select reason, created_at from waiting w
                where w.route_id = p.route_id and w.lane = p.lane and w.account_id = $1
                limit ${maxCountedWaiting}) w limit ${maxCountedWaiting}) counted
            group by reason order by count(*) desc, reason`,
    values: [accountId],
  })
  return result.rows
}

/** Counts the steps that wait for any share of the route, up to `max` if it is given. */
export async function countWaiting(database: Queryable, routeId: string, max?: number): Promise<number> {
  const result = await database.query<{ n: number }>(
    'select count(*) as n from (select from waiting where route_id = any($1) limit $2) counted',
    // In SQL, `limit null` means no limit.
    [possibleShareIds(routeId), max ?? null],
  )
  return result.rows[0]!.n
}

export interface WaitingCounts {
  readonly steps: number
  /** Whether there are more than were counted. */
  readonly more: boolean
  readonly lanes: { readonly lane: Lane; readonly steps: number; readonly parts: number }[]
}

/** Counts the steps that wait for the shares, by lane and by account with the highest first, up to `max`. */
export async function countWaitingByLaneAndAccount(
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
  const sum = (rows: readonly { steps: number }[]): number =>
    rows.reduce((total, row) => total + row.steps, 0)
  const steps = sum(result.rows)
  const byLane = Map.groupBy(result.rows, ({ lane }) => lane)
  const byAccount = Map.groupBy(result.rows, ({ accountId }) => accountId)
  return {
    steps: Math.min(steps, max),
    more: steps > max,
    lanes: [...byLane].map(([lane, rows]) => ({
      lane,
      steps: sum(rows),
      parts: rows.reduce((total, row) => total + row.parts, 0),
    })),
    accounts: [...byAccount]
      .map(([accountId, rows]) => ({ accountId, steps: sum(rows) }))
      .sort((left, right) => right.steps - left.steps),
  }
}
