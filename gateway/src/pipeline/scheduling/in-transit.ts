import type { Lane } from '../../channels/lane.ts'
import type { StepJob } from '../../jobs/jobs.ts'
import { stepId } from '../../jobs/step-key.ts'

interface Entry {
  readonly accountId: number
  readonly lane: Lane
  readonly parts: number
  readonly at: number
}

/** A job that has not reached this owner by then was consumed by another one, and no longer counts. */
const timeoutMs = 10_000

/** Jobs that a releaser has published and its route has not received yet. They occupy capacity of the route's queue. */
export class InTransit {
  readonly #entries = new Map<string, Entry>()

  add(job: StepJob, lane: Lane, parts: number): void {
    this.#entries.set(stepId(job), { accountId: job.accountId, lane, parts, at: performance.now() })
  }

  remove(job: StepJob): void {
    if (this.#entries.size > 0) this.#entries.delete(stepId(job))
  }

  /** Returns the parts in transit to the lane. */
  parts(lane: Lane): number {
    // Called three times for every idle route, four times per second.
    if (this.#entries.size === 0) return 0
    this.#dropLost()
    let sum = 0
    for (const entry of this.#entries.values()) if (entry.lane === lane) sum += entry.parts
    return sum
  }

  /** Adds the parts in transit to the lane to those of their accounts. */
  addTo(lane: Lane, partsByAccount: Map<number, number>): void {
    this.#dropLost()
    for (const { accountId, lane: entryLane, parts } of this.#entries.values())
      if (entryLane === lane) partsByAccount.set(accountId, (partsByAccount.get(accountId) ?? 0) + parts)
  }

  #dropLost(): void {
    const before = performance.now() - timeoutMs
    for (const [id, { at }] of this.#entries) if (at < before) this.#entries.delete(id)
  }
}
