/**
 * SQL of route_results, its only writer: delivered and failed messages of each route by minute. Rows are appended, so that
 * workers never wait for each other's rows, and aggregated later.
 */
import type { Cause } from '../../channels/cause.ts'
import { columns, queryBulk } from '../../platform/database/bulk.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { isRouteFailure } from './route-failure-causes.ts'

export interface RouteResultCount {
  readonly routeId: string
  readonly delivered: number
  readonly failed: number
}

/** Older minutes are not aggregated again, because late rows are rare. */
const foldMinutes = 10

/** Counts results per route, without failures that the route does not cause. */
export function countRouteResults(
  results: Iterable<{ readonly routeId: string; readonly cause: Cause }>,
): RouteResultCount[] {
  const counts = new Map<string, { routeId: string; delivered: number; failed: number }>()
  for (const { routeId, cause } of results) {
    const isDelivered = cause === 'delivered'
    if (!isDelivered && !isRouteFailure(cause)) continue
    const count = counts.get(routeId) ?? { routeId, delivered: 0, failed: 0 }
    counts.set(routeId, count)
    if (isDelivered) count.delivered++
    else count.failed++
  }
  return [...counts.values()]
}

export async function appendRouteResults(
  transaction: Queryable,
  counts: readonly RouteResultCount[],
): Promise<void> {
  await queryBulk(transaction, {
    name: 'append-route-results',
    text: `insert into route_results (route_id, minute, delivered, failed)
           select route_id, date_trunc('minute', now()), delivered, failed
             from unnest($1::text[], $2::int[], $3::int[]) as c (route_id, delivered, failed)`,
    columns: columns(counts, (count) => [count.routeId, count.delivered, count.failed]),
  })
}

/**
 * Returns the fraction delivered by each route in the last `sinceMinutes`. Omits routes with fewer than `minSample` known
 * results.
 */
export async function readDeliveryRates(
  database: Queryable,
  routeIds: readonly string[],
  sinceMinutes: number,
  minSample: number,
): Promise<Map<string, number>> {
  const result = await database.query<{ routeId: string; delivered: number; total: number }>({
    name: 'read-delivery-rates',
    text: `select route_id as "routeId", sum(delivered)::bigint as delivered,
                  sum(delivered::bigint + failed)::bigint as total
             from route_results
            where route_id = any($1::text[]) and minute > now() - make_interval(mins => $2::int)
            group by route_id`,
    values: [routeIds, sinceMinutes],
  })
  const known = result.rows.filter(({ total }) => total > 0 && total >= minSample)
  return new Map(known.map(({ routeId, delivered, total }) => [routeId, delivered / total]))
}

/** Returns the results of one minute by route; uses the index on minute. */
export async function readMinuteResults(
  database: Queryable,
  minute: Date,
): Promise<ReadonlyMap<string, Pick<RouteResultCount, 'delivered' | 'failed'>>> {
  const result = await database.query<RouteResultCount>(
    `select route_id as "routeId", sum(delivered)::bigint as delivered, sum(failed)::bigint as failed
       from route_results where minute = $1 group by route_id`,
    [minute],
  )
  return new Map(result.rows.map(({ routeId, delivered, failed }) => [routeId, { delivered, failed }]))
}

export interface ResultMinute {
  readonly minute: Date
  readonly delivered: number
  readonly failed: number
}

/** Returns the minutes with results of a route, oldest first. */
export async function readResultMinutes(
  database: Queryable,
  routeId: string,
  sinceMinutes: number,
): Promise<ResultMinute[]> {
  const result = await database.query<ResultMinute>(
    `select minute, sum(delivered)::bigint as delivered, sum(failed)::bigint as failed
       from route_results
      where route_id = $1 and minute > now() - make_interval(mins => $2::int)
      group by minute order by minute`,
    [routeId, sinceMinutes],
  )
  return result.rows
}

/** Returns the results of the last `sinceMinutes` by route. */
export async function readResultTotals(
  database: Queryable,
  sinceMinutes: number,
): Promise<ReadonlyMap<string, Pick<RouteResultCount, 'delivered' | 'failed'>>> {
  const result = await database.query<RouteResultCount>(
    `select route_id as "routeId", sum(delivered)::bigint as delivered, sum(failed)::bigint as failed
       from route_results where minute > now() - make_interval(mins => $1::int) group by route_id`,
    [sinceMinutes],
  )
  return new Map(result.rows.map(({ routeId, delivered, failed }) => [routeId, { delivered, failed }]))
}

export interface ResultCurve {
  readonly delivered: readonly number[]
  readonly failed: readonly number[]
}

/** Returns one value for each of the last `minutes`, the current one last. Omits routes without results. */
export async function readResultCurves(
  database: Queryable,
  routeIds: readonly string[],
  minutes: number,
): Promise<ReadonlyMap<string, ResultCurve>> {
  const result = await database.query<RouteResultCount & { ago: number }>(
    `select route_id as "routeId", sum(delivered)::bigint as delivered, sum(failed)::bigint as failed,
            (extract(epoch from date_trunc('minute', now()) - minute) / 60)::int as ago
       from route_results
      where route_id = any($1::text[]) and minute > date_trunc('minute', now()) - make_interval(mins => $2::int)
      group by route_id, minute`,
    [routeIds, minutes],
  )
  const curves = new Map<string, { delivered: number[]; failed: number[] }>()
  for (const { routeId, ago, delivered, failed } of result.rows) {
    const empty = (): number[] => Array.from({ length: minutes }, () => 0)
    const curve = curves.get(routeId) ?? { delivered: empty(), failed: empty() }
    curves.set(routeId, curve)
    curve.delivered[minutes - 1 - ago] = delivered
    curve.failed[minutes - 1 - ago] = failed
  }
  return curves
}

/** Aggregates the rows of each route and minute into one. Several workers can run it concurrently. */
export async function foldRouteResults(database: Queryable): Promise<void> {
  await database.query(
    `with taken as (
       delete from route_results where ctid = any(array(
         select ctid from route_results where minute > now() - make_interval(mins => $1::int)
            for update skip locked limit 100000))
       returning route_id, minute, delivered, failed)
     insert into route_results (route_id, minute, delivered, failed)
     select route_id, minute, sum(delivered), sum(failed) from taken group by route_id, minute`,
    [foldMinutes],
  )
}

export async function removeOldRouteResults(database: Queryable, before: Date): Promise<void> {
  await database.query('delete from route_results where minute < $1', [before])
}
