/**
 * SQL of the table `route_states`, its only writer except for the deletion of a route. A process writes its changed states in
 * one statement; readers read the changes since their last read. The table is unlogged: after a crash of PostgreSQL it is
 * empty and is written again.
 */
import { lanes, type Lane } from '../../channels/lane.ts'
import { columns } from '../../platform/database/bulk.ts'
import type { Queryable } from '../../platform/database/database.ts'

export interface RouteStateDraft {
  /** Id of a share, which equals the id of the route if it has one owner. */
  readonly routeId: string
  /** Number of owners that divide the rate of the route. */
  readonly owners: number
  readonly linked: boolean
  /** Why it is not linked, for operators; null if it is linked or the reason is unknown. */
  readonly linkReason?: string | null
  /** Parts that can be released to each lane immediately. */
  readonly capacity: Readonly<Record<Lane, number>>
  /** Parts per second that the carrier accepts, as measured; null while there is no limit. */
  readonly rate: number | null
  readonly breaker: 'closed' | 'open' | 'half-open'
  readonly throttledShare: number
  readonly deliveryRate: number | null
  /** Steps that arrived in the last second, for monitoring. */
  readonly arrivals: number
  /** Parts submitted in the last second, for monitoring. */
  readonly submitted: number
  /** Parts that wait in the owner's memory, for monitoring. */
  readonly queued: number
}

export interface StoredRouteState extends RouteStateDraft {
  /** The member that wrote it; empty if that member no longer owns the route. */
  readonly owner: string
  /** Differs between two publications. */
  readonly version: string
}

export interface Publication {
  readonly owner: string
  readonly changed: readonly RouteStateDraft[]
  /** Routes that the process no longer owns. */
  readonly released: readonly string[]
  /** Routes whose state the process has written earlier. */
  readonly written: readonly string[]
}

/** Returns the number of routes in `written` that still have this process's state. */
export async function writeRouteStates(database: Queryable, publication: Publication): Promise<number> {
  const { owner, changed, released: given, written } = publication
  const result = await database.query<{ kept: number }>({
    name: 'write-route-states',
    text: `with given as (
             update route_states
                set owner = '', linked = false, link_reason = null, urgent_capacity = 0, normal_capacity = 0, bulk_capacity = 0,
                    arrivals = 0, submitted = 0, queued = 0,
                    seen_at = now(), changed = pg_current_xact_id()
              where owner = $1 and route_id = any($2::text[])),
           changed as (
             insert into route_states (route_id, linked, urgent_capacity, normal_capacity, bulk_capacity, rate, breaker,
                                       throttled_share, delivery_rate, owners, arrivals, submitted, queued, link_reason, owner, seen_at)
             select c.*, $1, now()
               from unnest($3::text[], $4::boolean[], $5::int[], $6::int[], $7::int[], $8::real[], $9::text[], $10::real[],
                           $11::real[], $12::smallint[], $13::real[], $14::real[], $15::int[], $16::text[]) as c
             on conflict (route_id) do update
               set owner = excluded.owner, linked = excluded.linked, urgent_capacity = excluded.urgent_capacity,
                   normal_capacity = excluded.normal_capacity, bulk_capacity = excluded.bulk_capacity,
                   rate = excluded.rate, breaker = excluded.breaker, throttled_share = excluded.throttled_share,
                   delivery_rate = excluded.delivery_rate, owners = excluded.owners, arrivals = excluded.arrivals,
                   submitted = excluded.submitted, queued = excluded.queued, link_reason = excluded.link_reason, seen_at = excluded.seen_at,
                   changed = pg_current_xact_id())
           select count(*) as kept from route_states where owner = $1 and route_id = any($17::text[])`,
    values: [owner, given, ...columnsOf(changed), written],
  })
  return result.rows[0]!.kept
}

function columnsOf(states: readonly RouteStateDraft[]): unknown[] {
  if (states.length === 0) return Array.from({ length: 14 }, () => [])
  return columns(states, (state) => [
    state.routeId,
    state.linked,
    ...lanes.map((lane) => Math.floor(state.capacity[lane])),
    state.rate,
    state.breaker,
    state.throttledShare,
    state.deliveryRate,
    state.owners,
    state.arrivals,
    state.submitted,
    state.queued,
    state.linkReason ?? null,
  ])
}

export interface StatesRead {
  readonly states: readonly StoredRouteState[]
  /**
   * Time since each member renewed its row, by PostgreSQL's clock. A future time, written before PostgreSQL moved to a host
   * whose clock is behind, counts as equally far in the past.
   */
  readonly ageMs: Readonly<Record<string, number>>
  /** Cursor of the next read. */
  readonly next: string
}

/** Cursor of the first read. */
export const fromStart = '0'

type StateRow = Omit<StoredRouteState, 'capacity'> & Readonly<Record<Lane, number>>

/** Returns the states that changed after the read that returned `from`, some of them again. */
export async function readRouteStates(database: Queryable, from: string): Promise<StatesRead> {
  type Row = Pick<StatesRead, 'ageMs' | 'next'> & (StateRow | { readonly routeId: null })
  const result = await database.query<Row>({
    name: 'read-route-states',
    text: `select s.route_id as "routeId", s.owner, s.linked, s.urgent_capacity as urgent, s.normal_capacity as normal,
                  s.bulk_capacity as bulk, s.rate, s.breaker, s.throttled_share as "throttledShare",
                  s.delivery_rate as "deliveryRate", s.owners, s.arrivals, s.submitted, s.queued, s.link_reason as "linkReason", s.changed::text as version, p.*
             from (select pg_snapshot_xmin(pg_current_snapshot())::text as next,
                          (select coalesce(json_object_agg(id, abs(extract(epoch from now() - seen_at)) * 1000), '{}')
                             from members where not ended) as "ageMs") p
             left join route_states s on s.changed >= $1::xid8`,
    values: [from],
  })
  const { ageMs, next } = result.rows[0]!
  const states = result.rows.flatMap((row) => (row.routeId === null ? [] : [toState(row)]))
  return { states, ageMs, next }
}

function toState(row: StateRow): StoredRouteState {
  const { routeId, owner, owners, linked, linkReason = null, urgent, normal, bulk, rate, breaker } = row
  const { throttledShare, deliveryRate, arrivals, submitted, queued, version } = row
  const capacity = { urgent, normal, bulk }
  const figures = { rate, breaker, throttledShare, deliveryRate, arrivals, submitted, queued }
  return { routeId, owner, owners, linked, linkReason, capacity, ...figures, version }
}

export interface LiveShare {
  readonly shareId: string
  /** Number of owners by which the owner divides the rate of the route. */
  readonly owners: number
  readonly owner: string
}

/** Returns the shares whose owner renewed its membership in the last `withinMs`. */
export async function findLiveShares(
  database: Queryable,
  shareIds: readonly string[],
  withinMs: number,
): Promise<LiveShare[]> {
  const result = await database.query<LiveShare>({
    name: 'find-live-shares',
    text: `select s.route_id as "shareId", s.owners, s.owner
             from route_states s join members m on m.id = s.owner and not m.ended
            where s.route_id = any($1::text[]) and abs(extract(epoch from now() - m.seen_at)) * 1000 < $2`,
    values: [shareIds, withinMs],
  })
  return result.rows
}
