/**
 * Runs rounds of work for many routes: never two of the same route at once, and few at a time, so that a backlog on many
 * routes leaves connections to the other stages. A slow or failing round stops no other route. Used by `RouteLoops`.
 */
import type { Log } from '../../platform/log.ts'

const maxAtOnce = 4

export class RoundRunner {
  readonly #what: string
  readonly #log: Log
  readonly #running = new Map<string, Promise<void>>()
  /** Rounds that wait for another one to end, in their order. */
  readonly #queued = new Map<string, () => Promise<void>>()
  readonly #failing = new Set<string>()

  /** `what` names the work in the log. */
  constructor(what: string, log: Log) {
    this.#what = what
    this.#log = log
  }

  /** Starts a round as soon as possible; does nothing while one of the route is running. */
  run(routeId: string, round: () => Promise<void>): void {
    if (this.#running.has(routeId)) return
    this.#queued.set(routeId, round)
    this.#startQueued()
  }

  /** Forgets the route's next round and resolves when its current one has ended. */
  async settled(routeId: string): Promise<void> {
    this.#queued.delete(routeId)
    await this.#running.get(routeId)
    this.#failing.delete(routeId)
  }

  #startQueued(): void {
    for (const [routeId, round] of this.#queued) {
      if (this.#running.size >= maxAtOnce) return
      this.#queued.delete(routeId)
      const running = this.#runOnce(routeId, round).finally(() => {
        this.#running.delete(routeId)
        this.#startQueued()
      })
      this.#running.set(routeId, running)
    }
  }

  async #runOnce(routeId: string, round: () => Promise<void>): Promise<void> {
    try {
      await round()
      this.#failing.delete(routeId)
    } catch (error) {
      if (!this.#failing.has(routeId))
        this.#log.warn({ route: routeId, err: error as Error }, `${this.#what} failed; retrying`)
      this.#failing.add(routeId)
    }
  }
}
