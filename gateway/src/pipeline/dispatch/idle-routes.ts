/**
 * Disabled routes whose queues are empty. They are not consumed, because every consumer needs an AMQP channel and a
 * connection has at most 2,047. Instead the depth of their queues is read from time to time, spread over the routes. Used
 * by the evacuation.
 */
import { isTransient } from '../../platform/transient.ts'

export class IdleRoutes {
  readonly #lookEveryMs: number
  readonly #hasJobs: (routeId: string) => Promise<boolean>
  /** When each route was looked at, in the order of these times. */
  readonly #lookedAt = new Map<string, number>()

  constructor(lookEveryMs: number, hasJobs: (routeId: string) => Promise<boolean>) {
    this.#lookEveryMs = lookEveryMs
    this.#hasJobs = hasJobs
  }

  has(routeId: string): boolean {
    return this.#lookedAt.has(routeId)
  }

  add(routeId: string): void {
    this.#lookedAt.set(routeId, performance.now())
  }

  /** Forgets the routes that are not idle any more. */
  keep(isIdle: (routeId: string) => boolean): void {
    for (const id of this.#lookedAt.keys()) if (!isIdle(id)) this.#lookedAt.delete(id)
  }

  /** Looks at the routes whose turn it is, in a round that takes place every `roundMs`, and forgets those with jobs. */
  async look(roundMs: number): Promise<void> {
    const before = performance.now() - this.#lookEveryMs
    const due = [...this.#lookedAt].filter(([, at]) => at <= before)
    const share = Math.ceil((this.#lookedAt.size * roundMs) / this.#lookEveryMs)
    for (const [id] of due.slice(0, share)) {
      const busy = await this.#hasJobs(id).catch((error: unknown) => {
        if (isTransient(error)) throw error
        // For example a missing queue: the consumer declares it.
        return true
      })
      this.#lookedAt.delete(id)
      if (!busy) this.add(id)
    }
  }
}
