import type { Lane } from '../../channels/lane.ts'
import type { Queryable } from '../../platform/database/database.ts'
import type { Log } from '../../platform/logging/log.ts'
import { every, type Periodic } from '../../platform/time/periodic.ts'
import { findWaitingLanes, type WaitingLanes } from '../../records/waiting/find-waiting.ts'

export type WaitingListener = (waiting: WaitingLanes) => void

const queryEveryMs = 100
const idleQueryEveryMs = 200

const noLanes: ReadonlySet<Lane> = new Set()

/** Returns the lanes of a route on which steps wait. */
export function getWaitingLanes(waiting: WaitingLanes, routeId: string): ReadonlySet<Lane> {
  return waiting.get(routeId) ?? noLanes
}

/**
 * Finds the routes with waiting steps, with one statement for the whole process: a route or lane without any costs nothing.
 * Owners of routes release what it finds, and the outbox what no owner will. A step that begins to wait is found within
 * 200 ms; while steps wait it queries twice as often.
 */
export class WaitingWatch {
  readonly #database: Queryable
  readonly #log: Log
  readonly #listeners = new Set<WaitingListener>()
  #queriedAt = -Infinity
  #found = true
  #periodic: Periodic | undefined

  constructor(database: Queryable, log: Log) {
    this.#database = database
    this.#log = log
  }

  /** Queries while there is a listener. Returns a function that removes the listener. */
  listen(listener: WaitingListener): () => Promise<void> {
    this.#listeners.add(listener)
    this.#periodic ??= every(queryEveryMs, 'looking for waiting steps', this.#log, () => this.#query())
    return async () => {
      this.#listeners.delete(listener)
      if (this.#listeners.size > 0) return
      const periodic = this.#periodic
      this.#periodic = undefined
      await periodic?.stop()
    }
  }

  async #query(): Promise<void> {
    const now = performance.now()
    // The timer may fire slightly early.
    if (!this.#found && now - this.#queriedAt < idleQueryEveryMs - 10) return
    this.#queriedAt = now
    const waiting = await findWaitingLanes(this.#database)
    this.#found = waiting.size > 0
    for (const listener of this.#listeners) listener(waiting)
  }
}
