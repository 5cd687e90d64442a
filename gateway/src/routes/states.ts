/**
 * How each route is doing, as its owner tells it, and how much may be released to it at once. Every process reads all
 * states a few times a second; what it releases by itself between two readings is bounded by the room it last saw, so
 * that a route's queue holds seconds of work even when many processes release to it.
 */
import { lanes, type Lane } from '../channels/lane.ts'
import type { Queryable } from '../platform/database.ts'
import type { Log } from '../platform/log.ts'
import { every, type Periodic } from '../platform/periodic.ts'

export interface RouteState {
  readonly routeId: string
  readonly owner: string
  readonly linked: boolean
  readonly room: Readonly<Record<Lane, number>>
  /** Parts a second that the carrier lets us send, as learned; null while nothing bounds it. */
  readonly rate: number | null
  readonly breaker: 'closed' | 'open' | 'half-open'
  readonly throttledShare: number
  readonly deliveryRate: number | null
  readonly seenAt: Date
  /** Differs between two words of the same owner. */
  readonly version: string
}

/** Room is spent faster than health changes: without a fresh word nothing is released directly. */
const roomFreshMs = 1_500
export const stateEveryMs = 250

export async function writeRouteState(
  database: Queryable,
  state: Omit<RouteState, 'seenAt' | 'version'>,
): Promise<void> {
  await database.query({
    name: 'write-route-state',
    text: `insert into route_states (route_id, owner, linked, urgent_room, normal_room, bulk_room, rate, breaker,
                                     throttled_share, delivery_rate, seen_at)
           values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, now())
           on conflict (route_id) do update
             set owner = excluded.owner, linked = excluded.linked, urgent_room = excluded.urgent_room,
                 normal_room = excluded.normal_room, bulk_room = excluded.bulk_room, rate = excluded.rate,
                 breaker = excluded.breaker, throttled_share = excluded.throttled_share,
                 delivery_rate = excluded.delivery_rate, seen_at = excluded.seen_at`,
    values: [
      state.routeId,
      state.owner,
      state.linked,
      ...lanes.map((lane) => Math.floor(state.room[lane])),
      state.rate,
      state.breaker,
      state.throttledShare,
      state.deliveryRate,
    ],
  })
}

interface StateRow extends Omit<RouteState, 'room'> {
  readonly urgent: number
  readonly normal: number
  readonly bulk: number
}

/** `seenAt` is moved to this machine's clock: processes and database may disagree about the time. */
export async function loadRouteStates(database: Queryable): Promise<RouteState[]> {
  const result = await database.query<StateRow & { ageMs: number }>({
    name: 'load-route-states',
    text: `select route_id as "routeId", owner, linked, urgent_room as urgent, normal_room as normal, bulk_room as bulk,
                  rate, breaker, throttled_share as "throttledShare", delivery_rate as "deliveryRate",
                  seen_at::text as version, (extract(epoch from now() - seen_at) * 1000)::float8 as "ageMs"
             from route_states`,
  })
  const now = Date.now()
  return result.rows.map(({ urgent, normal, bulk, ageMs, ...state }) => ({
    ...state,
    room: { urgent, normal, bulk },
    seenAt: new Date(now - ageMs),
  }))
}

export class RouteStates {
  readonly #database: Queryable
  readonly #log: Log
  #states = new Map<string, RouteState>()
  /** Parts still to be released directly before the next reading, by route and lane. */
  #left = new Map<string, Record<Lane, number>>()
  #periodic: Periodic | undefined

  constructor(database: Queryable, log: Log) {
    this.#database = database
    this.#log = log
  }

  async start(): Promise<void> {
    await this.refresh()
    this.#periodic = every(stateEveryMs, 'reading the states of routes', this.#log, () => this.refresh())
  }

  async refresh(): Promise<void> {
    const states = await loadRouteStates(this.#database)
    const left = states.map((state): [string, Record<Lane, number>] => {
      const known = this.#states.get(state.routeId)
      // The same word read twice gives no second helping of its room.
      const spent = known?.version === state.version ? this.#left.get(state.routeId) : undefined
      return [state.routeId, spent ?? { ...state.room }]
    })
    this.#states = new Map(states.map((state) => [state.routeId, state]))
    this.#left = new Map(left)
  }

  of(routeId: string): RouteState | undefined {
    return this.#states.get(routeId)
  }

  /** Takes room for a direct release; false when the step must wait for its turn. */
  takeRoom(routeId: string, lane: Lane, parts: number): boolean {
    const left = this.#left.get(routeId)
    const seenAt = this.#states.get(routeId)?.seenAt.getTime() ?? 0
    if (left === undefined || Date.now() - seenAt > roomFreshMs || left[lane] < parts) return false
    left[lane] -= parts
    return true
  }

  async stop(): Promise<void> {
    await this.#periodic?.stop()
  }
}
