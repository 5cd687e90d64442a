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

  /** Returns the parts of each account in transit to the lane. */
  partsByAccount(lane: Lane): Map<number, number> {
    const before = performance.now() - timeoutMs
    const parts = new Map<number, number>()
    for (const [id, entry] of this.#entries) {
      if (entry.at < before) this.#entries.delete(id)
      else if (entry.lane === lane)
        parts.set(entry.accountId, (parts.get(entry.accountId) ?? 0) + entry.parts)
    }
    return parts
  }
}
