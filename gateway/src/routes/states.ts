/**
 * The state of each route as its owner publishes it, with the capacity that may be released to it at once. Every process
 * reads all states four times a second; between two readings it releases no more than the capacity it last read, so that
 * a route's queue holds seconds of work even when many processes release to it.
 */
import { lanes, type Lane } from '../channels/lane.ts'
import { clock } from '../platform/clock.ts'
import type { Queryable } from '../platform/database.ts'
import type { Log } from '../platform/log.ts'
import { every, type Periodic } from '../platform/periodic.ts'

export interface RouteState {
  readonly routeId: string
  readonly owner: string
  readonly linked: boolean
  /** Parts that may be released to each lane now without waiting. */
  readonly capacity: Readonly<Record<Lane, number>>
  /** Parts per second that the carrier accepts, as learned; null while nothing bounds it. */
  readonly rate: number | null
  readonly breaker: 'closed' | 'open' | 'half-open'
  readonly throttledShare: number
  readonly deliveryRate: number | null
  readonly seenAt: Date
  /** Differs between two publications of the same owner. */
  readonly version: string
}

/** Capacity is used up faster than health changes: without a recent state nothing is released directly. */
const maxCapacityAgeMs = 1_500
export const publishIntervalMs = 250

export async function writeRouteState(
  database: Queryable,
  state: Omit<RouteState, 'seenAt' | 'version'>,
): Promise<void> {
  await database.query({
    name: 'write-route-state',
    text: `insert into route_states (route_id, owner, linked, urgent_capacity, normal_capacity, bulk_capacity, rate, breaker,
                                     throttled_share, delivery_rate, seen_at)
           values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, now())
           on conflict (route_id) do update
             set owner = excluded.owner, linked = excluded.linked, urgent_capacity = excluded.urgent_capacity,
                 normal_capacity = excluded.normal_capacity, bulk_capacity = excluded.bulk_capacity, rate = excluded.rate,
                 breaker = excluded.breaker, throttled_share = excluded.throttled_share,
                 delivery_rate = excluded.delivery_rate, seen_at = excluded.seen_at`,
    values: [
      state.routeId,
      state.owner,
      state.linked,
      ...lanes.map((lane) => Math.floor(state.capacity[lane])),
      state.rate,
      state.breaker,
      state.throttledShare,
      state.deliveryRate,
    ],
  })
}

interface StateRow extends Omit<RouteState, 'capacity'> {
  readonly urgent: number
  readonly normal: number
  readonly bulk: number
}

/** `seenAt` is computed from the age: the clock of this process may lag behind a database that failed over. */
export async function loadRouteStates(database: Queryable): Promise<RouteState[]> {
  const result = await database.query<StateRow & { ageMs: number }>({
    name: 'load-route-states',
    text: `select route_id as "routeId", owner, linked, urgent_capacity as urgent, normal_capacity as normal, bulk_capacity as bulk,
                  rate, breaker, throttled_share as "throttledShare", delivery_rate as "deliveryRate",
                  seen_at::text as version, (extract(epoch from now() - seen_at) * 1000)::float8 as "ageMs"
             from route_states`,
  })
  const now = clock.now()
  return result.rows.map(({ urgent, normal, bulk, ageMs, ...state }) => ({
    ...state,
    capacity: { urgent, normal, bulk },
    seenAt: new Date(now - ageMs),
  }))
}

export class RouteStates {
  readonly #database: Queryable
  readonly #log: Log
  #states = new Map<string, RouteState>()
  /** Parts that may still be released directly before the next reading, by route and lane. */
  #left = new Map<string, Record<Lane, number>>()
  #periodic: Periodic | undefined

  constructor(database: Queryable, log: Log) {
    this.#database = database
    this.#log = log
  }

  async start(): Promise<void> {
    await this.refresh()
    this.#periodic = every(publishIntervalMs, 'reading the states of routes', this.#log, () => this.refresh())
  }

  async refresh(): Promise<void> {
    const states = await loadRouteStates(this.#database)
    const left = states.map((state): [string, Record<Lane, number>] => {
      const known = this.#states.get(state.routeId)
      // A state that was read before grants its capacity only once.
      const remaining = known?.version === state.version ? this.#left.get(state.routeId) : undefined
      return [state.routeId, remaining ?? { ...state.capacity }]
    })
    this.#states = new Map(states.map((state) => [state.routeId, state]))
    this.#left = new Map(left)
  }

  of(routeId: string): RouteState | undefined {
    return this.#states.get(routeId)
  }

  /** Reserves capacity for a direct release; false when the step must wait in the backlog. */
  reserveCapacity(routeId: string, lane: Lane, parts: number): boolean {
    const left = this.#left.get(routeId)
    const seenAt = this.#states.get(routeId)?.seenAt.getTime() ?? 0
    if (left === undefined || clock.now() - seenAt > maxCapacityAgeMs || left[lane] < parts) return false
    left[lane] -= parts
    return true
  }

  async stop(): Promise<void> {
    await this.#periodic?.stop()
  }
}
