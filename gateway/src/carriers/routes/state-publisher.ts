/**
 * Publishes the states of the routes that this process owns; all processes place steps by them. One statement writes all
 * changed states, at most four times per second; an idle route is read once per second and written once. A state is valid while the member that wrote
 * it is live. A route that received steps is published even if its state is the same, because every process can release a
 * state's capacity once. States that PostgreSQL has lost are written again within a second.
 */
import { lanes } from '../../channels/lane.ts'
import type { Queryable } from '../../platform/database/database.ts'
import type { Log } from '../../platform/logging/log.ts'
import { every, type Periodic } from '../../platform/time/periodic.ts'
import { writeRouteStates, type RouteStateDraft } from './states-table.ts'

export interface CurrentState extends RouteStateDraft {
  /** Changes whenever the route has received steps. */
  readonly received: number
}

export interface StateSource {
  /** True if only time can change the state: nothing waits, arrives or is submitted, and nothing is blocked. */
  readonly isIdle: boolean
  readState(): CurrentState
}

const publishEveryMs = 250
const checkEveryMs = 1_000

export class StatePublisher {
  /** The id of the member that owns the routes. */
  readonly owner: string
  readonly #database: Queryable
  readonly #log: Log
  readonly #sources = new Map<string, StateSource>()
  /** The last written state of each route. */
  readonly #written = new Map<string, CurrentState>()
  /** Routes that this process no longer owns and whose state it has not cleared yet. */
  readonly #released = new Set<string>()
  #checkedAt = -Infinity
  #readAllAt = -Infinity
  #periodic: Periodic | undefined

  constructor(database: Queryable, owner: string, log: Log) {
    this.owner = owner
    this.#database = database
    this.#log = log
  }

  start(): void {
    this.#periodic = every(publishEveryMs, 'publishing the states of routes', this.#log, () => this.publish())
  }

  /** Starts publishing the state of a route. */
  add(routeId: string, source: StateSource): void {
    this.#sources.set(routeId, source)
    this.#released.delete(routeId)
    this.#written.delete(routeId)
  }

  /** Stops publishing a route that this process no longer owns. */
  remove(routeId: string): void {
    this.#sources.delete(routeId)
    this.#written.delete(routeId)
    this.#released.add(routeId)
  }

  /** Writes the changed states. */
  async publish(): Promise<void> {
    const changed: CurrentState[] = []
    const now = performance.now()
    const readsAll = now - this.#readAllAt >= checkEveryMs
    if (readsAll) this.#readAllAt = now
    for (const [routeId, source] of this.#sources) {
      const written = this.#written.get(routeId)
      // Reading the state of hundreds of idle routes would be most of the work of an idle worker.
      if (!readsAll && written !== undefined && source.isIdle) continue
      const state = source.readState()
      if (!isSame(state, written)) changed.push(state)
    }
    const isChecked = now - this.#checkedAt < checkEveryMs
    if (isChecked && changed.length === 0 && this.#released.size === 0) return
    await this.write(changed)
    for (const state of changed) if (this.#sources.has(state.routeId)) this.#written.set(state.routeId, state)
  }

  /** Writes the states, and checks whether those written earlier still exist. */
  async write(changed: readonly RouteStateDraft[] = []): Promise<void> {
    const released = [...this.#released]
    const written = [...this.#written.keys()]
    const now = performance.now()
    const stillStored = await writeRouteStates(this.#database, {
      owner: this.owner,
      changed,
      released,
      written,
    })
    this.#checkedAt = now
    for (const routeId of released) if (!this.#sources.has(routeId)) this.#released.delete(routeId)
    // States are missing after a crash of PostgreSQL, or after a resumed process has written its outdated states.
    if (stillStored < written.length) this.#written.clear()
  }

  async stop(): Promise<void> {
    await this.#periodic?.stop()
    for (const routeId of [...this.#sources.keys()]) this.remove(routeId)
    await this.write().catch((error: unknown) => {
      this.#log.debug({ err: error as Error }, 'cannot clear the states of routes; they expire')
    })
  }
}

/** Compares field by field, because it runs for every busy route four times per second. */
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
