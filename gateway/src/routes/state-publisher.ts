/**
 * Publishes the states of the routes that this process owns, for all processes, which place steps by them. One statement
 * writes all states that changed, at most four times per second: an idle route is written once. A state counts while the
 * member that wrote it is live. A route that received steps is published even when its state is the same, because every
 * process may release a state's capacity once. States that PostgreSQL has lost are written again within a second.
 */
import { lanes } from '../channels/lane.ts'
import type { Queryable } from '../platform/database.ts'
import type { Log } from '../platform/log.ts'
import { every, type Periodic } from '../platform/periodic.ts'
import { writeRouteStates, type RouteStateDraft } from './states-table.ts'

export interface CurrentState extends RouteStateDraft {
  /** Changes whenever the route has received steps. */
  readonly received: number
}

const publishEveryMs = 250
const checkEveryMs = 1_000

export class StatePublisher {
  /** The id of the member that owns the routes. */
  readonly owner: string
  readonly #database: Queryable
  readonly #log: Log
  readonly #sources = new Map<string, () => CurrentState>()
  /** What was last written for each route. */
  readonly #written = new Map<string, CurrentState>()
  readonly #given = new Set<string>()
  #checkedAt = -Infinity
  #periodic: Periodic | undefined

  constructor(database: Queryable, owner: string, log: Log) {
    this.owner = owner
    this.#database = database
    this.#log = log
  }

  start(): void {
    this.#periodic = every(publishEveryMs, 'publishing the states of routes', this.#log, () => this.publish())
  }

  /** Publishes the state of a route from now on. */
  add(routeId: string, read: () => CurrentState): void {
    this.#sources.set(routeId, read)
    this.#given.delete(routeId)
    this.#written.delete(routeId)
  }

  /** This process no longer owns the route. */
  remove(routeId: string): void {
    this.#sources.delete(routeId)
    this.#written.delete(routeId)
    this.#given.add(routeId)
  }

  /** Writes what changed. */
  async publish(): Promise<void> {
    const changed: CurrentState[] = []
    for (const [routeId, read] of this.#sources) {
      const state = read()
      if (!isSame(state, this.#written.get(routeId))) changed.push(state)
    }
    const isChecked = performance.now() - this.#checkedAt < checkEveryMs
    if (isChecked && changed.length === 0 && this.#given.size === 0) return
    await this.write(changed)
    for (const state of changed) if (this.#sources.has(state.routeId)) this.#written.set(state.routeId, state)
  }

  /** Writes the states, and checks whether those written before are still there. */
  async write(changed: readonly RouteStateDraft[] = []): Promise<void> {
    const given = [...this.#given]
    const written = [...this.#written.keys()]
    const now = performance.now()
    const kept = await writeRouteStates(this.#database, { owner: this.owner, changed, given, written })
    this.#checkedAt = now
    for (const routeId of given) if (!this.#sources.has(routeId)) this.#given.delete(routeId)
    // States are missing after a crash of PostgreSQL, or after a process that was stopped has written its old ones.
    if (kept < written.length) this.#written.clear()
  }

  async stop(): Promise<void> {
    await this.#periodic?.stop()
    for (const routeId of [...this.#sources.keys()]) this.remove(routeId)
    await this.write().catch((error: unknown) => {
      this.#log.debug({ err: error as Error }, 'cannot take back the states of routes; they expire')
    })
  }
}

/** Compared field by field: it runs for every route four times a second. */
function isSame(state: CurrentState, written: CurrentState | undefined): boolean {
  return (
    written !== undefined &&
    state.received === written.received &&
    state.linked === written.linked &&
    state.linkReason === written.linkReason &&
    state.owners === written.owners &&
    state.breaker === written.breaker &&
    state.rate === written.rate &&
    state.throttledShare === written.throttledShare &&
    state.deliveryRate === written.deliveryRate &&
    state.arrivals === written.arrivals &&
    state.submitted === written.submitted &&
    state.queued === written.queued &&
    lanes.every((lane) => state.capacity[lane] === written.capacity[lane])
  )
}
