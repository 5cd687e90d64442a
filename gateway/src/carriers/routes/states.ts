/**
 * The published states of all routes in memory, with the capacity that can be released to each route immediately. Reads
 * changes four times per second while this process places steps, otherwise once per second. Between two reads it releases at
 * most the capacity that it last read, so that a route's queue holds seconds of work even if many processes release to it. A
 * state is valid while the process that wrote it is alive.
 */
import type { Lane } from '../../channels/lane.ts'
import { clock } from '../../platform/time/clock.ts'
import type { Queryable } from '../../platform/database/database.ts'
import type { Log } from '../../platform/logging/log.ts'
import { every, type Periodic } from '../../platform/time/periodic.ts'
import { fromStart, readRouteStates, type StatesRead, type StoredRouteState } from './states-table.ts'

export interface RouteState extends StoredRouteState {
  /** Time of the owner's last renewal. */
  readonly seenAt: Date
}

/** Capacity is used up faster than health changes: without a recent renewal of the owner nothing is released directly. */
const maxCapacityAgeMs = 3_000
const readEveryMs = 250
/** Read interval while no steps are placed. */
const idleReadEveryMs = 1_000

interface Publisher {
  seenAt: Date
}

class KnownState {
  readonly state: RouteState
  /** Parts that can still be released directly before the next publication. */
  readonly left: Record<Lane, number>

  constructor(stored: StoredRouteState, publisher: Publisher) {
    this.left = { ...stored.capacity }
    this.state = {
      ...stored,
      get seenAt() {
        return publisher.seenAt
      },
    }
  }
}

const never: Publisher = { seenAt: new Date(0) }

export class RouteStates {
  readonly #database: Queryable
  readonly #log: Log
  readonly #known = new Map<string, KnownState>()
  readonly #publishers = new Map<string, Publisher>()
  #from = fromStart
  #readAt = -Infinity
  /** Whether steps were placed since the last read. */
  #used = true
  #periodic: Periodic | undefined

  constructor(database: Queryable, log: Log) {
    this.#database = database
    this.#log = log
  }

  async start(): Promise<void> {
    await this.refresh()
    this.#periodic = every(readEveryMs, 'reading the states of routes', this.#log, async () => {
      if (this.#used || performance.now() - this.#readAt >= idleReadEveryMs) await this.refresh()
    })
  }

  async refresh(): Promise<void> {
    const began = performance.now()
    const read = await readRouteStates(this.#database, this.#from)
    this.#apply(read)
    // A smaller value means another database, restored from a backup.
    this.#from = BigInt(read.next) < BigInt(this.#from) ? fromStart : read.next
    this.#readAt = began
    this.#used = false
  }

  get(routeId: string): RouteState | undefined {
    this.#used = true
    return this.#known.get(routeId)?.state
  }

  /** Reserves capacity for a direct release. Returns false if the step must wait in the backlog. */
  reserveCapacity(routeId: string, lane: Lane, parts: number): boolean {
    this.#used = true
    const routeState = this.#known.get(routeId)
    const now = clock.now()
    if (routeState === undefined || now - routeState.state.seenAt.getTime() > maxCapacityAgeMs) return false
    if (routeState.left[lane] < parts) return false
    routeState.left[lane] -= parts
    return true
  }

  async stop(): Promise<void> {
    await this.#periodic?.stop()
  }

  #apply({ states, ageMs }: StatesRead): void {
    const now = clock.now()
    for (const [name, publisher] of this.#publishers) {
      // States can still name this member; they have no owner.
      if (ageMs[name] === undefined) publisher.seenAt = never.seenAt
    }
    for (const [name, age] of Object.entries(ageMs)) {
      const publisher = this.#publishers.get(name)
      // Converted to this process's clock, because the clocks of processes and database can differ.
      const seenAt = new Date(now - age)
      if (publisher === undefined) this.#publishers.set(name, { seenAt })
      else publisher.seenAt = seenAt
    }
    for (const state of states) {
      // A state that was already read must not grant its capacity again.
      if (this.#known.get(state.routeId)?.state.version === state.version) continue
      this.#known.set(state.routeId, new KnownState(state, this.#publishers.get(state.owner) ?? never))
    }
  }
}

/** Reads the current states of all routes, for commands and APIs. A state without a live owner has the time 0. */
export async function loadRouteStates(database: Queryable): Promise<RouteState[]> {
  const { states, ageMs } = await readRouteStates(database, fromStart)
  const now = clock.now()
  return states.map((state) => ({ ...state, seenAt: new Date(now - (ageMs[state.owner] ?? now)) }))
}
